/** Files that came whole, with status 200, and are not what they should be. */
import { BRIDGE_PNG, INDEX_HTML } from '../site/engine.ts';
import { fail, file, TEXTS, warn } from './fault.ts';
import type { Fault } from './fault.ts';

/** Another page than the bundle, as a platform or a portal sends it. */
const LOGIN =
  '<!-- portal -->\n<!DOCTYPE HTML>\n<html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';

const LINK = 'See [the stations](stations/index.md).\n';
const utf16 = (text: string): Uint8Array => Uint8Array.from([0xff, 0xfe, ...Buffer.from(text, 'utf16le')]);
const LFS_POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a2146'.repeat(8)}\nsize 12345\n`;
const CONFLICT = `# Tidewater\n\n<<<<<<< HEAD\n${LINK}=======\nSee [all stations](stations/index.md).\n>>>>>>> spring\n`;

const html: readonly Fault[] = TEXTS.flatMap((id) => [
  file(id, "the bundle's bytes as text/html", { type: 'text/html', body: INDEX_HTML }, fail('spa-fallback')),
  file(id, "the bundle's bytes under the file's own type", { body: INDEX_HTML }, fail('spa-fallback')),
  file(id, 'another HTML page as text/html', { type: 'text/html; charset=utf-8', body: LOGIN }, fail('html')),
  file(id, "another HTML page under the file's own type", { body: LOGIN }, fail('html')),
]);

const nothing: readonly Fault[] = TEXTS.flatMap((id) => [
  file(id, 'empty', { body: '' }, fail('empty')),
  file(id, 'only white space', { body: ' \r\n\t\n\n' }, fail('empty')),
]);

const bytes: readonly Fault[] = TEXTS.flatMap((id) => [
  file(id, 'UTF-16', { body: utf16(`# Tidewater\n\n${LINK}`) }, fail('not-utf8')),
  file(id, 'Latin-1', { body: Buffer.from(`# Marée\n\n${LINK}`, 'latin1') }, fail('not-utf8')),
  file(id, 'NUL bytes', { body: `# Tide\0water\n\n${LINK}` }, fail('binary')),
]);

const pages: readonly Fault[] = (['navigation', 'home'] as const).flatMap((id) => [
  file(id, 'only a comment', { body: '<!--\n  Later.\n-->\n' }, fail('no-content')),
  file(id, 'a merge that was not resolved', { body: CONFLICT }, fail('merge-conflict')),
  file(id, 'text/html in name only', { type: 'text/html', body: `# Tidewater\n\n${LINK}` }, warn('media-type')),
]);

const elsewhere = file(
  'navigation',
  'links to this site under another host name',
  { body: '- [a](https://docs.test/stations/add.md)\n- [b](https://docs.test/#/start/install.md)\n' },
  warn('other-host'),
);

export const bodies: readonly Fault[] = [
  elsewhere,
  ...html,
  ...nothing,
  ...bytes,
  ...pages,
  file('home', 'only front matter', { body: '---\ntitle: Tidewater\n---\n' }, fail('no-content')),
  file(
    'home',
    'only link definitions',
    { body: '[stations]: stations/index.md\n[map]: maps/index.md\n' },
    fail('no-content'),
  ),
  file('home', 'a picture', { body: BRIDGE_PNG, type: 'image/png' }, fail('binary')),
  file(
    'home',
    'a byte that ends in the middle of a letter',
    { body: Buffer.from('# Marée').subarray(0, -2) },
    fail('not-utf8'),
  ),
  file('home', 'a Git LFS pointer', { body: LFS_POINTER }, fail('git-lfs-pointer')),
  file('navigation', 'a Git LFS pointer', { body: LFS_POINTER }, fail('git-lfs-pointer')),
  file('llms-txt', 'a Git LFS pointer', { body: LFS_POINTER }, fail('git-lfs-pointer')),
  file('llms-txt', 'a merge that was not resolved', { body: CONFLICT }, fail('merge-conflict')),
  file('navigation', 'no link', { body: '# Tidewater\n\nNothing yet.\n' }, warn('no-links')),
  file(
    'navigation',
    'links only in a comment and in code',
    { body: `# Tidewater\n\n<!-- ${LINK} -->\n\n\`[x](y.md)\`\n` },
    warn('no-links'),
  ),
  file('navigation', 'a type that engines do not mind', { type: 'application/octet-stream' }, warn('media-type')),
  file('home', 'a merge that was not resolved, under --strict', { body: CONFLICT }, fail('merge-conflict'), {
    exit: 1,
    args: ['--strict', '--retries', '0'],
  }),
  file('bundle', 'empty', { body: '' }, fail('empty')),
  file('bundle', 'plain text', { body: 'It works!\n' }, fail('not-html')),
  file('bundle', 'a folder listing as JSON', { body: '["config.json", "index.md"]' }, fail('not-html')),
  file('bundle', 'NUL bytes', { body: '<!doctype html>\0<title>x</title>' }, fail('binary')),
  file('bundle', 'Latin-1', { body: Buffer.from('<!doctype html><title>Marée</title>', 'latin1') }, fail('not-utf8')),
  file('bundle', 'text/plain', { type: 'text/plain' }, fail('media-type')),
  file('bundle', 'text/html-x', { type: 'text/html-x' }, fail('media-type')),
  file('bundle', 'application/xhtml+xml', { type: 'application/xhtml+xml' }, fail('media-type')),
  file('bundle', 'no media type', { type: null }, fail('media-type')),
  file('llms-txt', 'JSON', { body: '{"pages": ["index.md"]}' }, fail('json')),
  file('llms-txt', 'JSON, and said to be so', { body: '["index.md"]', type: 'application/json' }, fail('json')),
  file('llms-txt', 'no heading', { body: LINK }, warn('no-heading')),
  file('llms-txt', 'no link', { body: '# Tidewater\n\nNothing yet.\n' }, warn('no-links')),
  file('llms-txt', 'neither heading nor link', { body: 'Nothing yet.\n' }, warn('no-heading', 'no-links')),
  file('llms-txt', 'a type that is no text', { type: 'application/octet-stream' }, warn('media-type')),
];
