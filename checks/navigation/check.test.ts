import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { named, noReply, reply, SHELL } from '../../test/answers.ts';
import { navigation } from './check.ts';

const FIXTURES = new URL('fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

async function evaluated(answer: Answer, parseMs = 5000): Promise<readonly RawFinding[]> {
  return navigation.evaluate(named('navigationFile', answer), { parseMs });
}

async function rules(answer: Answer, parseMs?: number): Promise<string[]> {
  return (await evaluated(answer, parseMs)).map(({ rule }) => rule);
}

const BODIES: readonly { file: string; expected: readonly string[] }[] = [
  { file: 'nested-list.md', expected: [] },
  { file: 'crlf.md', expected: [] },
  { file: 'old-mac-line-ends.md', expected: [] },
  { file: 'byte-order-mark.md', expected: [] },
  { file: 'front-matter.md', expected: [] },
  { file: 'mdwiki.md', expected: [] },
  { file: 'docsify-sidebar.md', expected: [] },
  { file: 'hash-routes.md', expected: [] },
  { file: 'absolute-self-links.md', expected: [] },
  { file: 'reference-links.md', expected: [] },
  { file: 'one-reference-link.md', expected: [] },
  { file: 'only-html.md', expected: [] },
  { file: 'inline-html.md', expected: [] },
  { file: 'html-block-first.md', expected: [] },
  { file: 'picture-link.md', expected: [] },
  { file: 'link-among-comments.md', expected: [] },
  { file: 'link-beside-code.md', expected: [] },
  { file: 'right-to-left.md', expected: [] },
  { file: 'cjk.md', expected: [] },
  { file: 'spaces-in-targets.md', expected: [] },
  { file: 'no-links.md', expected: ['no-links'] },
  { file: 'links-only-in-comments.md', expected: ['no-links'] },
  { file: 'links-only-in-code.md', expected: ['no-links'] },
  { file: 'links-only-in-script.md', expected: ['no-links'] },
  { file: 'only-pictures.md', expected: ['no-links'] },
  { file: 'only-html-pictures.md', expected: ['no-links'] },
  { file: 'anchors-without-target.md', expected: ['no-links'] },
  { file: 'unresolved-references.md', expected: ['no-links'] },
  { file: 'escaped-link.md', expected: ['no-links'] },
  { file: 'only-definitions.md', expected: ['no-content'] },
  { file: 'only-front-matter.md', expected: ['no-content'] },
  { file: 'only-comments.md', expected: ['no-content'] },
  { file: 'merge-conflict.md', expected: ['merge-conflict'] },
  { file: 'git-lfs-pointer.md', expected: ['git-lfs-pointer'] },
  { file: 'spa-fallback.html', expected: ['spa-fallback'] },
  { file: 'not-found-page.html', expected: ['html'] },
  { file: 'latin-1.md', expected: ['not-utf8'] },
  { file: 'nul-bytes.md', expected: ['binary'] },
  { file: 'white-space.md', expected: ['empty'] },
  { file: 'empty.md', expected: ['empty'] },
];

describe('navigation: bodies', () => {
  it.each(BODIES)('$file: $expected', async ({ file, expected }) => {
    expect(await rules(reply(fixture(file)))).toEqual(expected);
  });

  it('evaluates every fixture', () => {
    expect(readdirSync(FIXTURES).toSorted()).toEqual(BODIES.map(({ file }) => file).toSorted());
  });

  it('says nothing of links in a page too long to be read whole', async () => {
    const long = `# Handbook\n\n${'Words without an end.\n'.repeat(10_000)}\n[Home](index.md)\n`;
    expect(await rules(reply(long))).toEqual([]);
  });

  it('stops parsing what would take for ever', async () => {
    expect(await rules(reply('>'.repeat(80_000)), 300)).toEqual(['parse-limit']);
  });
});

describe('navigation: media types', () => {
  const nav = '- [Home](index.md)\n';

  it.each([
    { name: 'Markdown', body: nav, contentType: 'text/markdown; charset=utf-8', expected: [] },
    { name: 'Markdown', body: nav, contentType: 'text/x-markdown', expected: [] },
    { name: 'Markdown', body: nav, contentType: 'text/plain', expected: [] },
    { name: 'Markdown', body: nav, contentType: null, expected: [] },
    { name: 'Markdown', body: nav, contentType: 'application/octet-stream', expected: ['media-type'] },
    { name: 'Markdown', body: nav, contentType: 'application/json', expected: ['media-type'] },
    { name: 'Markdown', body: nav, contentType: 'text/html', expected: ['media-type'] },
    { name: 'text without links', body: 'x', contentType: 'image/svg+xml', expected: ['media-type', 'no-links'] },
    { name: 'the bundle', body: SHELL, contentType: 'text/markdown', expected: ['spa-fallback'] },
    { name: 'the bundle', body: SHELL, contentType: 'application/octet-stream', expected: ['spa-fallback'] },
    { name: 'the bundle', body: SHELL, contentType: 'text/html', expected: ['spa-fallback'] },
    { name: 'another page', body: `<!-- x -->${SHELL}`, contentType: 'text/markdown', expected: ['html'] },
  ])('$name as $contentType: $expected', async ({ body, contentType, expected }) => {
    expect(await rules(reply(body, { contentType }))).toEqual(expected);
  });
});

describe('navigation: answers', () => {
  const toRoute = { url: 'https://docs.example/navigation.md', status: 302, location: '/#/navigation.md' };

  it.each<{ name: string; answer: Answer; expected: string }>([
    { name: '404', answer: reply('- [Home](index.md)', { status: 404 }), expected: 'not-found' },
    { name: '503', answer: reply('', { status: 503 }), expected: 'server-error' },
    { name: 'a redirect to the route', answer: reply(SHELL, { redirects: [toRoute] }), expected: 'redirected' },
    { name: 'a cut body', answer: noReply('truncated'), expected: 'truncated' },
    { name: 'no descriptors', answer: noReply('out-of-descriptors'), expected: 'out-of-descriptors' },
  ])('$name: $expected', async ({ answer, expected }) => {
    expect(await rules(answer)).toEqual([expected]);
  });
});

describe('navigation: an engine that shows nothing without it', () => {
  it.each([
    ['needs it', true, 'blank'],
    ['does without it', undefined, undefined],
  ] as const)('%s', async (_, vital, visitors) => {
    const gathered = named('navigationFile', reply('', { status: 404 }));
    const [finding] = await navigation.evaluate(vital === undefined ? gathered : { ...gathered, vital }, {
      parseMs: 5000,
    });
    expect(finding?.evidence?.['visitors']).toBe(visitors);
  });
});
