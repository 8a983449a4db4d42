/** A plain web server on loopback: exact file, then the directory's index.html, then (if wanted) the engine bundle. */
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { SiteFiles } from './sample.ts';

/** Media types by extension. A host that knows no type sends `application/octet-stream`, as Debian's nginx does for `.md`. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'application/javascript',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  woff2: 'font/woff2',
};

export interface HostOptions {
  /** Answer `index.html` for files that are not there, as single-page hosts do. Default `true`. */
  readonly fallback?: boolean;
  /** Media types by extension, instead of or besides the usual ones; `null` sends no type. */
  readonly types?: Readonly<Record<string, string | null>>;
  /** The path that the site lives under, e.g. `/docs/`. Default `/`. */
  readonly base?: string;
  /** Default: any that is free. */
  readonly port?: number;
  /** `Server` of every response. Default: none. */
  readonly server?: string;
}

/** A server that is listening. */
export interface Host {
  /** Base URL, ends with a slash. */
  readonly url: string;
  readonly port: number;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1, on a free port by default. */
export async function listen(listener: RequestListener, base = '/', wanted = 0): Promise<Host> {
  const server = createServer(listener);
  const port = await listenOn(server, wanted);
  return {
    url: `http://127.0.0.1:${port}${base}`,
    port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

type Read = (path: string) => Promise<Uint8Array | string | undefined>;

/** Reads from a map, or from below a folder (never above it). Names are matched letter by letter in a map. */
function reader(source: SiteFiles | string): Read {
  if (typeof source !== 'string') return (path) => Promise.resolve(source.get(path));
  return async (path) => {
    const file = normalize(join(source, path));
    if (!file.startsWith(normalize(source + sep))) return undefined;
    // A name that does not exist, a folder, a file without permission: for this host it is simply not there.
    return readFile(file).catch(() => undefined);
  };
}

/** The path relative to the base, `undefined` when it lies outside or cannot be decoded. */
function relativePath(request: IncomingMessage, base: string): string | undefined {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (!path.startsWith(base)) return undefined;
  try {
    return decodeURIComponent(path.slice(base.length));
  } catch {
    return undefined;
  }
}

function respond(response: ServerResponse, status: number, type: string | null, body: Uint8Array | string): void {
  response.writeHead(status, {
    ...(type === null ? {} : { 'content-type': type }),
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Serves a site from memory or from a folder. */
export async function startHost(source: SiteFiles | string, options: HostOptions = {}): Promise<Host> {
  const { fallback = true, types = {}, base = '/', port, server } = options;
  const read = reader(source);
  const typeOf = (path: string): string | null => {
    const extension = path.slice(path.lastIndexOf('.') + 1);
    const type = Object.hasOwn(types, extension) ? types[extension] : MEDIA_TYPES[extension];
    return type === undefined ? 'application/octet-stream' : type;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (server !== undefined) response.setHeader('server', server);
    const path = relativePath(request, base);
    const candidates = path === undefined ? [] : [path, path === '' || path.endsWith('/') ? `${path}index.html` : null];
    if (fallback) candidates.push('index.html');
    for (const candidate of candidates) {
      const body = candidate === null ? undefined : await read(candidate);
      if (candidate !== null && body !== undefined) return respond(response, 200, typeOf(candidate), body);
    }
    respond(response, 404, 'text/html', '<!doctype html><title>Not found</title><h1>Not found</h1>');
  };

  return listen((request, response) => void answer(request, response), base, port);
}
