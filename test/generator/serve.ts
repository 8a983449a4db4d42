/** Serves deployments on loopback by the rules of their host. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Deployment, HostReply, HostRequest } from './deployment.ts';

/** A server that listens and serves whatever deployment it was given last. */
export interface SiteServer {
  /** `http://127.0.0.1:4173` */
  readonly origin: string;
  /** Requests that came since the deployment, as `GET /docs/index.md`. */
  readonly asked: readonly string[];
  deploy(deployment: Deployment): void;
  close(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1, over TLS where a key and a certificate are given. Until the first deployment
 * every request is answered with 503.
 */
export async function openServer(secure?: ServerOptions): Promise<SiteServer> {
  let current: Deployment | undefined;
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (current === undefined) response.writeHead(503).end();
    else answer(request, response, current);
  };
  const server = secure === undefined ? createServer(listener) : createSecureServer(secure, listener);
  const port = await listening(server);
  return {
    origin: `${secure === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    asked,
    deploy: (deployment) => {
      current = deployment;
      asked.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function answer(message: IncomingMessage, response: ServerResponse, deployment: Deployment): void {
  const request = readRequest(message);
  const reply = request === null ? { status: 400, headers: {}, body: Buffer.alloc(0) } : respond(request, deployment);
  for (const [name, value] of Object.entries(reply.headers)) {
    if (value !== null) response.setHeader(name, value);
  }
  const bodiless = reply.status === 304 || reply.status === 204;
  if (!bodiless) response.setHeader('content-length', reply.body.length);
  response.writeHead(reply.status);
  response.end(bodiless || message.method === 'HEAD' ? undefined : reply.body);
}

function readRequest({ method = 'GET', url = '/', headers }: IncomingMessage): HostRequest | null {
  const [rawPath = '/', query] = url.split(/(?=\?)/, 2);
  try {
    const single = Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]);
    return {
      method,
      rawPath,
      path: decodeURIComponent(rawPath),
      query: query ?? '',
      headers: Object.fromEntries(single) as HostRequest['headers'],
    };
  } catch {
    return null;
  }
}

/** What the deployment answers. */
export function respond(request: HostRequest, deployment: Deployment): HostReply {
  const { rules } = deployment;
  const whole = rules.change(request, located(request, deployment), deployment);
  const tagged = validated(whole, deployment);
  const fresh = rules.conditional && isFresh(request, tagged);
  const reply = fresh ? notModified(tagged) : coded(request, tagged, deployment);
  return rules.finish(request, reply);
}

function located(request: HostRequest, deployment: Deployment): HostReply {
  const { rules, files, origin } = deployment;
  const beside = origin.get(request.path);
  if (beside !== undefined) {
    return {
      status: 200,
      headers: { 'content-type': rules.typeOf(request.path), ...rules.caching(request.path) },
      body: bytes(beside),
    };
  }
  const { status, file, location, negotiable = false } = rules.locate(request, deployment);
  const vary = negotiable && rules.variesByAccept ? { vary: 'Accept' } : {};
  if (location !== undefined) return { status, headers: { location, ...vary }, body: Buffer.alloc(0) };
  if (file === null) {
    return {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', ...vary },
      body: bytes(rules.notFoundPage),
    };
  }
  const type = rules.typeOf(file);
  return {
    status,
    headers: { 'content-type': type, ...rules.caching(file), ...vary },
    body: bytes(files.get(file) ?? ''),
  };
}

const bytes = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : content;

let responses = 0;

function validated(reply: HostReply, { rules }: Deployment): HostReply {
  if (reply.status !== 200 || rules.validators === 'none') return reply;
  const digest = createHash('sha256').update(reply.body).digest('hex').slice(0, 16);
  responses += 1;
  const etag = rules.validators === 'steady' ? `"${digest}"` : `"${digest}-${responses}"`;
  return { ...reply, headers: { 'last-modified': 'Mon, 02 Feb 2026 09:00:00 GMT', etag, ...reply.headers } };
}

/** RFC 9110, section 13.2.2: a tag that was sent is what counts. */
function isFresh(
  { headers }: HostRequest,
  { status, headers: { etag, 'last-modified': modified } }: HostReply,
): boolean {
  if (status !== 200) return false;
  const match = headers['if-none-match'];
  if (match !== undefined) return match.split(',').some((tag) => weak(tag.trim()) === weak(String(etag)));
  const since = headers['if-modified-since'];
  return since !== undefined && typeof modified === 'string' && Date.parse(since) >= Date.parse(modified);
}

const weak = (tag: string): string => tag.replace(/^W\//, '');

function notModified({ headers }: HostReply): HostReply {
  return { status: 304, headers: { ...headers, 'content-type': null }, body: Buffer.alloc(0) };
}

/** nginx's own `gzip_min_length`. */
const SHORTEST = 20;

function coded({ headers }: HostRequest, reply: HostReply, { rules }: Deployment): HostReply {
  const type = String(reply.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (!rules.compressed.includes(type)) return reply;
  const vary = [reply.headers['vary'], rules.variesByEncoding ? 'Accept-Encoding' : null].filter(Boolean).join(', ');
  const varied = { ...reply, headers: { ...reply.headers, vary: vary === '' ? null : vary } };
  const takes = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(headers['accept-encoding'] ?? '');
  if (reply.body.length < SHORTEST || !(takes || rules.forcesGzip)) return varied;
  const { etag } = reply.headers;
  const tag = typeof etag === 'string' && !etag.startsWith('W/') ? { etag: `W/${etag}` } : {};
  return {
    ...varied,
    headers: { ...varied.headers, ...tag, 'content-encoding': 'gzip' },
    body: gzipSync(reply.body, { level: 1 }),
  };
}
