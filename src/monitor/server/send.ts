/** Sends answers: only their headers, only that nothing has changed, packed, or as they are. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip as gzipCallback } from 'node:zlib';
import type { Answered } from './answer.ts';
import { weightOf } from './language.ts';

const gzip = promisify(gzipCallback);

/** Below this packing makes nothing smaller that is worth it. */
const WORTH_PACKING_BYTES = 1_400;

/** Who reads more slowly than this is not waited for. */
const STALLED_MS = 30_000;

/** Where a handler says nothing else. Nothing here is a page that runs anything, or that is shown in another one. */
const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'interest-cohort=()',
};

/** Sends an answer to whom it may concern; resolves when it has been handed over. */
export async function send(request: IncomingMessage, response: ServerResponse, answered: Answered): Promise<void> {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS, ...answered.headers };
  // A body that nobody reads would be read to its end for the next request's sake.
  if (hasBody(request)) headers['connection'] = 'close';
  let { status } = answered;
  let body: Buffer | null = typeof answered.body === 'string' ? Buffer.from(answered.body) : answered.body;
  const tag = tagOf(answered, body);
  if (tag !== null) headers['etag'] = tag;
  if (tag !== null && matches(request.headers['if-none-match'], tag)) {
    status = 304;
    body = null;
    delete headers['content-type'];
  } else if (isPackable(headers, body)) {
    headers['vary'] = headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`;
    if (acceptsGzip(request.headers['accept-encoding'])) {
      body = await gzip(body, { level: constants.Z_BEST_SPEED });
      headers['content-encoding'] = 'gzip';
    }
  }
  if (body !== null) headers['content-length'] = String(body.length);
  if (response.destroyed) return;
  response.setTimeout(STALLED_MS, () => response.destroy());
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : (body ?? undefined));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A weak tag, since the packed form has the same; `null` for what is about its moment only, or no success. */
function tagOf({ status, headers }: Answered, body: Buffer): string | null {
  if (status !== 200 || headers['cache-control'] === 'no-store') return null;
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** `If-None-Match` (RFC 9110, section 13.1.2). */
function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const strong = tag.replace(/^W\//, '');
  return header.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === strong);
}

function isPackable(headers: Readonly<Record<string, string>>, body: Buffer): boolean {
  const type = headers['content-type'] ?? '';
  return body.length >= WORTH_PACKING_BYTES && /^text\/|[/+](?:json|xml)\b/.test(type);
}

/** Whether `gzip` may be sent (RFC 9110, section 12.5.3). */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = [header ?? ''].flat().join(',').split(',');
  const weights = new Map(
    codings.map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      return [name, weightOf(parameters)] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
