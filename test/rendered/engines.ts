/**
 * One small site in four engines: the real docsify, and engines of our own that show visitors what VertiWiki before
 * 0.4.1, VertiWiki 0.5.1 and MDwiki show them. A host serves it that a test can break file by file.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

export const ENGINES = ['docsify', 'old VertiWiki', 'VertiWiki', 'MDwiki'] as const;
export type Engine = (typeof ENGINES)[number];

export interface Reply {
  readonly body?: string | Uint8Array;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** By path without the first slash; `null`: missing. */
export type Files = Readonly<Record<string, string | Uint8Array | Reply | null>>;

export interface BundleParts {
  readonly head?: string;
  readonly body?: string;
  /** Of docsify, as its script has them. */
  readonly settings?: string;
}

const fromDocsify = (file: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`docsify/dist/${file}`));

const SMALL_ENGINES = {
  'old VertiWiki': { name: 'VertiWiki v0.3.2', prefix: '#/', isStrict: true, isMdwiki: false },
  VertiWiki: { name: 'VertiWiki v0.5.1', prefix: '#/', isStrict: false, isMdwiki: false },
  MDwiki: { name: 'MDwiki 0.7.0', prefix: '#!', isStrict: false, isMdwiki: true },
} as const;

/** The script of the small engines. */
export const scriptOf = (engine: keyof typeof SMALL_ENGINES): string =>
  String.raw`
const { prefix, isStrict, isMdwiki } = ${JSON.stringify(SMALL_ENGINES[engine])};
const find = (selector) => document.querySelector(selector);

const load = async (path) => {
  const response = await fetch(path).catch(() => ({ ok: false }));
  if (response.ok) return response.text();
  throw new DOMException('Failed to fetch ' + path, 'NetworkError');
};

const settings = async () => {
  try {
    return JSON.parse(await load('config.json'));
  } catch (error) {
    if (isStrict) throw error;
    console.warn('Using defaults:', error.message);
    return {};
  }
};

/** Markdown in, HTML out; links lead to routes. */
const render = (markdown, folder) => {
  const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const resolved = (to) => new URL(to, 'http://site/' + folder).pathname.slice(1);
  const inline = (text) =>
    escaped(text)
      .replace(/!\[(.*?)\]\((.*?)\)/g, (_, alt, to) => '<img alt="' + alt + '" src="' + (to.includes('//') ? to : resolved(to)) + '">')
      .replace(/\[(.*?)\]\((.*?)\)/g, (_, label, to) => '<a href="' + prefix + resolved(to) + '">' + label + '</a>');
  const block = (text) => {
    const [, hashes, heading] = /^(#+) (.*)/.exec(text) ?? [];
    if (hashes) return '<h' + hashes.length + '>' + inline(heading) + '</h' + hashes.length + '>';
    const lines = text.split('\n');
    if (text.startsWith('- ')) return '<ul>' + lines.map((line) => '<li>' + inline(line.slice(2)) + '</li>').join('') + '</ul>';
    if (!text.startsWith('|')) return '<p>' + inline(text) + '</p>';
    const cells = (line) => line.slice(1, -1).split('|').map((cell) => '<td>' + inline(cell) + '</td>').join('');
    return '<table>' + lines.filter((line) => !line.startsWith('|-')).map((line) => '<tr>' + cells(line) + '</tr>').join('') + '</table>';
  };
  return markdown.trim().split(/\n{2,}/).map(block).join('');
};

const show = async ({ homePage = 'index.md' }) => {
  const path = decodeURIComponent(location.hash.replace(/^#!?\/?/, '')) || homePage;
  const page = await load(path).catch(() => '# 404 Not found\n\nThere is no page ' + path);
  find('main').innerHTML = render(page, path.slice(0, path.lastIndexOf('/') + 1));
};

const start = async () => {
  const site = await settings();
  const menu = await load('navigation.md').catch(() => '');
  // MDwiki takes a page apart that is not the menu it expects.
  if (isMdwiki && menu.startsWith('<')) return document.body.replaceChildren();
  find('nav').innerHTML = render(menu, '');
  addEventListener('hashchange', () => show(site));
  await show(site);
};
start();
`;

const DOCSIFY_SETTINGS = `{ name: 'Docs', loadSidebar: true, alias: { '/.*/_sidebar.md': '/_sidebar.md' } }`;

const STYLE = '<style>body { font-family: sans-serif; margin: 1em } img { max-width: 100% }</style>';

/** axe-core dislikes two things in the theme of docsify 5: the colour of links, and a button in a button. */
const DOCSIFY_STYLE =
  '<link rel="stylesheet" href="docsify.css"><style>:root { --theme-color: #06466f } .sidebar-toggle { display: none !important }</style>';

/** The bundle of an engine. */
export function bundle(
  engine: Engine,
  { head = '', body = '', settings = DOCSIFY_SETTINGS }: BundleParts = {},
): string {
  const isDocsify = engine === 'docsify';
  const style = isDocsify ? DOCSIFY_STYLE : STYLE;
  const generator = isDocsify ? '' : `<meta name="generator" content="${SMALL_ENGINES[engine].name}">`;
  const start = isDocsify
    ? `<div id="app"></div><script>window.$docsify = ${settings}</script><script src="docsify.min.js"></script>`
    : '<nav aria-label="Pages"></nav><main></main><script src="engine.js"></script>';
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${generator}<title>Docs</title><link rel="icon" href="dot.svg">${style}${head}</head>
<body>${body}${start}</body>
</html>`;
}

const PAGES: Files = {
  'guide/setup.md': '# Setup\n\nFirst read [how to use it](/guide/usage.md).\n',
  'guide/usage.md': '# Usage\n\nBegin with the [setup](/guide/setup.md).\n\n## Details\n\nThere are none.\n',
  'llms.txt': '# Docs\n\n- [Setup](guide/setup.md)\n- [Usage](guide/usage.md)\n',
  'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><circle cx="10" cy="10" r="9"/></svg>',
};

export const HOME = '# Welcome\n\nHere is the [setup](guide/setup.md).\n\n![A black dot](dot.svg)\n';

/** The home page and the menu, as the engine names them. */
export const HOME_FILE = {
  docsify: 'README.md',
  'old VertiWiki': 'index.md',
  VertiWiki: 'index.md',
  MDwiki: 'index.md',
};

/** The files of a healthy site. */
export function filesOf(engine: Engine): Files {
  const menu = `- [Home](${HOME_FILE[engine]})\n- [Setup](guide/setup.md)\n- [Usage](guide/usage.md)\n`;
  const common = { ...PAGES, 'index.html': bundle(engine), [HOME_FILE[engine]]: HOME };
  if (engine !== 'docsify')
    return { ...common, 'engine.js': scriptOf(engine), 'config.json': '{ "title": "Docs" }\n', 'navigation.md': menu };
  const docsify = {
    'docsify.min.js': fromDocsify('docsify.min.js'),
    'docsify.css': fromDocsify('themes/core.min.css'),
  };
  return { ...common, ...docsify, '_sidebar.md': menu };
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
};

export interface Host {
  /** Ends with a slash. */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  readonly stop: () => Promise<void>;
}

export interface HostOptions {
  /** Sent with each response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers with the bundle for every missing file. */
  readonly isFallback?: boolean;
  /** Closes the connections of browsers instead of responding. */
  readonly isCutForBrowsers?: boolean;
  /** With HTTPS, as `localhost`. */
  readonly tls?: TlsOptions;
}

function replyTo(path: string, files: Files, isFallback: boolean): Reply {
  const given = Object.hasOwn(files, path) ? files[path] : null;
  if (given === undefined || given === null) {
    if (isFallback) return replyTo('index.html', files, false);
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'Not found' };
  }
  const type = { 'content-type': TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain' };
  if (typeof given === 'string' || given instanceof Uint8Array) return { headers: type, body: given };
  return { ...given, headers: { ...type, ...given.headers } };
}

/** Serves files until the test ends. */
export async function serve(files: Files, options: HostOptions = {}): Promise<Host> {
  const host = await serveFor(files, options);
  onTestFinished(host.stop);
  return host;
}

/** Serves files until it is stopped. */
export async function serveFor(
  files: Files,
  { headers = {}, isFallback = false, isCutForBrowsers = false, tls }: HostOptions = {},
): Promise<Host> {
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const listener: RequestListener = (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://site/').pathname.slice(1)) || 'index.html';
    requests.push({ path, headers: request.headers });
    if (isCutForBrowsers && request.headers['user-agent']?.includes('Mozilla')) {
      request.socket.destroy();
      return;
    }
    const { body, status = 200, headers: own, delayMs = 0 } = replyTo(path, files, isFallback);
    const answer = (): void => void response.writeHead(status, { ...headers, ...own }).end(body);
    void delay(delayMs).then(answer);
  };
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: tls === undefined ? `http://127.0.0.1:${port}/` : `https://localhost:${port}/`, port, requests, stop };
}
