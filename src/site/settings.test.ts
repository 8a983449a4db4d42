import { describe, expect, it } from 'vitest';
import { noReply, reply, SHELL } from '../../test/answers.ts';
import { generic } from '../engines/index.ts';
import { readSettings } from '../engines/engine.ts';
import { candidates, readConfiguration, localeFolder, localeFolders } from './settings.ts';
import type { Json } from '../core/answer.ts';

const ORIGIN = 'https://x.example';

function paths(value: string, basePath: string): string[] {
  return candidates(value, new URL(basePath, ORIGIN)).map(({ href }) => href.replace(ORIGIN, ''));
}

describe.each([
  { base: '/', root: '/' },
  { base: '/docs/', root: '/docs/' },
  { base: '/a/b%20c/', root: '/a/b%20c/' },
])('candidates in $base', ({ base, root }) => {
  it.each([
    ['index.md', 'index.md'],
    ['./index.md', 'index.md'],
    ['././index.md', 'index.md'],
    ['  index.md\n', 'index.md'],
    ['Index.MD', 'Index.MD'],
    ['README', 'README'],
    ['start/home.md', 'start/home.md'],
    ['start/../home.md', 'home.md'],
    ['docs/', 'docs/index.md'],
    ['./docs/', 'docs/index.md'],
    ['docs/#top', 'docs/index.md'],
    ['./', 'index.md'],
    ['#index.md', 'index.md'],
    ['#!index.md', 'index.md'],
    ['#index.md#top', 'index.md'],
    ['#!docs/', 'docs/index.md'],
    ['#./index.md', 'index.md'],
    ['index.md#top', 'index.md'],
    ['index.md#!top', 'index.md'],
    ['index.md?v=2', 'index.md?v=2'],
    ['start/first steps.md', 'start/first%20steps.md'],
    ['start/first%20steps.md', 'start/first%20steps.md'],
    ['港/表.md', '%E6%B8%AF/%E8%A1%A8.md'],
    ['%E6%B8%AF.md', '%E6%B8%AF.md'],
    ['a&b+c.md', 'a&b+c.md'],
    ['c%23.md', 'c%23.md'],
    ['docs\\index.md', 'docs/index.md'],
    ['.well-known/llms.txt', '.well-known/llms.txt'],
  ])('%j', (value, path) => {
    expect(paths(value, base)).toEqual([`${root}${path}`]);
  });

  it.each([
    ['/index.md', 'index.md'],
    ['#/index.md', 'index.md'],
    ['#!/index.md', 'index.md'],
    ['#/index.md#top', 'index.md'],
    ['/index.md#top', 'index.md'],
    ['/docs/', 'docs/index.md'],
    ['#/docs/', 'docs/index.md'],
    ['/docs/home.md', 'docs/home.md'],
    ['/', 'index.md'],
    ['#/', 'index.md'],
    ['/ro/ghid nou.md', 'ro/ghid%20nou.md'],
    ['/llms.txt', 'llms.txt'],
  ])('%j: the base first, then the origin', (value, path) => {
    const both = [`${root}${path}`, `/${path}`];
    expect(paths(value, base)).toEqual([...new Set(both)]);
  });

  it.each([
    ['https://x.example/llms.txt', '/llms.txt'],
    ['https://x.example/docs/', '/docs/index.md'],
    ['//x.example/llms.txt', '/llms.txt'],
    ['https://y.example/llms.txt', 'https://y.example/llms.txt'],
    ['HTTP://Y.Example/llms.txt#x', 'http://y.example/llms.txt'],
  ])('%j is an address of its own', (value, url) => {
    expect(paths(value, base)).toEqual([url]);
  });

  it.each(['', '  ', '#'])('%j names no file', (value) => {
    expect(paths(value, base)).toEqual([]);
  });
});

describe('candidates', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/plain,x',
    'file:///srv/x.md',
    'C:\\docs\\x.md',
    'mailto:a@y.example',
    'http://[/',
  ])('never leads away from the web: %j', (value) => {
    for (const { protocol } of candidates(value, new URL(ORIGIN))) expect(protocol).toBe('https:');
  });

  it('reaches the folder above the base', () => {
    expect(paths('../index.md', '/docs/v2/')).toEqual(['/docs/index.md']);
  });

  it('reads a path that names the base itself', () => {
    expect(paths('/docs/index.md', '/docs/')).toEqual(['/docs/docs/index.md', '/docs/index.md']);
  });

  it.each(Object.entries(generic.files))('leads the default of %s to itself', (_setting, file) => {
    expect(paths(file, '/docs/')).toEqual([`/docs/${file}`]);
  });
});

describe('readSettings', () => {
  it.each([
    {
      name: 'all three',
      body: '{"homePage":"a.md","navigationFile":"b.md","llmsTxtUrl":"c.txt"}',
      is: { homePage: 'a.md', navigationFile: 'b.md', llmsTxtUrl: 'c.txt' },
    },
    { name: 'other fields', body: '{"title":"x","homepage":"a.md","locales":[]}', is: {} },
    { name: 'nothing', body: '{}', is: {} },
    { name: 'null turns the index off', body: '{"llmsTxtUrl":null}', is: { llmsTxtUrl: null } },
    { name: 'null says nothing elsewhere', body: '{"homePage":null,"navigationFile":null}', is: {} },
    { name: 'wrong types', body: '{"homePage":1,"navigationFile":["a.md"],"llmsTxtUrl":false}', is: {} },
    { name: 'empty texts', body: '{"homePage":"","navigationFile":"  ","llmsTxtUrl":"\\n"}', is: {} },
    { name: 'the last of two', body: '{"homePage":"a.md","homePage":"b.md"}', is: { homePage: 'b.md' } },
    { name: 'names that objects inherit', body: '{"__proto__":{"homePage":"a.md"}}', is: {} },
    { name: 'a byte order mark', body: '\uFEFF{"homePage":"a.md"}', is: { homePage: 'a.md' } },
    { name: 'CRLF', body: '{\r\n"homePage":"a.md"\r\n}\r\n', is: { homePage: 'a.md' } },
    { name: 'settings of something inside', body: '{"theme":{"homePage":"a.md"}}', is: {} },
    { name: 'a list', body: '[{"homePage":"a.md"}]', is: {} },
    { name: 'null', body: 'null', is: {} },
    { name: 'a text', body: '"homePage"', is: {} },
  ])('$name', ({ body, is }) => {
    expect(readSettings(readConfiguration(reply(body, { contentType: 'application/json' })))).toEqual(is);
  });

  it.each([
    { name: 'a trailing comma', body: '{\n  "homePage": "a.md",\n}', is: { homePage: 'a.md' } },
    { name: 'a trailing comma inside', body: '{"locales":["en",],"homePage":"a.md"}', is: { homePage: 'a.md' } },
    { name: 'a missing comma', body: '{\n  "title": "x"\n  "homePage": "a.md"\n}', is: { homePage: 'a.md' } },
    { name: 'comments', body: '{ // first\n "homePage": "a.md" /* last */ }', is: { homePage: 'a.md' } },
    { name: 'null before a trailing comma', body: '{"llmsTxtUrl": null,}', is: { llmsTxtUrl: null } },
    {
      name: 'an unclosed quote elsewhere',
      body: '{\n  "title": "x,\n  "homePage": "a.md"\n}',
      is: { homePage: 'a.md' },
    },
    { name: 'something after the end', body: '{"homePage":"a.md"}\n}', is: { homePage: 'a.md' } },
    { name: 'a second object', body: '{"homePage":"a.md"}{"homePage":"b.md"}', is: { homePage: 'a.md' } },
    { name: 'an end that is missing', body: '{"homePage":"a.md","locales":[', is: { homePage: 'a.md' } },
    { name: 'an end in a setting', body: '{"navigationFile":"b.md","homePage":"sta', is: { navigationFile: 'b.md' } },
    { name: 'NaN elsewhere', body: '{"depth":NaN,"homePage":"a.md"}', is: { homePage: 'a.md' } },
    { name: 'nothing to read', body: 'not a configuration', is: {} },
    { name: 'lists without end', body: '['.repeat(100_000), is: {} },
    { name: 'objects without end', body: '{"a":'.repeat(100_000), is: {} },
  ])('reads past $name', ({ body, is }) => {
    expect(readSettings(readConfiguration(reply(body, { contentType: 'application/json' })))).toEqual(is);
  });

  it.each([
    { name: 'no reply', answer: noReply('refused') },
    { name: 'another status', answer: reply('{"homePage":"a.md"}', { status: 404 }) },
    { name: 'the SPA fallback', answer: reply(SHELL, { contentType: 'text/html' }) },
    { name: 'an HTML page that holds settings', answer: reply('<html>{"homePage":"a.md"}</html>') },
    { name: 'bytes that are no UTF-8', answer: reply(Buffer.from('{"homePage":"\u00e9.md"}', 'latin1')) },
    { name: 'nothing', answer: reply('') },
  ])('says nothing for $name', ({ answer }) => {
    expect(readSettings(readConfiguration(answer))).toEqual({});
  });
});

describe('localeFolder', () => {
  it.each<readonly [prefix: Json, folder: string | null]>([
    [null, ''],
    ['', ''],
    [' ', ''],
    ['/', ''],
    ['.', ''],
    ['./', ''],
    ['#/', ''],
    ['#!/', ''],
    ['ro', 'ro'],
    [' ro ', 'ro'],
    ['/ro/', 'ro'],
    ['./ro/', 'ro'],
    ['#/ro', 'ro'],
    ['#!/ro/', 'ro'],
    ['/#/ro', 'ro'],
    ['docs/ro', 'docs/ro'],
    ['română', 'română'],
    ['../ro', null],
    ['docs/../ro', null],
    ['docs/./ro', null],
    ['docs//ro', null],
    ['..', null],
    [String.raw`docs\ro`, null],
    ['https://ro.docs.example', null],
    ['?lang=ro', null],
    ['x'.repeat(201), null],
    [7, null],
    [['ro'], null],
  ])('%j: %j', (prefix, folder) => {
    expect(localeFolder(prefix)).toBe(folder);
  });
});

describe('localeFolders', () => {
  it.each<{ name: string; configuration: Readonly<Record<string, Json>>; is: readonly string[] }>([
    { name: 'none', configuration: {}, is: [] },
    { name: 'no list', configuration: { locales: 'fr' }, is: [] },
    { name: 'nonsense', configuration: { locales: [null, 1, 'fr', {}, [], { prefix: 7 }, { prefix: '' }] }, is: [] },
    { name: 'a way up', configuration: { locales: [{ prefix: '../x' }, { prefix: '#/ro' }] }, is: ['ro'] },
    { name: 'the same twice', configuration: { locales: [{ prefix: 'ro' }, { prefix: '/ro/' }] }, is: ['ro'] },
    {
      name: 'several',
      configuration: { locales: [{ prefix: '' }, { prefix: '/fr/' }, { prefix: './ro' }, { prefix: 'a/b' }] },
      is: ['fr', 'ro', 'a/b'],
    },
  ])('$name: $is', ({ configuration, is }) => {
    expect(localeFolders(configuration)).toEqual(is);
  });

  it('is bounded', () => {
    const locales = Array.from({ length: 1000 }, (_, at) => ({ prefix: `p${at}` }));
    expect(localeFolders({ locales })).toHaveLength(100);
  });
});
