import type { Asked } from './ask.ts';
import { MODIFIED } from './site.ts';

/** A request as a row; the target is relative to the site's base unless it begins with a slash. */
export interface Row extends Asked {
  readonly name: string;
  /** A header that repeats the file's own tag, in this form. */
  readonly tag?: { readonly header: string; readonly as: (tag: string) => string };
}

const row = (name: string, target: string, headers: Row['headers'] = {}, method = 'GET'): Row => ({
  name,
  target,
  headers,
  method,
});

const MARKDOWN = { accept: 'text/markdown' };
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' };
const GZIP = { 'accept-encoding': 'gzip, deflate, br' };

const FILES: readonly Row[] = [
  row('the bundle', 'index.html'),
  row('the site', ''),
  row('the configuration', 'config.json'),
  row('a page', 'index.md'),
  row('an empty page', 'empty.md'),
  row('a page in a folder', 'guide/Setup.md'),
  row('a page in another case', 'guide/setup.md'),
  row('the bundle in another case', 'INDEX.html'),
  row('the agent index', 'llms.txt'),
  row('a script', 'app.js'),
  row('a style sheet', 'style.css'),
  row('data', 'files/data.json'),
  row('a picture whose extension is upper case', 'img/Logo.SVG'),
  row('a picture in another case', 'img/logo.svg'),
  row('a bitmap', 'img/dot.png'),
  row('a font', 'img/font.woff2'),
  row('a file without extension', 'files/plain'),
  row('a file without extension, with a slash', 'files/plain/'),
  row('a missing page', 'missing.md'),
  row('a missing script', 'missing.js'),
  row('missing data', 'missing.json'),
  row('a missing picture', 'img/missing.PNG'),
  row('a missing name without extension', 'missing'),
  row('a missing folder', 'missing/'),
  row('a missing page in a folder', 'guide/missing.md'),
  row('a page below a page', 'index.md/more.md'),
  row('the repository', '.git/config'),
  row('a well-known file', '.well-known/security.txt'),
];

const FOLDERS: readonly Row[] = [
  row('a folder with a page', 'guide/'),
  row('a folder with a page, no slash', 'guide'),
  row('a folder with a page and a bundle', 'v1/'),
  row('a folder with a page and a bundle, no slash', 'v1'),
  row('its bundle', 'v1/index.html'),
  row('a folder with a bundle only', 'only/html/'),
  row('a folder of folders', 'only/'),
  row('a folder of folders, no slash', 'only'),
  row('a folder with a dot', 'v2.0/'),
  row('a folder with a dot, no slash', 'v2.0'),
  row('a folder without page', 'img/'),
  row('a folder without slash, with a query', 'guide?x=1&y=%20'),
  row('a file with a slash', 'index.md/'),
  row('a picture with a slash', 'img/dot.png/'),
];

const WAYS: readonly Row[] = [
  row('a query', 'index.md?v=2'),
  row('a query that looks like a path', 'index.md?/../config.json'),
  row('an encoded space', 'guide/a%20b.md'),
  row('a plus for a space', 'guide/a+b.md'),
  row('encoded diacritics and brackets', 'guide/ghid%20%C8%99%5B1%5D.md'),
  row('encoded diacritics, open brackets', 'guide/ghid%20%C8%99[1].md'),
  row('small hexadecimal digits', 'guide/ghid%20%c8%99%5b1%5d.md'),
  row('an encoded letter', '%69ndex.md'),
  row('an encoded percent sign', 'guide/50%25.md'),
  row('a percent sign twice encoded', 'guide/50%2525.md'),
  row('an encoded slash', 'guide%2FSetup.md'),
  row('two slashes', 'guide//Setup.md'),
  row('a dot segment', 'guide/./Setup.md'),
  row('a way up', 'guide/../index.md'),
  row('an encoded way up', 'guide/%2e%2e/index.md'),
  row('a way up with an encoded slash', 'guide/..%2Findex.md'),
  row('a way up within a name', 'guide/..index.md'),
];

/** Ways out of the deployed files; hosts refuse them with 400 or resolve them to what is not there. */
export const ESCAPES: readonly Row[] = [
  row('above the root', '/../../../../etc/passwd'),
  row('above the root, encoded dots', '/%2e%2e/%2e%2e/%2e%2e/etc/passwd'),
  row('above the root, encoded slashes', '/..%2f..%2f..%2fetc%2fpasswd'),
  row('above the root, backslashes', '/..\\..\\..\\etc\\passwd'),
  row('above the root, encoded backslashes', '/..%5c..%5c..%5cetc%5cpasswd'),
  row('above the root, from a folder', 'guide/../../../../../etc/passwd'),
  row('above the root, twice encoded', '/%252e%252e/%252e%252e/etc/passwd'),
  row('a file by its own path', '//etc/passwd'),
  row('NUL', 'index.md%00.html'),
  row('NUL at the end', 'index.md%00'),
];

const ACCEPT: readonly Row[] = [
  row('a page path, Markdown', 'guide/', MARKDOWN),
  row('a page path without slash, Markdown', 'guide', MARKDOWN),
  row('a page path with a query, Markdown', 'guide/?x=1', MARKDOWN),
  row('the site, Markdown', '', MARKDOWN),
  row('a folder with a bundle, Markdown', 'v1/', MARKDOWN),
  row('a folder with a bundle only, Markdown', 'only/html/', MARKDOWN),
  row('a folder with a dot, Markdown', 'v2.0/', MARKDOWN),
  row('a folder without page, Markdown', 'img/', MARKDOWN),
  row('a missing page path, Markdown', 'missing/', MARKDOWN),
  row('a page, Markdown', 'index.md', MARKDOWN),
  row('the bundle, Markdown', 'index.html', MARKDOWN),
  row('the configuration, Markdown', 'config.json', MARKDOWN),
  row('the agent index, Markdown', 'llms.txt', MARKDOWN),
  row('a page path, Markdown among others', 'guide/', { accept: 'text/html;q=0.5, text/markdown, */*;q=0.1' }),
  row('a page path, Markdown with a parameter', 'guide/', { accept: 'text/markdown;charset=utf-8' }),
  row('a page path, a browser', 'guide/', BROWSER),
  row('the site, a browser', '', BROWSER),
  row('a page path, anything', 'guide/', { accept: '*/*' }),
  row('a page path, any text', 'guide/', { accept: 'text/*' }),
  row('a page path, no Markdown at all', 'guide/', { accept: 'text/html, text/markdown;q=0' }),
  row('a page path, rather HTML', 'guide/', { accept: 'text/markdown;q=0.5, text/html' }),
  row('a page path, rather anything', 'guide/', { accept: '*/*, text/markdown;q=0.3' }),
  row('a page path, both alike', 'guide/', { accept: 'text/markdown, text/html' }),
  row('a page path, HEAD', 'guide/', MARKDOWN, 'HEAD'),
  row('a page path of a browser, HEAD', 'guide/', BROWSER, 'HEAD'),
  row('a page path, empty Accept', 'guide/', { accept: '' }),
];

const METHODS: readonly Row[] = [
  row('HEAD of a page', 'index.md', {}, 'HEAD'),
  row('HEAD of the bundle', 'index.html', {}, 'HEAD'),
  row('HEAD of a script that could be compressed', 'app.js', GZIP, 'HEAD'),
  row('HEAD of a missing page', 'missing.md', {}, 'HEAD'),
  row('POST', 'index.md', {}, 'POST'),
  row('PUT', 'index.md', {}, 'PUT'),
  row('DELETE of a missing page', 'missing.json', {}, 'DELETE'),
  row('OPTIONS', 'index.html', {}, 'OPTIONS'),
];

const COMPRESSION: readonly Row[] = [
  row('a script, gzip', 'app.js', GZIP),
  row('a page, gzip', 'guide/index.md', GZIP),
  row('the bundle, gzip', 'index.html', GZIP),
  row('data, gzip', 'files/data.json', GZIP),
  row('a vector picture, gzip', 'img/Logo.SVG', GZIP),
  row('a bitmap, gzip', 'img/dot.png', GZIP),
  row('a short text, gzip', 'tiny.txt', GZIP),
  row('a file without extension, gzip', 'files/plain', GZIP),
  row('a missing picture, gzip', 'img/missing.png', GZIP),
  row('a script, no gzip', 'app.js', { 'accept-encoding': 'gzip;q=0, identity' }),
];

const CONDITIONS: readonly Row[] = [
  { ...row('its tag', 'index.md'), tag: { header: 'if-none-match', as: (tag) => tag } },
  { ...row('its weak tag', 'index.md'), tag: { header: 'if-none-match', as: (tag) => `W/${tag}` } },
  { ...row('its tag in a list', 'index.md'), tag: { header: 'if-none-match', as: (tag) => `"other", ${tag}` } },
  { ...row('any tag', 'index.md'), tag: { header: 'if-none-match', as: () => '*' } },
  { ...row('its tag, HEAD', 'index.html', {}, 'HEAD'), tag: { header: 'if-none-match', as: (tag) => tag } },
  { ...row('its tag, data', 'files/data.json'), tag: { header: 'if-none-match', as: (tag) => tag } },
  { ...row('its tag, gzip', 'app.js', GZIP), tag: { header: 'if-none-match', as: (tag) => tag } },
  row('another tag', 'index.md', { 'if-none-match': '"other"' }),
];

/** What only a plain web server promises. */
export const SERVER_ROWS: readonly Row[] = [
  row('unchanged since', 'index.md', { 'if-modified-since': MODIFIED.toUTCString() }),
  row('unchanged since a later time', 'index.md', { 'if-modified-since': new Date(2e12).toUTCString() }),
  row('changed since', 'index.md', { 'if-modified-since': new Date(1e12).toUTCString() }),
  row('another tag, unchanged since', 'index.md', {
    'if-none-match': '"other"',
    'if-modified-since': MODIFIED.toUTCString(),
  }),
  row('only if unchanged', 'index.md', { 'if-unmodified-since': new Date(1e12).toUTCString() }),
  row('only if it is another', 'index.md', { 'if-match': '"other"' }),
  row('the first bytes', 'index.md', { range: 'bytes=0-2' }),
  row('the last bytes', 'index.md', { range: 'bytes=-3' }),
  row('from a byte on', 'index.md', { range: 'bytes=2-' }),
  row('bytes beyond the end', 'index.md', { range: 'bytes=100-' }),
  row('no range', 'index.md', { range: 'lines=1-2' }),
  row('bytes of a script, gzip', 'app.js', { ...GZIP, range: 'bytes=0-9' }),
  row('bytes of what it once was', 'index.md', { range: 'bytes=0-2', 'if-range': '"other"' }),
  row('the first bytes, HEAD', 'index.md', { range: 'bytes=0-2' }, 'HEAD'),
  row('the folder above the site', '/'),
  row('encoding that is none', 'index%zz.md'),
];

export const ROWS: readonly Row[] = [
  ...FILES,
  ...FOLDERS,
  ...WAYS,
  ...ACCEPT,
  ...METHODS,
  ...COMPRESSION,
  ...CONDITIONS,
];
