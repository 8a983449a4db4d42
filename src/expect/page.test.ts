import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL, shell } from '../../test/answers.ts';
import type { Answer, Evidence } from '../core/answer.ts';
import type { EvaluationLimits } from '../site/types.ts';
import { Ended } from '../http/failure.ts';
import type { ReadLimit } from '../parse/untrusted.ts';
import { outlinedPage, page, PAGE_RULES, readMarkdown, textFile } from './page.ts';

const LIMITS = { parseMs: 5000 };

const wholePage = (answer: Answer, limits: EvaluationLimits) =>
  page({ answer, bundle: shell() }, limits, (text) => readMarkdown(text, limits));

function rules(body: string): string[] {
  return textFile(reply(body), shell()).findings.map(({ rule }) => rule);
}

const SIDES = '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n';

describe('textFile: merge conflicts', () => {
  it.each([
    { name: 'a whole set', body: SIDES, line: 1 },
    { name: 'after text', body: `# Title\n\n${SIDES}`, line: 3 },
    { name: 'without names', body: '<<<<<<<\na\n=======\nb\n>>>>>>>\n', line: 1 },
    { name: 'with the base', body: '<<<<<<< a\n||||||| b\n=======\n>>>>>>> c', line: 1 },
    { name: 'CRLF', body: `x\r\n${SIDES.replaceAll('\n', '\r\n')}`, line: 2 },
    { name: 'old Mac line ends', body: `x\r${SIDES.replaceAll('\n', '\r')}`, line: 2 },
    { name: 'empty sides', body: '<<<<<<< a\n=======\n>>>>>>> b\n', line: 1 },
    { name: 'after a closed fence', body: `\`\`\`\nx\n\`\`\`\n${SIDES}`, line: 4 },
    { name: 'after a line of code in three backticks', body: `\`\`\`x\`\`\`\n\n${SIDES}`, line: 3 },
    { name: 'around a fence', body: '<<<<<<< a\n```\nx\n```\n=======\n```\ny\n```\n>>>>>>> b\n', line: 1 },
  ])('$name: line $line', ({ body, line }) => {
    expect(textFile(reply(body), shell()).findings).toMatchObject([{ rule: 'merge-conflict', evidence: { line } }]);
  });

  it.each([
    { name: 'headings underlined with seven signs', body: 'About git\n=======\n\nMerging\n=======\n' },
    { name: 'an opening marker alone', body: '<<<<<<< HEAD\n\nTitle\n=======\n' },
    { name: 'a closing marker alone', body: 'Title\n=======\n\n>>>>>>> topic\n' },
    { name: 'markers out of order', body: '>>>>>>> b\n=======\n<<<<<<< a\n' },
    { name: 'no divider', body: '<<<<<<< a\nx\n>>>>>>> b\n' },
    { name: 'eight signs', body: SIDES.replaceAll('<<<<<<<', '<<<<<<<<').replaceAll('>>>>>>>', '>>>>>>>>') },
    { name: 'a fence', body: `\`\`\`\n${SIDES}\`\`\`\n` },
    { name: 'a fence with a language', body: `\`\`\`diff\n${SIDES}\`\`\`\n` },
    { name: 'a fence of tildes', body: `~~~\n${SIDES}~~~\n` },
    { name: 'a fence in a longer fence', body: `\`\`\`\`md\n\`\`\`\n${SIDES}\`\`\`\n\`\`\`\`\n` },
    { name: 'backticks in a fence of tildes', body: `~~~\n\`\`\`\n${SIDES}~~~\n` },
    // CommonMark, section 4.5: a closing fence has no info string.
    { name: 'a fence that quotes the opening of another', body: `\`\`\`md\n\`\`\`js\n${SIDES}\`\`\`\n` },
    { name: 'a fence that never closes', body: `\`\`\`\n${SIDES}` },
    { name: 'indented code', body: SIDES.replaceAll(/^/gm, '    ') },
    { name: 'a quotation', body: SIDES.replaceAll(/^/gm, '> ') },
  ])('none in $name', ({ body }) => {
    expect(rules(body)).toEqual([]);
  });
});

describe('textFile: Git LFS pointers', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n';

  it.each([
    { name: 'a pointer', body: pointer, is: ['git-lfs-pointer'] },
    { name: 'CRLF', body: pointer.replaceAll('\n', '\r\n'), is: ['git-lfs-pointer'] },
    { name: 'a later version', body: pointer.replace('v1', 'v2'), is: ['git-lfs-pointer'] },
    { name: 'a pointer after a heading', body: `# Title\n\n${pointer}`, is: [] },
    { name: 'a pointer in a fence', body: `\`\`\`\n${pointer}\`\`\`\n`, is: [] },
    { name: 'its first line in a sentence', body: 'version https://git-lfs.github.com/spec/v1 begins it.', is: [] },
  ])('$name: $is', ({ body, is }) => {
    expect(rules(body)).toEqual(is);
  });
});

describe('textFile: what ends the matter', () => {
  it.each([
    { name: 'no reply', answer: noReply('bad-framing'), is: ['bad-framing'] },
    { name: 'a status before the body', answer: reply(SHELL, { status: 404 }), is: ['not-found'] },
    { name: 'bytes before HTML', answer: reply('<html>\0'), is: ['binary'] },
    { name: 'HTML before its type', answer: reply('<html>', { contentType: 'application/json' }), is: ['html'] },
  ])('$name: $is', ({ answer, is }) => {
    const file = textFile(answer, shell());
    expect(file.text).toBeNull();
    expect(file.findings.map(({ rule }) => rule)).toEqual(is);
  });

  it('hands warnings on with the text', () => {
    const answer = reply(`\uFEFF${SIDES}`, { contentType: 'application/octet-stream' });
    expect(textFile(answer, shell())).toMatchObject({
      text: SIDES,
      findings: [
        { rule: 'media-type', evidence: { mediaType: 'application/octet-stream' } },
        { rule: 'merge-conflict' },
      ],
    });
  });
});

describe('page', () => {
  it.each([
    { name: 'text', body: 'Soon', is: [] },
    { name: 'front matter and text', body: '---\ntitle: x\n---\nSoon', is: [] },
    { name: 'front matter', body: '---\ntitle: x\n---\n', is: ['no-content'] },
    { name: 'comments', body: '<!-- a -->\n\n<!-- b -->', is: ['no-content'] },
    { name: 'definitions', body: '[a]: b.md\n', is: ['no-content'] },
    {
      name: 'a pointer is content too',
      body: 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n',
      is: ['git-lfs-pointer'],
    },
    { name: 'HTML is not parsed', body: '<html></html>', is: ['html'] },
  ])('$name: $is', async ({ body, is }) => {
    const { findings } = await wholePage(reply(body), LIMITS);
    expect(findings.map(({ rule }) => rule)).toEqual(is);
  });

  it('hands on what the parser found', async () => {
    const evaluated = await wholePage(reply('# Title\n\n[a](b.md)'), LIMITS);
    expect(evaluated.parsed).toMatchObject({ headings: [{ depth: 1, text: 'Title' }], links: [{ url: 'b.md' }] });
  });

  it('keeps warnings beside a limit, and reports the limit', async () => {
    const answer = reply('>'.repeat(80_000), { contentType: 'application/octet-stream' });
    const evaluated = await outlinedPage({ answer, bundle: shell() }, { parseMs: 300 });
    expect(evaluated.findings).toMatchObject([
      { rule: 'media-type' },
      { rule: 'parse-limit', evidence: { limit: 'time', limitMs: 300 } },
    ]);
    expect(evaluated.parsed).toBeUndefined();
  });

  const hostile = '>'.repeat(80_000);
  const ended = async (): Promise<ReadLimit> => ({ ok: false, limit: 'ended' });

  it.each<{ name: string; limits: EvaluationLimits; evidence: Evidence }>([
    {
      name: 'somebody stopped the run, in the parser of the run',
      limits: { parseMs: 5000, signal: AbortSignal.abort(new Ended('interrupt')), read: ended },
      evidence: {},
    },
    {
      name: 'the time of the run was over, in the parser of the run',
      limits: { parseMs: 5000, signal: AbortSignal.abort(new Ended('deadline', 9000)), read: ended },
      evidence: { deadlineMs: 9000 },
    },
    {
      name: 'somebody stopped the run, in this thread',
      limits: { parseMs: 5000, signal: AbortSignal.abort(new Ended('interrupt')) },
      evidence: {},
    },
  ])('is not known where $name', async ({ limits, evidence }) => {
    const answer = reply(hostile, { contentType: 'application/octet-stream' });
    const evaluated = await (limits.read === undefined
      ? outlinedPage({ answer, bundle: shell() }, limits)
      : wholePage(answer, limits));
    expect(evaluated.findings).toMatchObject([{ rule: 'media-type' }, { rule: 'interrupted', evidence }]);
    expect(evaluated.findings[1]?.evidence).toEqual(evidence);
    expect(PAGE_RULES.interrupted).toBe('unknown');
  });
});
