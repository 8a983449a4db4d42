import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { named, noReply, reply, SHELL } from '../../test/answers.ts';
import { llmsTxt } from './check.ts';

const FIXTURES = new URL('fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

async function evaluated(answer: Answer, value?: string | null): Promise<readonly RawFinding[]> {
  return llmsTxt.evaluate(named('llmsTxtUrl', answer, value), { parseMs: 5000 });
}

async function rules(answer: Answer): Promise<string[]> {
  return (await evaluated(answer)).map(({ rule }) => rule);
}

const BODIES: readonly { file: string; expected: readonly string[] }[] = [
  { file: 'as-proposed.txt', expected: [] },
  { file: 'crlf.txt', expected: [] },
  { file: 'byte-order-mark.txt', expected: [] },
  { file: 'front-matter.txt', expected: [] },
  { file: 'comment-first.txt', expected: [] },
  { file: 'bare-urls.txt', expected: [] },
  { file: 'autolinks.txt', expected: [] },
  { file: 'reference-links.txt', expected: [] },
  { file: 'html-links.txt', expected: [] },
  { file: 'several-headings.txt', expected: [] },
  { file: 'setext-heading.txt', expected: [] },
  { file: 'heading-further-down.txt', expected: [] },
  { file: 'right-to-left.txt', expected: [] },
  { file: 'cjk.txt', expected: [] },
  { file: 'quoted-html-page.txt', expected: [] },
  { file: 'link-first.txt', expected: [] },
  { file: 'no-heading.txt', expected: ['no-heading'] },
  { file: 'only-lower-headings.txt', expected: ['no-heading'] },
  { file: 'heading-only-in-code.txt', expected: ['no-heading'] },
  { file: 'no-links.txt', expected: ['no-links'] },
  { file: 'links-only-in-code.txt', expected: ['no-links'] },
  { file: 'links-only-in-comments.txt', expected: ['no-links'] },
  { file: 'only-picture.txt', expected: ['no-links'] },
  { file: 'plain-words.txt', expected: ['no-heading', 'no-links'] },
  { file: 'robots.txt', expected: ['no-heading', 'no-links'] },
  { file: 'merge-conflict.txt', expected: ['merge-conflict'] },
  { file: 'json-error.txt', expected: ['json'] },
  { file: 'json-list.txt', expected: ['json'] },
  { file: 'not-found-page.html', expected: ['html'] },
  { file: 'spa-fallback.html', expected: ['spa-fallback'] },
  { file: 'white-space.txt', expected: ['empty'] },
  { file: 'empty.txt', expected: ['empty'] },
  { file: 'latin-1.txt', expected: ['not-utf8'] },
  { file: 'utf-16.txt', expected: ['not-utf8'] },
  { file: 'nul-bytes.txt', expected: ['binary'] },
];

describe('llms-txt: bodies', () => {
  it.each(BODIES)('$file: $expected', async ({ file, expected }) => {
    expect(await rules(reply(fixture(file), { contentType: 'text/plain' }))).toEqual(expected);
  });

  it('git-lfs-pointer.txt: a pointer comes first', async () => {
    expect((await rules(reply(fixture('git-lfs-pointer.txt'))))[0]).toBe('git-lfs-pointer');
  });

  it('evaluates every fixture', () => {
    const files = [...BODIES.map(({ file }) => file), 'git-lfs-pointer.txt'];
    expect(readdirSync(FIXTURES).toSorted()).toEqual(files.toSorted());
  });

  it.each([
    { name: 'too long to be read whole', body: 'Words without an end.\n'.repeat(10_000) },
    { name: 'too slow to be parsed', body: '>'.repeat(80_000) },
  ])('earns no advice when it is $name', async ({ body }) => {
    expect(await llmsTxt.evaluate(named('llmsTxtUrl', reply(body)), { parseMs: 300 })).toEqual([]);
  });
});

describe('llms-txt: media types', () => {
  const index = '# Handbook\n\n[Tides](tides.md)\n';

  it.each([
    { name: 'the index', body: index, contentType: 'text/plain; charset=utf-8', expected: [] },
    { name: 'the index', body: index, contentType: 'text/markdown', expected: [] },
    { name: 'the index', body: index, contentType: null, expected: [] },
    { name: 'the index', body: index, contentType: 'application/octet-stream', expected: ['media-type'] },
    { name: 'the index', body: index, contentType: 'application/json', expected: ['media-type'] },
    { name: 'the index', body: index, contentType: 'text/html', expected: ['media-type'] },
    { name: 'a message', body: 'Not available.', contentType: 'text/html', expected: ['html'] },
    { name: 'JSON', body: '{"error": 404}', contentType: 'text/plain', expected: ['json'] },
    { name: 'JSON', body: '{"error": 404}', contentType: 'application/json', expected: ['json'] },
    { name: 'the bundle', body: SHELL, contentType: 'text/plain', expected: ['spa-fallback'] },
  ])('$name as $contentType: $expected', async ({ body, contentType, expected }) => {
    expect(await rules(reply(body, { contentType }))).toEqual(expected);
  });
});

describe('llms-txt: answers', () => {
  const slash = { url: 'https://docs.example/llms.txt', status: 301, location: '/llms.txt/' };

  it.each<{ name: string; answer: Answer; expected: string }>([
    { name: '410', answer: reply('# x', { status: 410 }), expected: 'not-found' },
    { name: '403', answer: reply('# x', { status: 403 }), expected: 'forbidden' },
    { name: 'a redirect', answer: reply('# x', { redirects: [slash] }), expected: 'redirected' },
    { name: 'an endless body', answer: noReply('too-large'), expected: 'too-large' },
  ])('$name: $expected', async ({ answer, expected }) => {
    expect(await rules(answer)).toEqual([expected]);
  });

  it('is off where nothing was asked for', async () => {
    const findings = await llmsTxt.evaluate({ answer: null }, { parseMs: 5000 });
    expect(findings).toEqual([{ rule: 'off', evidence: { setting: 'llmsTxtUrl', value: null } }]);
  });
});
