import { describe, expect, it } from 'vitest';
import { resolveLink, type Link, type LinkReading, misspelledScheme, beyondBase } from './link.ts';

const ROOT = new URL('https://docs.example/');
const DOCS = new URL('https://docs.example/docs/');

interface Reading extends LinkReading {
  readonly home?: string;
  readonly image?: boolean;
}

function resolved(url: string, path: string, base: URL, { home, image = false, ...reading }: Reading = {}): Link {
  const place = { path, base, ...(home !== undefined && { home }) };
  return resolveLink({ url, kind: image ? 'image' : 'link' }, place, reading);
}

/** What a row expects: `page a.md#b`, `file a.png`, `external https://…`, `elsewhere https://…`, `ignored`, `backslash`. */
function reported(written: string, from: string, base: URL, reading?: Reading): string {
  const link = resolved(written, from, base, reading);
  if (link.kind === 'ignored') return 'ignored';
  if (link.kind === 'mistake') return link.rule;
  if (link.kind === 'external') return `${link.elsewhere ? 'elsewhere' : 'external'} ${link.url}`;
  const anchor = link.kind === 'page' && link.anchor !== null ? `#${link.anchor}` : '';
  return `${link.kind} ${link.path}${anchor}`;
}

type Row = readonly [written: string, from: string, expected: string];

const RELATIVE: readonly Row[] = [
  ['guide.md', 'index.md', 'page guide.md'],
  ['./guide.md', 'index.md', 'page guide.md'],
  ['guide.md', 'tides/index.md', 'page tides/guide.md'],
  ['../guide.md', 'tides/index.md', 'page guide.md'],
  ['../../guide.md', 'a/b/c.md', 'page guide.md'],
  ['../b/./c.md', 'a/x.md', 'page b/c.md'],
  ['a/../b.md', 'x.md', 'page b.md'],
  ['guide.md#part', 'index.md', 'page guide.md#part'],
  ['guide.md#', 'index.md', 'page guide.md#'],
  ['guide.md?v=2', 'index.md', 'page guide.md'],
  ['guide.md?v=2#part', 'index.md', 'page guide.md#part'],
  ['guide.md?id=part', 'index.md', 'page guide.md#part'],
  ['guide.md#:~:text=tide', 'index.md', 'page guide.md'],
  ['guide.md#part:~:text=tide', 'index.md', 'page guide.md#part'],
  ['guide.markdown', 'index.md', 'page guide.markdown'],
  ['guide.MD', 'index.md', 'page guide.MD'],
  ['Guide.md', 'index.md', 'page Guide.md'],
  ['guide', 'index.md', 'file guide'],
  ['guide.html', 'index.md', 'file guide.html'],
  ['notes-1.2', 'index.md', 'file notes-1.2'],
  ['notes-1.2.md', 'index.md', 'page notes-1.2.md'],
  ['LICENSE', 'index.md', 'file LICENSE'],
  ['tables.pdf', 'tides/index.md', 'file tides/tables.pdf'],
  ['tables.pdf#page=3', 'index.md', 'file tables.pdf'],
  ['config.json', 'index.md', 'file config.json'],
  ['guide/', 'index.md', 'page guide/index.md'],
  ['guide/#part', 'index.md', 'page guide/index.md#part'],
  ['guide/?id=part', 'index.md', 'page guide/index.md#part'],
  ['./', 'guide/a.md', 'page guide/index.md'],
  ['.', 'guide/a.md', 'page guide/index.md'],
  ['..', 'guide/deep/a.md', 'page guide/index.md'],
  ['../', 'guide/deep/a.md', 'page guide/index.md'],
  ['../', 'guide/a.md', 'page index.md'],
  ['./', 'index.md', 'page index.md'],
  ['index.html', 'index.md', 'page index.md'],
  ['../index.html', 'guide/a.md', 'page index.md'],
  ['index.html', 'guide/a.md', 'file guide/index.html'],
  ['a//b.md', 'index.md', 'page a//b.md'],
  ['#part', 'guide/a.md', 'page guide/a.md#part'],
  ['#', 'guide/a.md', 'page guide/a.md#'],
  ['#a.b', 'guide/a.md', 'page guide/a.md#a.b'],
  ['?id=part', 'guide/a.md', 'page guide/a.md#part'],
  ['?x=1', 'guide/a.md', 'ignored'],
  ['  guide.md ', 'index.md', 'page guide.md'],
  ['gui\nde.md', 'index.md', 'page guide.md'],
];

const ROUTES: readonly Row[] = [
  ['#/guide.md', 'index.md', 'page guide.md'],
  ['#!guide.md', 'index.md', 'page guide.md'],
  ['#guide.md', 'index.md', 'page guide.md'],
  ['#!/guide.md', 'index.md', 'page guide.md'],
  ['#//guide.md', 'index.md', 'page guide.md'],
  ['#/tides/guide.md', 'ro/navigation.md', 'page tides/guide.md'],
  ['#tides/guide.md', 'ro/navigation.md', 'page tides/guide.md'],
  ['#/guide.md#part', 'index.md', 'page guide.md#part'],
  ['#!guide.md#part', 'index.md', 'page guide.md#part'],
  ['#guide.md#part', 'index.md', 'page guide.md#part'],
  ['#/guide.md?id=part', 'index.md', 'page guide.md#part'],
  ['#/guide/', 'index.md', 'page guide/index.md'],
  ['#!guide/', 'index.md', 'page guide/index.md'],
  ['#guide/', 'index.md', 'page guide/index.md'],
  ['#/', 'guide/a.md', 'page index.md'],
  ['#!', 'guide/a.md', 'page index.md'],
  ['#/guide', 'index.md', 'page guide'],
  ['#/a/../guide.md', 'index.md', 'page guide.md'],
  ['#/./guide.md', 'index.md', 'page guide.md'],
  ['#/../guide.md', 'guide/a.md', 'page guide.md'],
  ['#../guide.md', 'guide/a.md', 'page guide.md'],
  ['#/a%2Fb.md', 'index.md', 'page a/b.md'],
  ['#/first%20steps.md', 'index.md', 'page first steps.md'],
  ['#/primii%20pa%C8%99i.md#pa%C8%99i', 'index.md', 'page primii pași.md#pași'],
  ['#/manual.pdf', 'index.md', 'file manual.pdf'],
  ['index.html#/guide.md', 'index.md', 'page guide.md'],
  ['index.html#!guide.md', 'index.md', 'page guide.md'],
  ['index.html#guide.md', 'index.md', 'page guide.md'],
  ['./index.html#/guide.md', 'tides/a.md', 'page guide.md'],
  ['../index.html#/guide.md', 'tides/a.md', 'page guide.md'],
  ['./#/guide.md', 'tides/a.md', 'page guide.md'],
  ['/#/guide.md', 'tides/a.md', 'page guide.md'],
  ['/index.html#/guide.md', 'tides/a.md', 'page guide.md'],
  ['index.html#part', 'index.md', 'page index.md#part'],
];

const SPELLING: readonly Row[] = [
  ['first%20steps.md', 'index.md', 'page first steps.md'],
  ['first steps.md', 'index.md', 'page first steps.md'],
  ['first+steps.md', 'index.md', 'page first+steps.md'],
  ['pași.md', 'index.md', 'page pași.md'],
  ['pa%C8%99i.md', 'index.md', 'page pași.md'],
  ['pas\u0326i.md', 'index.md', 'page pas\u0326i.md'],
  ['pas%CC%A6i.md', 'index.md', 'page pas\u0326i.md'],
  ['%E6%BD%AE%E6%B1%90.md', 'index.md', 'page 潮汐.md'],
  ['潮汐/', 'index.md', 'page 潮汐/index.md'],
  ['a%2520b.md', 'index.md', 'page a%20b.md'],
  ['100%.md', 'index.md', 'page 100%.md'],
  ['100%25.md', 'index.md', 'page 100%.md'],
  ['caf%E9.md', 'index.md', 'page caf%E9.md'],
  ['c%23.md', 'index.md', 'page c#.md'],
  ['why%3F.md', 'index.md', 'page why?.md'],
  ['a&b.md', 'index.md', 'page a&b.md'],
  ['a%26b.md', 'index.md', 'page a&b.md'],
  ['a@b,c;d=e.md', 'index.md', 'page a@b,c;d=e.md'],
  ['(a).md', 'index.md', 'page (a).md'],
  ["it's.md", 'index.md', "page it's.md"],
  ['a.md#%C3%AEnceput', 'index.md', 'page a.md#început'],
  ['😀.md', 'index.md', 'page 😀.md'],
  ['\ud800.md', 'index.md', 'page \ufffd.md'],
  ['./a:b.md', 'index.md', 'page a:b.md'],
  ['%67uide.md', 'index.md', 'page guide.md'],
];

const MISTAKES: readonly Row[] = [
  ['../guide.md', 'index.md', 'page guide.md'],
  ['../../guide.md', 'a/b.md', 'page guide.md'],
  ['a/../../guide.md', 'index.md', 'page guide.md'],
  ['..', 'index.md', 'page index.md'],
  ['/../guide.md', 'a/b.md', 'page guide.md'],
  ['https:*//other.example/', 'a/b.md', 'misspelled-scheme'],
  ['https:/guide.md', 'a/b.md', 'misspelled-scheme'],
  ['htps://other.example/', 'a/b.md', 'misspelled-scheme'],
  ['%2e%2e/guide.md', 'a/b.md', 'encoded-dot'],
  ['.%2E/guide.md', 'a/b.md', 'encoded-dot'],
  ['%2e/guide.md', 'a/b.md', 'encoded-dot'],
  ['a/%2e%2e/%2e%2e/etc', 'index.md', 'encoded-dot'],
  ['..%2fguide.md', 'a/b.md', 'encoded-dot'],
  ['..%2f..%2fguide.md', 'a/b.md', 'encoded-dot'],
  ['%252e%252e/guide.md', 'a/b.md', 'encoded-dot'],
  ['#/%2e%2e/guide.md', 'index.md', 'encoded-dot'],
  ['a\\b.md', 'index.md', 'backslash'],
  ['..\\b.md', 'index.md', 'backslash'],
  ['a%5Cb.md', 'index.md', 'backslash'],
  ['#/a\\b.md', 'index.md', 'backslash'],
  ['C:\\docs\\a.md', 'index.md', 'backslash'],
  ['https://docs.example/a\\b.md', 'index.md', 'backslash'],
  ['https://docs.example/%2e%2e/a.md', 'index.md', 'encoded-dot'],
];

const ABSOLUTE: readonly Row[] = [
  ['https://docs.example/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/guide.md#part', 'a/b.md', 'page guide.md#part'],
  ['https://docs.example/#/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/#!guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example#/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/index.html#/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example', 'a/b.md', 'page index.md'],
  ['https://docs.example/', 'a/b.md', 'page index.md'],
  ['https://docs.example/guide/', 'a/b.md', 'page guide/index.md'],
  ['https://docs.example/guide', 'a/b.md', 'file guide'],
  ['HTTPS://DOCS.EXAMPLE/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example:443/guide.md', 'a/b.md', 'page guide.md'],
  ['https://me:secret@docs.example/guide.md', 'a/b.md', 'page guide.md'],
  ['//docs.example/guide.md', 'a/b.md', 'page guide.md'],
  ['http://docs.example/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/first%20steps.md', 'a/b.md', 'page first steps.md'],
  ['https://docs.example/logo.png', 'a/b.md', 'file logo.png'],
  ['https://docs.example:8443/guide.md', 'a/b.md', 'external https://docs.example:8443/guide.md'],
  ['https://other.example/guide.md#part', 'a/b.md', 'external https://other.example/guide.md'],
  ['https://other.example/?q=1', 'a/b.md', 'external https://other.example/?q=1'],
  ['https://me:secret@other.example/', 'a/b.md', 'external https://other.example/'],
  ['//other.example/x', 'a/b.md', 'external https://other.example/x'],
  ['http://', 'a/b.md', 'ignored'],
  ['https://exa mple/', 'a/b.md', 'ignored'],
];

const IGNORED: readonly Row[] = [
  ['', 'index.md', 'ignored'],
  ['   ', 'index.md', 'ignored'],
  ['mailto:quay@docs.example', 'index.md', 'ignored'],
  ['javascript:alert(1)', 'index.md', 'ignored'],
  ['JavaScript:void(0)', 'index.md', 'ignored'],
  ['java\nscript:alert(1)', 'index.md', 'ignored'],
  ['tel:+40', 'index.md', 'ignored'],
  ['data:image/png;base64,AA==', 'index.md', 'ignored'],
  ['file:///etc/passwd', 'index.md', 'ignored'],
  ['ftp://docs.example/a.md', 'index.md', 'ignored'],
  ['blob:https://docs.example/1', 'index.md', 'ignored'],
  ['note:1.md', 'index.md', 'ignored'],
  ['x'.repeat(5_000), 'index.md', 'ignored'],
];

const BELOW_DOCS: readonly Row[] = [
  ['guide.md', 'index.md', 'page guide.md'],
  ['/guide.md', 'a/b.md', 'page guide.md'],
  ['/docs/guide.md', 'a/b.md', 'page guide.md'],
  ['/docs/', 'a/b.md', 'page index.md'],
  ['/docs', 'a/b.md', 'page index.md'],
  ['/', 'a/b.md', 'page index.md'],
  ['/./', 'a/b.md', 'page index.md'],
  ['/.//', 'a/b.md', 'page /index.md'],
  ['/docs/#/guide.md', 'a/b.md', 'page guide.md'],
  ['/docs/index.html#/guide.md', 'a/b.md', 'page guide.md'],
  ['#/guide.md', 'a/b.md', 'page guide.md'],
  ['#/docs/guide.md', 'a/b.md', 'page docs/guide.md'],
  ['../guide.md', 'index.md', 'page guide.md'],
  ['https://docs.example/docs/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/docs', 'a/b.md', 'page index.md'],
  ['https://docs.example/docs/#/guide.md', 'a/b.md', 'page guide.md'],
  ['https://docs.example/docs/../blog/', 'a/b.md', 'elsewhere https://docs.example/blog/'],
  ['https://docs.example/blog/', 'a/b.md', 'elsewhere https://docs.example/blog/'],
  ['https://docs.example/', 'a/b.md', 'elsewhere https://docs.example/'],
  ['https://docs.example/docs2/a.md', 'a/b.md', 'elsewhere https://docs.example/docs2/a.md'],
  ['https://docs.example/docs.md', 'a/b.md', 'elsewhere https://docs.example/docs.md'],
];

describe('resolveLink', () => {
  it.each([...RELATIVE, ...ROUTES, ...SPELLING, ...MISTAKES, ...ABSOLUTE, ...IGNORED])(
    '%j in %s: %s',
    (written, from, expected) => {
      expect(reported(written, from, ROOT)).toBe(expected);
    },
  );

  it.each(BELOW_DOCS)('below /docs/: %j in %s: %s', (written, from, expected) => {
    expect(reported(written, from, DOCS)).toBe(expected);
  });

  it.each<Row>([
    ['logo.png', 'guide/a.md', 'file guide/logo.png'],
    ['../logo.png', 'guide/a.md', 'file logo.png'],
    ['/logo.png', 'guide/a.md', 'file logo.png'],
    ['logo.svg#part', 'guide/a.md', 'file guide/logo.svg'],
    ['#part', 'guide/a.md', 'ignored'],
    ['page.md', 'guide/a.md', 'file guide/page.md'],
    ['https://other.example/x.png', 'guide/a.md', 'external https://other.example/x.png'],
    ['../../x.png', 'guide/a.md', 'file x.png'],
  ])('as an image: %j in %s: %s', (written, from, expected) => {
    expect(reported(written, from, ROOT, { image: true })).toBe(expected);
  });

  it.each<Row>([
    ['guide', 'index.md', 'page guide.md'],
    ['#/guide', 'index.md', 'page guide.md'],
    ['#/guide?id=part', 'index.md', 'page guide.md#part'],
    ['/guide', 'a/b.md', 'page guide.md'],
    ['guide.md', 'index.md', 'page guide.md'],
    ['logo.png', 'index.md', 'file logo.png'],
    ['guide/', 'index.md', 'page guide/index.md'],
  ])('where the engine adds the extension: %j in %s: %s', (written, from, expected) => {
    expect(reported(written, from, ROOT, { addsExtension: true })).toBe(expected);
  });

  it.each<Row>([
    ['tables.pdf', 'guide/a.md', 'file tables.pdf'],
    ['./tables.pdf', 'guide/a.md', 'file tables.pdf'],
    ['../tables.pdf', 'guide/a.md', 'file tables.pdf'],
    ['img/tables.pdf#page=3', 'guide/a.md', 'file img/tables.pdf'],
    ['/tables.pdf', 'guide/a.md', 'file tables.pdf'],
    ['b.md', 'guide/a.md', 'page guide/b.md'],
    ['more/', 'guide/a.md', 'page guide/more/index.md'],
    ['#/guide/tables.pdf', 'guide/a.md', 'file guide/tables.pdf'],
    ['https://other.example/x.pdf', 'guide/a.md', 'external https://other.example/x.pdf'],
  ])('where the browser resolves links to files: %j in %s: %s', (written, from, expected) => {
    expect(reported(written, from, ROOT, { filesFrom: 'bundle' })).toBe(expected);
  });

  it('starts pictures in the folder of their page in every engine', () => {
    expect(reported('a.png', 'guide/a.md', ROOT, { filesFrom: 'bundle', image: true })).toBe('file guide/a.png');
  });

  it.each<Row>([
    ['#/', 'a.md', 'page start.md'],
    ['/', 'a.md', 'page start.md'],
    ['index.html', 'a.md', 'page start.md'],
    ['https://docs.example/', 'a.md', 'page start.md'],
    ['guide/', 'a.md', 'page guide/index.md'],
  ])('where the home page is start.md: %j in %s: %s', (written, from, expected) => {
    expect(reported(written, from, ROOT, { home: 'start.md' })).toBe(expected);
  });
});

describe('the URL of a link', () => {
  it.each([
    ['first steps.md', 'https://docs.example/first%20steps.md'],
    ['first%20steps.md', 'https://docs.example/first%20steps.md'],
    ['pași.md', 'https://docs.example/pa%C8%99i.md'],
    ['pa%c8%99i.md', 'https://docs.example/pa%C8%99i.md'],
    ['100%.md', 'https://docs.example/100%25.md'],
    ['caf%e9.md', 'https://docs.example/caf%E9.md'],
    ['a%2520b.md', 'https://docs.example/a%2520b.md'],
    ['why%3F.md', 'https://docs.example/why%3F.md'],
    ['c%23.md#part', 'https://docs.example/c%23.md'],
    ['a+b.md', 'https://docs.example/a+b.md'],
    ['guide/', 'https://docs.example/guide/index.md'],
    ['#/guide.md?x=1#y', 'https://docs.example/guide.md'],
  ])('%j: %s', (written, url) => {
    expect(resolved(written, 'index.md', ROOT)).toMatchObject({ url });
  });
});

describe('what else a link may mean', () => {
  const others = (written: string, base: URL, reading?: Reading): unknown => {
    const link = resolved(written, 'index.md', base, reading);
    return link.kind === 'page' || link.kind === 'file' ? link.others?.map(({ path, url }) => path ?? url) : link.kind;
  };

  it.each([
    ['guide.md', ROOT, {}, undefined],
    ['/guide.md', ROOT, {}, undefined],
    ['/guide.md', DOCS, {}, ['https://docs.example/guide.md']],
    ['../guide.md', ROOT, {}, undefined],
    ['../guide.md', DOCS, {}, ['https://docs.example/guide.md']],
    ['../../../guide.md', DOCS, {}, ['https://docs.example/guide.md']],
    ['/docs/guide.md', DOCS, {}, ['docs/guide.md']],
    ['guide/', ROOT, {}, ['https://docs.example/guide/']],
    ['#/guide/', ROOT, {}, undefined],
    ['#/guide/', ROOT, { home: 'README.md' }, ['guide/README.md']],
    ['#/guide/', ROOT, { addsExtension: true }, ['guide/README.md']],
    ['guide', ROOT, { addsExtension: true }, ['guide']],
    ['/', DOCS, {}, undefined],
  ])('%j below %s with %j: %j', (written, base, reading, expected) => {
    expect(others(written, base, reading)).toEqual(expected);
  });

  it('is a file at the base, where the engine is not known', () => {
    const meant = (written: string): unknown => resolved(written, 'guide/a.md', DOCS, { filesFrom: 'either' });
    const url = (path: string): string => `https://docs.example${path}`;
    expect(meant('a.pdf')).toMatchObject({ path: 'guide/a.pdf', others: [{ path: 'a.pdf', url: url('/docs/a.pdf') }] });
    expect(meant('../a.pdf')).toMatchObject({ path: 'a.pdf' });
    expect(meant('b.md')).not.toHaveProperty('others');
  });

  it('reports a link that leaves https', () => {
    expect(resolved('http://docs.example/a.md', 'index.md', ROOT)).toHaveProperty('insecure', true);
    expect(resolved('https://docs.example/a.md', 'index.md', ROOT)).not.toHaveProperty('insecure');
  });

  it('takes https for the site itself where that was asked for over http', () => {
    expect(reported('https://docs.example/a.md', 'x.md', new URL('http://docs.example/'))).toBe('page a.md');
    expect(reported('https://localhost/a.md', 'x.md', new URL('http://localhost:4173/'))).toMatch(/^external/);
  });
});

describe('misspelledScheme', () => {
  it.each([
    ['https:*//a.example/b', 'https://a.example/b'],
    ['https:/a.example/b', 'https://a.example/b'],
    ['https:a.example', 'https://a.example'],
    ['https//a.example', 'https://a.example'],
    ['http;//a.example', 'http://a.example'],
    ['htps://a.example', 'https://a.example'],
    ['hhtp://a.example', 'http://a.example'],
    ['ttps://a.example', 'https://a.example'],
    ['HTTP:/A.example', 'http://A.example'],
    ['https://https://a.example', 'https://a.example'],
    ['http://https//a.example', 'https://a.example'],
    ['https:/host/a', null],
    ['https:', null],
  ])('%s means %s', (link, address) => {
    expect(misspelledScheme(link)).toBe(address);
  });

  it.each([
    'https://a.example',
    'http://http/a',
    'https://http:8080/a',
    'http/2.md',
    'https',
    'ftp://a.example',
    'sftp://a.example',
    'shttp://a.example',
    'hxxp://a.example',
    'ipp://a.example',
    'mailto:a@b.example',
    'http-basics.md',
  ])('%s is right, or something else', (link) => {
    expect(misspelledScheme(link)).toBeUndefined();
  });
});

describe('beyondBase', () => {
  it.each([
    ['docs/a.md', 'https://docs.example/up/docs/a.md'],
    ['./a.md#b', 'https://docs.example/up/a.md#b'],
    ['../a.md', 'https://docs.example/a.md'],
    ['/docs/a.md', 'https://docs.example/docs/a.md'],
    ['//other.example/a.md', 'https://other.example/a.md'],
    ['?page=a', 'https://docs.example/up/llms.txt?page=a'],
    ['https://other.example/a.md', 'https://other.example/a.md'],
    ['mailto:a@b.c', 'mailto:a@b.c'],
    ['#/a.md', '#/a.md'],
    ['//[', '//['],
  ])('%s: %s', (written, is) => {
    expect(beyondBase(written, new URL('https://docs.example/up/llms.txt'))).toBe(is);
  });
});
