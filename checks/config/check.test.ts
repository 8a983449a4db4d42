import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { noReply, reply, SHELL, shell } from '../../test/answers.ts';
import { config } from './check.ts';
import { engineOf } from '../../src/engines/index.ts';

const FIXTURES = new URL('fixtures/', import.meta.url);
const fixture = (name: string): Buffer => readFileSync(new URL(name, FIXTURES));

async function evaluated(answer: Answer, bundle: Answer = shell()): Promise<readonly RawFinding[]> {
  return config.evaluate({ answer, bundle, engine: engineOf('', null) }, { parseMs: 5000 });
}

async function rules(answer: Answer, bundle?: Answer): Promise<string[]> {
  return (await evaluated(answer, bundle)).map(({ rule }) => rule);
}

const json = (body: string | Uint8Array): Answer => reply(body, { contentType: 'application/json' });

const HEALTHY = [
  'empty-object.json',
  'vertiwiki.json',
  'mdwiki.json',
  'docsify.json',
  'locales.json',
  'index-off.json',
  'empty-settings.json',
  'crlf.json',
  'old-mac-line-ends.json',
  'minified.json',
  'white-space-around.json',
  'cjk.json',
  'right-to-left.json',
  'looks-like-comments.json',
  'same-key-in-two-objects.json',
];

const LOCATED: readonly { file: string; code: string; line: number; column: number }[] = [
  { file: 'trailing-comma.json', code: 'trailing-comma', line: 3, column: 21 },
  { file: 'trailing-comma-crlf.json', code: 'trailing-comma', line: 3, column: 21 },
  { file: 'trailing-comma-old-mac.json', code: 'trailing-comma', line: 2, column: 25 },
  { file: 'trailing-comma-in-list.json', code: 'trailing-comma', line: 4, column: 21 },
  { file: 'trailing-comma-minified.json', code: 'trailing-comma', line: 1, column: 34 },
  { file: 'trailing-comma-after-cjk.json', code: 'trailing-comma', line: 1, column: 19 },
  { file: 'trailing-comma-after-emoji.json', code: 'trailing-comma', line: 1, column: 18 },
  { file: 'trailing-comma-after-tab.json', code: 'trailing-comma', line: 2, column: 14 },
  { file: 'trailing-comma-after-byte-order-mark.json', code: 'trailing-comma', line: 1, column: 15 },
  { file: 'unclosed-quote.json', code: 'unclosed-string', line: 2, column: 15 },
  { file: 'unclosed-quote-in-list.json', code: 'unclosed-string', line: 2, column: 20 },
  { file: 'unclosed-quote-on-last-line.json', code: 'unclosed-string', line: 3, column: 12 },
  { file: 'unclosed-quote-of-key.json', code: 'unclosed-string', line: 2, column: 3 },
  { file: 'raw-line-end-in-string.json', code: 'unclosed-string', line: 2, column: 13 },
  { file: 'line-comment.json', code: 'comment', line: 2, column: 3 },
  { file: 'block-comment.json', code: 'comment', line: 2, column: 26 },
  { file: 'hash-comment.json', code: 'comment', line: 1, column: 1 },
  { file: 'comment-after-end.json', code: 'comment', line: 2, column: 1 },
  { file: 'single-quotes.json', code: 'single-quotes', line: 2, column: 3 },
  { file: 'single-quoted-value.json', code: 'single-quotes', line: 2, column: 15 },
  { file: 'unquoted-key.json', code: 'unquoted-key', line: 2, column: 3 },
  { file: 'missing-comma.json', code: 'missing-comma', line: 2, column: 25 },
  { file: 'missing-comma-in-list.json', code: 'missing-comma', line: 1, column: 18 },
  { file: 'nan.json', code: 'not-a-number', line: 1, column: 12 },
  { file: 'minus-infinity.json', code: 'not-a-number', line: 1, column: 12 },
  { file: 'undefined.json', code: 'not-a-number', line: 1, column: 15 },
  { file: 'incomplete.json', code: 'incomplete', line: 4, column: 20 },
  { file: 'incomplete-in-string.json', code: 'incomplete', line: 2, column: 23 },
  { file: 'incomplete-after-brace.json', code: 'incomplete', line: 1, column: 1 },
  { file: 'text-after-end.json', code: 'text-after-end', line: 2, column: 1 },
  { file: 'two-objects.json', code: 'text-after-end', line: 2, column: 1 },
  { file: 'brace-too-much.json', code: 'text-after-end', line: 1, column: 23 },
  { file: 'smart-quotes.json', code: 'syntax', line: 1, column: 3 },
  { file: 'yaml.json', code: 'syntax', line: 1, column: 1 },
  { file: 'javascript.json', code: 'syntax', line: 1, column: 1 },
  { file: 'merge-conflict.json', code: 'merge-conflict', line: 2, column: 1 },
  { file: 'git-lfs-pointer.json', code: 'git-lfs-pointer', line: 1, column: 1 },
  { file: 'bad-escape.json', code: 'syntax', line: 1, column: 16 },
  { file: 'leading-zero.json', code: 'syntax', line: 1, column: 14 },
  { file: 'duplicate-key.json', code: 'duplicate-key', line: 4, column: 3 },
  { file: 'duplicate-key-nested.json', code: 'duplicate-key', line: 1, column: 22 },
  { file: 'number-too-large.json', code: 'number-range', line: 1, column: 12 },
  { file: 'number-loses-digits.json', code: 'number-range', line: 1, column: 9 },
  { file: 'proto-key.json', code: 'proto-key', line: 1, column: 3 },
  { file: 'deep-nesting.json', code: 'deep-nesting', line: 1, column: 506 },
];

const UNLOCATED: readonly { file: string; expected: readonly string[] }[] = [
  { file: 'list.json', expected: ['not-object'] },
  { file: 'null.json', expected: ['not-object'] },
  { file: 'string.json', expected: ['not-object'] },
  { file: 'number.json', expected: ['not-object'] },
  { file: 'settings-of-wrong-types.json', expected: ['setting-type', 'setting-type', 'setting-type'] },
  { file: 'home-page-null.json', expected: ['setting-type'] },
  { file: 'several-oddities.json', expected: ['setting-type', 'duplicate-key', 'number-range'] },
  { file: 'byte-order-mark.json', expected: ['byte-order-mark'] },
  { file: 'not-found-page.html', expected: ['html'] },
  { file: 'comment-first.html', expected: ['html'] },
  { file: 'spa-fallback.html', expected: ['spa-fallback'] },
  { file: 'latin-1.json', expected: ['not-utf8'] },
  { file: 'utf-16.json', expected: ['not-utf8'] },
  { file: 'nul-bytes.json', expected: ['binary'] },
  { file: 'white-space.json', expected: ['empty'] },
  { file: 'empty.json', expected: ['empty'] },
];

describe('config: bodies', () => {
  it.each(HEALTHY)('%s is healthy', async (file) => {
    expect(await evaluated(json(fixture(file)))).toEqual([]);
  });

  it.each(LOCATED)('$file: $code at $line:$column', async ({ file, code: rule, line, column }) => {
    expect(await evaluated(json(fixture(file)))).toMatchObject([
      { rule, location: { path: 'config.json', line, column }, excerpt: { firstLine: Math.max(1, line - 1) } },
    ]);
  });

  it.each(UNLOCATED)('$file: $expected', async ({ file, expected }) => {
    expect(await rules(json(fixture(file)))).toEqual(expected);
  });

  it('evaluates every fixture', () => {
    const files = [...HEALTHY, ...[...LOCATED, ...UNLOCATED].map(({ file }) => file), 'fragment.html'];
    expect(readdirSync(FIXTURES).toSorted()).toEqual(files.toSorted());
  });

  it.each([
    { name: 'lists', body: `${'['.repeat(100_000)}${']'.repeat(100_000)}`, expected: ['not-object', 'deep-nesting'] },
    { name: 'objects', body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, expected: ['deep-nesting'] },
    { name: 'lists that never end', body: '['.repeat(100_000), expected: ['incomplete'] },
  ])('survives $name nested 100,000 deep', async ({ body, expected }) => {
    expect(await rules(json(body))).toEqual(expected);
  });

  it('bounds what a hostile body makes it say', async () => {
    const repeated = `{${'"a":1e999,'.repeat(20_000)}"a":1}`;
    expect((await evaluated(json(repeated))).length).toBeLessThan(50);
    const oneLine = `{"a":"${'x'.repeat(1_000_000)}",}`;
    const [finding] = await evaluated(json(oneLine));
    expect(finding).toMatchObject({ rule: 'trailing-comma', location: { line: 1, column: 1_000_008 } });
    expect(JSON.stringify(finding).length).toBeLessThan(1000);
  });
});

describe('config: a long file', () => {
  const ADDED = '"x": 1, '.repeat(10_000);

  it.each([
    ['valid', `{${ADDED}"a": 2}`],
    ['invalid', `{${ADDED}}`],
  ])('is read in a worker: %s', async (_, text) => {
    const bundle = shell();
    const reading = async (limit: 'time' | 'memory' | 'ended') => {
      const limits = { parseMs: 5000, read: () => Promise.resolve({ ok: false, limit } as const) };
      return (await config.evaluate({ answer: json(text), bundle, engine: engineOf('', null) }, limits))[0];
    };
    expect(await reading('time')).toMatchObject({ rule: 'parse-limit', evidence: { limit: 'time', limitMs: 5000 } });
    expect(await reading('memory')).toMatchObject({ rule: 'parse-limit', evidence: { limit: 'memory' } });
    expect(await reading('ended')).toMatchObject({ rule: 'interrupted' });
    expect(await rules(json(text))).toContain(text.endsWith(', }') ? 'trailing-comma' : 'duplicate-key');
  });
});

describe('config: evidence', () => {
  it.each([
    ['VertiWiki v0.9.0', 'trailing-comma.json', 'defaults'],
    ['VertiWiki v0.3.0', 'trailing-comma.json', 'either'],
    ['VertiWiki', 'trailing-comma.json', 'either'],
    ['MDwiki', 'trailing-comma.json', 'defaults'],
    ['another engine', 'trailing-comma.json', 'either'],
    ['VertiWiki v0.9.0', 'duplicate-key.json', undefined],
  ])('reports what visitors of %s see with %s', async (name, file, visitors) => {
    const engine = engineOf(name, name === 'MDwiki' ? 'mdwiki' : null);
    const bundle = shell();
    const [finding] = await config.evaluate({ answer: json(fixture(file)), bundle, engine }, { parseMs: 5000 });
    expect(finding?.evidence?.['visitors']).toBe(visitors);
  });

  it('frames the fault', async () => {
    expect(await evaluated(json(fixture('trailing-comma.json')))).toEqual([
      {
        rule: 'trailing-comma',
        evidence: { offset: 48, visitors: 'either' },
        location: { path: 'config.json', line: 3, column: 21 },
        excerpt: { firstLine: 2, lines: ['  "homePage": "index.md",', '  "title": "Harbour",', '}'], caretColumn: 21 },
      },
    ]);
  });

  it.each([
    { file: 'settings-of-wrong-types.json', at: 0, evidence: { setting: 'homePage', type: 'number' } },
    { file: 'settings-of-wrong-types.json', at: 1, evidence: { setting: 'navigationFile', type: 'array' } },
    { file: 'settings-of-wrong-types.json', at: 2, evidence: { setting: 'llmsTxtUrl', type: 'boolean' } },
    { file: 'home-page-null.json', at: 0, evidence: { setting: 'homePage', type: 'null' } },
    { file: 'list.json', at: 0, evidence: { type: 'array' } },
    { file: 'null.json', at: 0, evidence: { type: 'null' } },
    { file: 'duplicate-key.json', at: 0, evidence: { key: 'homePage' } },
    { file: 'number-too-large.json', at: 0, evidence: { literal: '1e999' } },
    { file: 'deep-nesting.json', at: 0, evidence: { depth: 601 } },
    { file: 'latin-1.json', at: 0, evidence: { offset: 17 } },
    { file: 'nul-bytes.json', at: 0, evidence: { offset: 16 } },
  ])('$file, finding $at: $evidence', async ({ file, at, evidence }) => {
    expect((await evaluated(json(fixture(file))))[at]).toMatchObject({ evidence });
  });
});

describe('config: media types', () => {
  it.each([
    { contentType: 'application/json; charset=utf-8', expected: [] },
    { contentType: 'Application/JSON', expected: [] },
    { contentType: 'text/json', expected: [] },
    { contentType: 'application/manifest+json', expected: [] },
    { contentType: 'application/octet-stream', expected: ['media-type'] },
    { contentType: 'text/plain', expected: ['media-type'] },
    { contentType: 'text/html', expected: ['media-type'] },
    { contentType: 'application/javascript', expected: ['media-type'] },
    { contentType: 'application/json5', expected: ['media-type'] },
  ])('valid JSON as $contentType: $expected', async ({ contentType, expected }) => {
    expect(await rules(reply('{}', { contentType }))).toEqual(expected);
  });

  it('names the byte order mark first, then the type', async () => {
    const answer = reply(fixture('byte-order-mark.json'), { contentType: 'text/plain' });
    expect(await rules(answer)).toEqual(['byte-order-mark', 'media-type']);
  });

  it('says only what is wrong with the syntax of a broken file', async () => {
    expect(await rules(reply(fixture('trailing-comma.json'), { contentType: 'text/plain' }))).toEqual([
      'trailing-comma',
    ]);
  });

  it('takes markup as text/html for a page, whatever it begins with', async () => {
    expect(await rules(reply(fixture('fragment.html'), { contentType: 'text/html' }))).toEqual(['html']);
  });
});

describe('config: answers', () => {
  const toLogin = { url: 'https://docs.example/config.json', status: 302, location: '/login' };

  it.each<{ name: string; answer: Answer; expected: string }>([
    { name: '404', answer: reply(SHELL, { status: 404, contentType: 'text/html' }), expected: 'not-found' },
    { name: '401', answer: reply('{}', { status: 401 }), expected: 'forbidden' },
    { name: '429', answer: reply('{}', { status: 429 }), expected: 'rate-limited' },
    { name: '204', answer: reply('', { status: 204 }), expected: 'status' },
    { name: 'a login', answer: reply(SHELL, { redirects: [toLogin] }), expected: 'redirected' },
    { name: 'a reset', answer: noReply('reset'), expected: 'reset' },
  ])('$name: $expected', async ({ answer, expected }) => {
    expect(await rules(answer)).toEqual([expected]);
  });

  it.each(['application/json', 'text/html', 'application/octet-stream', null])(
    'knows the bundle under the media type %s',
    async (contentType) => {
      expect(await rules(reply(SHELL, { contentType }))).toEqual(['spa-fallback']);
    },
  );

  it('does not need the bundle', async () => {
    expect(await rules(json('{}'), noReply('refused'))).toEqual([]);
    expect(await rules(json(SHELL), noReply('refused'))).toEqual(['html']);
  });
});
