import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { named, noReply, reply, SHELL } from '../../test/answers.ts';
import { home } from './check.ts';

const FIXTURES = new URL('fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

async function evaluated(answer: Answer, value?: string): Promise<readonly RawFinding[]> {
  return home.evaluate(named('homePage', answer, value), { parseMs: 5000 });
}

async function rules(answer: Answer): Promise<string[]> {
  return (await evaluated(answer)).map(({ rule }) => rule);
}

const HEALTHY = [
  'plain.md',
  'crlf.md',
  'byte-order-mark.md',
  'front-matter-yaml.md',
  'front-matter-toml.md',
  'html-block-first.md',
  'html-heading-first.md',
  'header-element-first.md',
  'style-first.md',
  'svg-first.md',
  'comment-first.md',
  'comment-with-html-page-first.md',
  'quoted-html-page.md',
  'quoted-html-page-first.md',
  'about-doctype.md',
  'only-html.md',
  'only-picture.md',
  'only-code.md',
  'one-word.md',
  'right-to-left.md',
  'cjk.md',
  'emoji.md',
  'setext-headings.md',
  'quoted-merge-conflict.md',
  'merge-conflict-in-nested-fence.md',
  'about-markers.md',
  'quoted-lfs-pointer.md',
  'about-lfs.md',
];

const FAULTY: readonly { file: string; expected: string }[] = [
  { file: 'not-found-page.html', expected: 'html' },
  { file: 'comment-then-html-page.html', expected: 'html' },
  { file: 'page-without-root.html', expected: 'html' },
  { file: 'indented-html-page.html', expected: 'html' },
  { file: 'spa-fallback.html', expected: 'spa-fallback' },
  { file: 'latin-1.md', expected: 'not-utf8' },
  { file: 'utf-16-le.md', expected: 'not-utf8' },
  { file: 'utf-16-be.md', expected: 'not-utf8' },
  { file: 'utf-16-without-mark.md', expected: 'binary' },
  { file: 'picture.png', expected: 'binary' },
  { file: 'nul-bytes.md', expected: 'binary' },
  { file: 'still-gzipped.md', expected: 'binary' },
  { file: 'white-space.md', expected: 'empty' },
  { file: 'only-byte-order-mark.md', expected: 'empty' },
  { file: 'empty.md', expected: 'empty' },
  { file: 'only-comments.md', expected: 'no-content' },
  { file: 'only-front-matter.md', expected: 'no-content' },
  { file: 'only-definitions.md', expected: 'no-content' },
  { file: 'only-rules.md', expected: 'no-content' },
  { file: 'git-lfs-pointer.md', expected: 'git-lfs-pointer' },
  { file: 'git-lfs-pointer-crlf.md', expected: 'git-lfs-pointer' },
  { file: 'merge-conflict.md', expected: 'merge-conflict' },
  { file: 'merge-conflict-crlf.md', expected: 'merge-conflict' },
  { file: 'merge-conflict-with-base.md', expected: 'merge-conflict' },
  { file: 'merge-conflict-after-fence.md', expected: 'merge-conflict' },
];

describe('home: bodies', () => {
  it.each(HEALTHY)('%s is healthy', async (file) => {
    expect(await evaluated(reply(fixture(file)))).toEqual([]);
  });

  it.each(FAULTY)('$file: $expected', async ({ file, expected }) => {
    expect(await rules(reply(fixture(file)))).toEqual([expected]);
  });

  it('evaluates every fixture', () => {
    const files = [...HEALTHY, ...FAULTY.map(({ file }) => file)];
    expect(readdirSync(FIXTURES).toSorted()).toEqual(files.toSorted());
  });

  it.each([
    { name: 'bytes', contentType: 'application/octet-stream', expected: ['media-type'] },
    { name: 'plain text', contentType: 'text/plain', expected: [] },
    { name: 'nothing', contentType: null, expected: [] },
    { name: 'HTML', contentType: 'text/html; charset=utf-8', expected: ['media-type'] },
  ])('Markdown labelled $name: $expected', async ({ contentType, expected }) => {
    expect(await rules(reply(fixture('plain.md'), { contentType }))).toEqual(expected);
  });
});

describe('home: evidence', () => {
  it.each([
    { name: 'a setting', value: 'start/Home.md' },
    { name: 'the default', value: undefined },
  ])('names $name, and where it led', async ({ value }) => {
    const url = 'https://docs.example/start/Home.md';
    expect(await evaluated(reply('gone', { url, status: 404 }), value)).toMatchObject([
      { rule: 'not-found', evidence: { status: 404, setting: 'homePage', value: value ?? null, url } },
    ]);
  });

  it.each<{ name: string; answer: Answer; rule: string; evidence: object }>([
    {
      name: 'a failure keeps its facts',
      answer: noReply('refused', { port: 80 }),
      rule: 'refused',
      evidence: { port: 80 },
    },
    { name: 'bad bytes', answer: reply(fixture('latin-1.md')), rule: 'not-utf8', evidence: { offset: 7 } },
    { name: 'UTF-16', answer: reply(fixture('utf-16-le.md')), rule: 'not-utf8', evidence: { offset: 0 } },
    { name: 'a NUL byte', answer: reply(fixture('nul-bytes.md')), rule: 'binary', evidence: { offset: 10 } },
    { name: 'a conflict', answer: reply(fixture('merge-conflict.md')), rule: 'merge-conflict', evidence: { line: 3 } },
    { name: 'CRLF', answer: reply(fixture('merge-conflict-crlf.md')), rule: 'merge-conflict', evidence: { line: 2 } },
    {
      name: 'a conflict after a quoted one',
      answer: reply(fixture('merge-conflict-after-fence.md')),
      rule: 'merge-conflict',
      evidence: { line: 7 },
    },
    {
      name: 'a fallback',
      answer: reply(SHELL, { contentType: 'text/html' }),
      rule: 'spa-fallback',
      evidence: { status: 200, mediaType: 'text/html' },
    },
  ])('$name: $code', async ({ answer, rule, evidence }) => {
    const leads = { setting: 'homePage', value: null, url: answer.requestUrl };
    expect(await evaluated(answer)).toMatchObject([{ rule, evidence: { ...evidence, ...leads } }]);
  });

  it('shows where a redirect leads', async () => {
    const hop = { url: 'https://docs.example/index.md', status: 308, location: '/' };
    const answer = reply(SHELL, { redirects: [hop], contentType: 'text/html' });
    expect(await evaluated(answer)).toMatchObject([
      { rule: 'redirected', evidence: { status: 308, location: '/', finalStatus: 200, url: hop.url } },
    ]);
  });
});
