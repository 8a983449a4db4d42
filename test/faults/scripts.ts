/** The scripts that the page cannot start without. */
import type { FileReply } from '../site/handlers.ts';
import { all, fail, row, skip, type Fault, type Outcome } from './fault.ts';

const pageWith = (element: string): FileReply => ({
  body: `<!doctype html>\n<html><head><title>Docs</title></head><body><div id="app"></div>${element}</body></html>\n`,
});

const app = (name: string, reply: FileReply, outcome: Outcome): Fault =>
  row(`app.js: ${name}`, { files: { 'app.js': reply } }, { bundle: outcome });

const page = (name: string, element: string, outcome: Outcome, reply: FileReply = {}): Fault =>
  row(`index.html: ${name}`, { files: { 'index.html': pageWith(element), 'app.js': reply } }, { bundle: outcome });

/** What nginx shows where no site is. */
const DEFAULT_PAGE =
  '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to nginx!</title>\n</head>\n<body><h1>Welcome to nginx!</h1></body>\n</html>\n';

/** A page that is not the site: no other check says anything. */
const whole = (name: string, body: string, rule: string): Fault =>
  row(`index.html: ${name}`, { files: { 'index.html': { body } } }, { ...all(skip('no-answer')), bundle: fail(rule) });

export const scripts: readonly Fault[] = [
  app('missing', { status: 404, type: 'text/plain', body: 'Not found\n' }, fail('script-missing')),
  app('the bundle', { type: 'text/html', body: '<!doctype html>\n<title>Docs</title>\n' }, fail('script-missing')),
  app('not compressed', { headers: { 'content-encoding': 'gzip' }, body: 'start()' }, fail('script-failed')),
  app('a module that is text', { type: 'text/plain' }, fail('module-type')),
  app(
    'a Git LFS pointer',
    { body: `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a2146'.repeat(8)}\nsize 12345\n` },
    fail('git-lfs-pointer'),
  ),
  row(
    'index.html: a policy that allows no requests',
    { files: { 'index.html': { headers: { 'content-security-policy': "default-src 'self'; connect-src 'none'" } } } },
    { bundle: fail('policy-blocks-engine') },
  ),
  row(
    'index.html: a policy that allows all that the page needs',
    { files: { 'index.html': { headers: { 'content-security-policy': "default-src 'self'" } } } },
    {},
  ),
  page('a script that is a table', '<script src="app.js"></script>', fail('script-type'), { type: 'text/csv' }),
  page(
    'a script with other bytes than it was signed with',
    '<script src="app.js" integrity="sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="></script>',
    fail('script-integrity'),
  ),
  whole('the page of the server', DEFAULT_PAGE, 'host-page'),
  whole(
    'a page that breaks off',
    '<!doctype html>\n<title>Docs</title>\n<div id="app"></div>\n<script src="app',
    'cut-off',
  ),
  page('a script of a private network', '<script src="http://10.0.0.1/app.js"></script>', fail('local-address')),
  page('a script of a host that does not respond', '<script src="http://127.0.0.1:1/app.js"></script>', {
    status: 'pass',
    codes: ['script-unchecked'],
  }),
];
