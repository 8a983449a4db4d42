/** What hosts say for files that are not there. */
import type { Deployment, HostReply, HostRequest } from '../deployment.ts';
import { random } from '../random.ts';
import { change, fault, NOT_SERVER, type Fault, type FaultOptions } from './fault.ts';

const SMALL: FaultOptions = { kinds: NOT_SERVER, site: { languages: ['en'], pages: 8, depth: 2 } };

type Instead = (request: HostRequest, reply: HostReply, deployment: Deployment) => Partial<HostReply>;

/** Names of neither files nor folders: those that only a checker asks for. */
const isProbe = ({ path }: HostRequest, { files }: Deployment): boolean =>
  !path.endsWith('/') &&
  ![...files.keys()].some((file) => `/${file}`.startsWith(`${path}/`) || path.endsWith(`/${file}`));

/** Files that are not there are answered like this. */
function instead(name: string, code: string | readonly string[], changed: Instead, options: FaultOptions = {}): Fault {
  return fault(
    name,
    { 'not-found': [code].flat() },
    (deployment) => {
      change(deployment, {
        change: (request, reply, of) => {
          const missing = (reply.status === 404 || reply.status === 308) && isProbe(request, of);
          return missing ? { ...reply, ...changed(request, reply, of) } : reply;
        },
      });
    },
    { ...SMALL, ...options },
  );
}

const body = (text: string): Uint8Array => Buffer.from(text);
const bundleOf = ({ files }: Deployment): Uint8Array => body(String(files.get('index.html')));

/** Another text for each name. */
function made(name: string): string {
  const drawn = random(name);
  return Array.from({ length: 40 }, () => drawn.int(36 ** 6).toString(36)).join(' ');
}

/** The files of a docsify site whose pages have addresses such as `/guide`. */
const HISTORY_SITE: readonly (readonly [string, string])[] = [
  [
    'index.html',
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tidewater</title></head><body><div id="app"></div>
<script>window.$docsify = { routerMode: 'history', loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>
`,
  ],
  ['docsify.min.js', 'document.title = "Tidewater";\n'],
  ['README.md', '# Tidewater\n\nThe lamp is lit half an hour before the sun goes down.\n'],
  ['_sidebar.md', '- [Home](/)\n- [Guide](guide.md)\n'],
  ['guide.md', '# Guide\n\nThe lamp burns until the sun is up.\n'],
  ['llms.txt', '# Tidewater\n\n> How the lamp is kept.\n\n## Pages\n\n- [Guide](guide.md): how it is lit\n'],
];

/** A docsify site with history routing, on a server that returns the bundle for some missing names. */
function history(name: string, code: string, getsBundle: (path: string) => boolean): Fault {
  return fault(
    name,
    { 'not-found': [code] },
    (deployment) => {
      deployment.files.clear();
      for (const [path, content] of HISTORY_SITE) deployment.files.set(path, content);
      change(deployment, {
        change: (request, reply, of) => {
          if (!isProbe(request, of)) return reply;
          const headers = { 'content-type': 'text/html' };
          return getsBundle(request.path)
            ? { status: 200, headers, body: bundleOf(of) }
            : { status: 404, headers, body: body('<!doctype html><title>Lost</title>') };
        },
      });
    },
    { ...SMALL, kinds: ['server'] },
  );
}

let turn = 0;

export const MISSING_FAULTS: readonly Fault[] = [
  instead('the bundle', 'soft-404', (_request, _reply, of) => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: bundleOf(of),
  })),
  instead(
    'the bundle, on an unknown host',
    'spa-fallback',
    (_request, _reply, of) => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: bundleOf(of),
    }),
    { kinds: ['worker'], wants: () => Promise.resolve({ host: null }) },
  ),
  instead(
    'the bundle, for names without extension',
    'soft-404-without-extension',
    ({ path }, reply, of) =>
      path.includes('.') ? reply : { status: 200, headers: { 'content-type': 'text/html' }, body: bundleOf(of) },
    { kinds: ['worker'] },
  ),
  instead('the bundle with a nonce', 'soft-404', (_request, _reply, of) => ({
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: body(String(of.files.get('index.html')).replaceAll('<script', `<script nonce="${(turn += 7919)}"`)),
  })),
  instead('a page of words with status 200', 'soft-404-other', () => ({ status: 200 })),
  instead('a word with status 200', 'soft-404-other', () => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: body('Not found'),
  })),
  instead('a text that is made of the name', 'wildcard', ({ path }) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: body(made(path)),
  })),
  instead('a redirect to the home page', 'soft-404', (_request, _reply, of) => ({
    status: 302,
    headers: { location: of.site.options.base },
    body: body(''),
  })),
  instead('a redirect to a page of its own', 'redirected', (_request, _reply, of) => ({
    status: 302,
    headers: { location: `${of.site.options.base}llms.txt` },
    body: body(''),
  })),
  instead('403', 'missing-forbidden', () => ({ status: 403 })),
  instead('500', 'server-error', () => ({ status: 500 })),
  instead('429', 'rate-limited', () => ({ status: 429 })),
  instead('418', 'status', () => ({ status: 418 })),
  history('the bundle of docsify with history routing', 'soft-404-history', () => true),
  history('no bundle for the pages of docsify with history routing', 'history-fallback-missing', () => false),
];
