/** Serves the site in a shape, and has the built command check it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'vitest';
import { runCli, type RunOptions } from '../cli/run.ts';
import { certificate } from '../faults/certificates.ts';
import { serveWire, type WireRequest } from '../transport/wire-server.ts';
import { CODINGS, type Shape } from './shapes.ts';
import { trafficSite, type Files } from './site.ts';

/** The checks whose findings do not depend on how a site is sent. */
const CHECKS = 'bundle,config,navigation,home,llms-txt,links,assets';
/** A stalled request would end with a timeout, which is a finding. */
const ARGS = ['--only', CHECKS, '--format', 'json', '--retries', '0', '--timeout', '15s'];

// Markdown as Debian's nginx sends it.
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'application/javascript',
  json: 'application/json',
  txt: 'text/plain',
};

export interface Report {
  readonly verdict: string;
  readonly checks: readonly {
    readonly id: string;
    readonly status: string;
    readonly findings: readonly { readonly rule: string; readonly evidence: object }[];
  }[];
}

/** What the built command reports of a site, without its address. */
export async function report(url: string, options: RunOptions = {}): Promise<object> {
  const { stdout, stderr } = await runCli(['check', url, ...ARGS], options);
  if (stdout === '') throw new Error(stderr);
  const { verdict, checks } = JSON.parse(stdout.replaceAll(url, 'SITE/')) as Report;
  const results = checks.map(({ id, status, findings }) => ({
    id,
    status,
    findings: findings.map(({ rule, evidence }) => ({ rule, evidence })),
  }));
  return { verdict, results };
}

const made = new Map<string, Buffer>();

/** The bytes of a file in a coding, made once. */
export function encoded(body: Buffer, coding: keyof typeof CODINGS, key: string): Buffer {
  const known = made.get(key) ?? CODINGS[coding](body);
  made.set(key, known);
  return known;
}

export const typeOf = (file: string): string => TYPES[path.extname(file).slice(1)] ?? 'application/octet-stream';
const NOT_FOUND = Buffer.from('<!doctype html><title>Not found</title>');

/** Serves files in a shape. */
export async function serve(
  shape: Omit<Shape, 'name'>,
  { onTestFinished }: TestContext,
): Promise<RunOptions & { url: string }> {
  const { coding, send, greet, isSecure, scriptBytes } = shape;
  const files = trafficSite(scriptBytes);
  const answer = ({ target, headers, socket, turn }: WireRequest): void => {
    const file = target === '/' ? 'index.html' : target.slice(1);
    const body = files.get(file);
    if (body === undefined) {
      void send({ status: '404 Not Found', fields: ['Content-Type: text/html'], body: NOT_FOUND, socket, turn });
      return;
    }
    const isCoded = coding !== undefined && (headers['accept-encoding'] ?? '').includes(coding);
    const fields = [`Content-Type: ${typeOf(file)}`, 'Vary: Accept-Encoding'];
    void send({
      status: '200 OK',
      fields: isCoded ? [...fields, `Content-Encoding: ${coding}`] : fields,
      body: isCoded ? encoded(body, coding, `${coding} ${scriptBytes} ${file}`) : body,
      socket,
      turn,
    });
  };
  const trust = isSecure === undefined ? undefined : await certificate('good');
  const server = await serveWire(answer, {
    ...(greet === undefined ? {} : { greet }),
    ...(trust === undefined ? {} : { tls: trust.server }),
  });
  onTestFinished(() => server.close());
  if (trust?.trustFile === undefined) return { url: server.url };
  const { trustFile } = trust;
  onTestFinished(() => rmSync(path.dirname(trustFile), { recursive: true }));
  return { url: server.url.replace('127.0.0.1', 'localhost'), env: { NODE_EXTRA_CA_CERTS: trustFile } };
}

export function folderOf(files: Files, { onTestFinished }: TestContext): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-traffic-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, body] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), body);
  }
  return folder;
}

/** The report of the site on a plain server, and what requests offered to decode. */
export async function plainReport(): Promise<{ readonly expected: object; readonly offered: ReadonlySet<string> }> {
  const offered = new Set<string>();
  const files = trafficSite();
  const server = createServer((message, response) => {
    offered.add(message.headers['accept-encoding'] ?? '');
    const file = message.url === '/' ? 'index.html' : (message.url ?? '').slice(1);
    const body = files.get(file);
    response.setHeader('connection', 'close');
    if (body === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end(NOT_FOUND);
    else response.writeHead(200, { 'content-type': typeOf(file) }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const expected = await report(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  return { expected, offered };
}
