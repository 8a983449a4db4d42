/**
 * msw's request handlers, served on a loopback socket: the command under test is another process (and undici 8 is not
 * intercepted by msw), so the handlers are asked through `getResponse()` for every request that comes in.
 */
import { getResponse, http, HttpResponse } from 'msw';
import type { HttpHandler } from 'msw';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './host.ts';
import type { Host } from './host.ts';
import type { SiteFiles } from './sample.ts';

/** One changed answer. What is not given is as for a healthy file. */
export interface FileReply {
  /** Default 200. */
  readonly status?: number;
  /** Media type; `null` sends none. Default: by the file's extension. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made on demand, because some bodies are large. */
  readonly body?: Uint8Array | string | (() => Uint8Array | string | Promise<Uint8Array | string>);
  /** Answers so only when the request's `Accept` header contains this. */
  readonly whenAccept?: string;
  /** Answers so only the first time. */
  readonly once?: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  json: 'application/json',
  js: 'text/javascript',
  md: 'text/markdown',
  txt: 'text/plain',
};

const typeOf = (path: string): string => TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';

const NO_BODY = new Set([204, 205, 304]);

const bytes = (body: Uint8Array | string): Uint8Array<ArrayBuffer> =>
  typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);

async function respond(
  path: string,
  reply: FileReply,
  healthy: Uint8Array | string,
): Promise<HttpResponse<ArrayBuffer>> {
  const { status = 200, type = typeOf(path), headers = {} } = reply;
  const body = typeof reply.body === 'function' ? await reply.body() : (reply.body ?? healthy);
  return new HttpResponse(NO_BODY.has(status) ? null : bytes(body).buffer, {
    status,
    headers: { ...(type === null ? {} : { 'content-type': type }), ...headers },
  });
}

/** Handlers for a site below `base`: the changed files first, then the healthy ones, then 404. */
export function siteHandlers(
  site: SiteFiles,
  changes: Readonly<Record<string, FileReply>> = {},
  base = '/',
): HttpHandler[] {
  const changed = Object.entries(changes).map(([path, reply]) => {
    let answered = 0;
    return http.get(`*${base}${path}`, ({ request }) => {
      // The pattern's star also matches folders: `*/index.md` is `/ro/index.md` too.
      if (new URL(request.url).pathname !== `${base}${path}`) return undefined;
      if (!(request.headers.get('accept') ?? '').includes(reply.whenAccept ?? '')) return undefined;
      if (reply.once === true && answered > 0) return undefined;
      answered += 1;
      return respond(path, reply, site.get(path) ?? '');
    });
  });
  const healthy = http.get('*', ({ request }) => {
    const path = decodeURIComponent(new URL(request.url).pathname);
    const name = path === base ? 'index.html' : path.slice(base.length);
    const body = path.startsWith(base) ? site.get(name) : undefined;
    return body === undefined
      ? new HttpResponse('Not found\n', { status: 404, headers: { 'content-type': 'text/plain' } })
      : respond(name, {}, body);
  });
  return [...changed, healthy];
}

async function pass(handlers: HttpHandler[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = `http://${request.headers.host ?? '127.0.0.1'}${request.url ?? '/'}`;
  const headers = new Headers();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at] ?? '', request.rawHeaders[at + 1] ?? '');
  }
  const reply = await getResponse(handlers, new Request(url, { method: request.method ?? 'GET', headers }));
  if (reply === undefined) {
    response.writeHead(501).end();
    return;
  }
  const body = Buffer.from(await reply.arrayBuffer());
  response.writeHead(reply.status, [...reply.headers].flat());
  response.end(NO_BODY.has(reply.status) ? undefined : body);
}

/** Serves handlers on a free loopback port. `base` only shapes the URL that is given back. */
export function serveHandlers(handlers: HttpHandler[], base = '/'): Promise<Host> {
  return listen((request, response) => {
    pass(handlers, request, response).catch((error: unknown) => {
      // A mistake in a handler: the test must see it, not wait for an answer.
      response.writeHead(599, { 'content-type': 'text/plain' }).end(String(error));
    });
  }, base);
}
