import { describe, expect, it } from 'vitest';
import type { GetRequest } from '../../src/core/answer.ts';
import { ownCheck, type OwnRule } from './check.ts';
import type { Expectation, SchemaError } from './definition.ts';
import { BASE, definition, findingsOf, SHELL, siteOf, type Given } from './fixtures/site.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML_TYPE = { 'content-type': 'text/html' };
const MOVED = [{ url: `${BASE}x`, status: 301, location: '/docs/y' }];
const needs = (keyword: string): Expectation['json'] => ({
  schema: (value): readonly SchemaError[] => (value === 1 ? [] : [{ path: '', keyword, params: { wanted: 1 } }]),
});
const endless: Expectation['json'] = {
  schema: () => {
    for (;;);
  },
};
const deep: Expectation['json'] = {
  schema: () => {
    throw new RangeError('Maximum call stack size exceeded');
  },
};

const ROWS: readonly (readonly [name: string, Partial<Expectation>, Given | 'refused', OwnRule[]])[] = [
  ['nothing but the status', {}, {}, []],
  ['an empty body where none is read', {}, { body: '' }, []],
  ['a binary body where none is read', {}, { body: new Uint8Array([0x89, 0, 0xff]) }, []],
  ['no reply', { contains: ['x'], maxDurationMs: 1 }, 'refused', ['refused']],
  // Status
  ['404', { contains: ['x'] }, { status: 404 }, ['not-found']],
  ['403', {}, { status: 403 }, ['forbidden']],
  ['500', {}, { status: 500 }, ['server-error']],
  ['206', {}, { status: 206 }, ['status']],
  ['200 where 404 is right', { status: [404, 410] }, {}, ['status']],
  ['404 where it is right', { status: [404, 410] }, { status: 404, body: SHELL }, []],
  ['a redirect', {}, { redirects: MOVED }, ['redirected']],
  ['a redirect where it is right', { status: [301] }, { redirects: MOVED, body: SHELL }, []],
  ['another redirect than the right one', { status: [308] }, { redirects: MOVED }, ['redirected']],
  // The fallback
  ['the bundle', { contains: ['x'] }, { headers: HTML_TYPE, body: SHELL }, ['spa-fallback']],
  ['the bundle as JSON', { json: { schema: null } }, { headers: JSON_TYPE, body: SHELL }, ['spa-fallback']],
  ['the bundle where 404 is right', { status: [404] }, { headers: HTML_TYPE, body: SHELL }, ['spa-fallback']],
  ['the bundle where HTML is right', { mediaTypes: ['text/html'] }, { headers: HTML_TYPE, body: SHELL }, []],
  // Media type
  [
    'the right media type',
    { mediaTypes: ['text/json', 'application/json'] },
    { headers: { 'content-type': 'Application/JSON;x=y' } },
    [],
  ],
  ['another media type', { mediaTypes: ['text/plain'] }, { headers: JSON_TYPE }, ['media-type']],
  ['no media type', { mediaTypes: ['text/plain'] }, {}, ['media-type']],
  // Headers
  [
    'the right header',
    { headers: [{ name: 'X-Frame-Options', value: 'DENY' }] },
    { headers: { 'x-frame-options': 'DENY' } },
    [],
  ],
  ['another header value', { headers: [{ name: 'X-A', value: 'a' }] }, { headers: { 'x-a': 'A' } }, ['header']],
  ['no header', { headers: [{ name: 'X-A', value: /.*/ }] }, {}, ['header']],
  ['a header that matches', { headers: [{ name: 'X-A', value: /^b/i }] }, { headers: { 'x-a': 'Bc' } }, []],
  [
    'a header that does not match',
    { headers: [{ name: 'X-A', value: /^b$/ }] },
    { headers: { 'x-a': 'bc' } },
    ['header'],
  ],
  [
    'a header pattern that backtracks for ever',
    { headers: [{ name: 'X-A', value: /^(a+)+$/ }] },
    { headers: { 'x-a': `${'a'.repeat(60)}!` } },
    ['parse-limit'],
  ],
  // Duration
  ['quick enough', { maxDurationMs: 121 }, {}, []],
  ['too slow', { maxDurationMs: 120 }, {}, ['too-slow']],
  // Text
  ['all texts', { contains: ['one', 'two'] }, { body: 'two one' }, []],
  ['one text of two', { contains: ['one', 'two'] }, { body: 'ONE two' }, ['contains']],
  ['no text of two', { contains: ['one', 'two'] }, { body: 'three' }, ['contains', 'contains']],
  ['a text that must not be', { notContains: ['TODO', 'FIXME'] }, { body: 'x\nTODO' }, ['not-contains']],
  ['a text in UTF-8', { contains: ['ș😀'] }, { body: '\uFEFFaș😀b' }, []],
  ['an empty body', { notContains: ['x'] }, { body: '' }, ['empty']],
  ['white space', { contains: [' '] }, { body: ' \n ' }, ['empty']],
  ['Latin-1', { contains: ['x'] }, { body: new Uint8Array([0x78, 0xe9, 0x78]) }, ['not-utf8']],
  ['NUL bytes', { contains: ['x'] }, { body: 'x\0' }, ['binary']],
  // JSON
  ['JSON', { json: { schema: null } }, { body: '\uFEFF{"a": [1]}' }, []],
  ['JSON with a trailing comma', { json: { schema: null } }, { body: '{"a": 1,}' }, ['json-syntax']],
  [
    'HTML instead of JSON',
    { json: { schema: null } },
    { headers: HTML_TYPE, body: '<!DOCTYPE html><p>other' },
    ['html'],
  ],
  ['JSON that conforms', { json: needs('const') }, { body: '1' }, []],
  ['JSON that does not conform', { json: needs('const') }, { body: '2' }, ['json-schema']],
  ['a schema that never ends', { json: endless }, { body: '1' }, ['parse-limit']],
  ['a schema that uses up the stack', { json: deep }, { body: '1' }, ['parse-limit']],
  // Markdown
  ['Markdown', { markdown: true }, { body: '# Title' }, []],
  [
    'Markdown as octet-stream',
    { markdown: true },
    { headers: { 'content-type': 'application/octet-stream' }, body: '# Title' },
    [],
  ],
  ['Markdown under a status that is right', { markdown: true, status: [203] }, { status: 203, body: '# Title' }, []],
  ['Markdown without content', { markdown: true }, { body: '<!-- nothing -->' }, ['no-content']],
  ['HTML instead of Markdown', { markdown: true }, { headers: HTML_TYPE, body: '<html><p>other' }, ['html']],
  [
    'Markdown with the marks of a merge',
    { markdown: true },
    { body: '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n' },
    ['merge-conflict'],
  ],
  // Together
  [
    'several expectations that fail',
    {
      mediaTypes: ['text/plain'],
      contains: ['x'],
      json: { schema: null },
      maxDurationMs: 1,
      headers: [{ name: 'X-A', value: 'a' }],
    },
    { headers: JSON_TYPE, body: '{' },
    ['media-type', 'header', 'too-slow', 'json-syntax', 'contains'],
  ],
];

describe('a check of the user\u2019s own, given', () => {
  it.each(ROWS)('%s', async (_, expectation, given, rules) => {
    const findings = await findingsOf(expectation, given);
    expect(findings.map(({ rule }) => rule)).toEqual(rules);
  });

  it.each(['index.html', './', '', 'index.html?v=1'])(
    'the bundle itself as its path (%j): no fallback',
    async (path) => {
      expect(await findingsOf({}, { headers: HTML_TYPE, body: SHELL }, path)).toEqual([]);
    },
  );
});

describe('what a check of the user\u2019s own asks for', () => {
  it.each([
    ['x.json', `${BASE}x.json`],
    ['a/../b.md?v=1', `${BASE}b.md?v=1`],
    ['./a:b.md', `${BASE}a:b.md`],
    ['', BASE],
  ])('%j is %s', async (path, url) => {
    const asked: GetRequest[] = [];
    const check = ownCheck({ ...definition({}, path), accept: 'text/markdown' });
    await check.gather(siteOf({}, asked));
    expect(asked.map((request) => [request.url.href, request.accept])).toEqual([[url, 'text/markdown']]);
    expect(check).toMatchObject({ id: 'mine', target: path });
  });
});

describe('the facts', () => {
  it.each<[string, Partial<Expectation>, Given, object]>([
    [
      'of a syntax error',
      { json: { schema: null } },
      { body: '{\n  "a": 1,\n}' },
      {
        evidence: { syntax: 'trailing-comma' },
        location: { path: 'x.json', line: 2, column: 9 },
        excerpt: { firstLine: 1 },
      },
    ],
    [
      'of a schema',
      { json: needs('const') },
      { body: '2' },
      { evidence: { errors: [{ path: '', keyword: 'const', params: { wanted: 1 } }] } },
    ],
    ['of a missing text', { contains: ['y'.repeat(500)] }, {}, { evidence: { expected: `${'y'.repeat(200)}…` } }],
    [
      'of an unwanted text',
      { notContains: ['TODO'] },
      { body: 'a\r\nb TODO' },
      { evidence: { unwanted: 'TODO' }, location: { path: 'x.json', line: 2, column: 3 } },
    ],
    [
      'of a media type',
      { mediaTypes: ['text/plain'] },
      {},
      { evidence: { mediaType: null, expected: ['text/plain'] } },
    ],
    [
      'of a header',
      { headers: [{ name: 'X-A', value: /b/i }] },
      { headers: { 'x-a': 'c' } },
      { evidence: { header: 'X-A', expected: '/b/i', actual: 'c' } },
    ],
    ['of a duration', { maxDurationMs: 100 }, {}, { evidence: { durationMs: 120, maxDurationMs: 100 } }],
  ])('%s', async (_, expectation, given, facts) => {
    const [finding] = await findingsOf(expectation, given);
    expect(finding).toMatchObject(facts);
  });
});
