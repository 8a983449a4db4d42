/**
 * Many origins in a process of their own: the same small site at as many loopback addresses as are requested, served by
 * one nginx, which takes little from those who ask. Linux has all of 127.0.0.0/8 on its loopback interface.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runNginx, workersUser } from '../../hosts/nginx.ts';
import { freePort } from '../../hosts/port.ts';
import { writeSite } from '../../site/sample.ts';
import { certificateAuthority, TLS_VERSIONS } from '../certificates.ts';
import { ORIGIN_FAULTS, type Fault } from '../faults.ts';
import { newFolder } from '../session.ts';
import { fiveFiles, type Files } from '../site.ts';

export interface OriginOptions {
  /** Over TLS, with certificates of an authority that is made for it. Default: no. */
  readonly tls?: boolean;
  /** How many origins there are. */
  readonly count: number;
  /** Let one origin have each fault. Default: all are well. */
  readonly faulty?: boolean;
}

/** One of many. */
export interface Origin {
  /** Base URL, ends with a slash. */
  readonly url: string;
  readonly fault: Fault | null;
}

export interface Origins {
  readonly list: readonly Origin[];
  /** The authority's certificate as PEM, where they speak TLS. */
  readonly authorityFile: string | null;
  /** What all of them together were requested until now. */
  traffic(): Promise<Traffic>;
  stop(): Promise<void>;
}

export interface Traffic {
  readonly connections: number;
  readonly requests: number;
}

const addressOf = (index: number): string => `127.77.${Math.floor(index / 200)}.${1 + (index % 200)}`;

/** Where nginx shows what it was requested. */
const STATUS_ADDRESS = '127.78.0.1';

/** Starts them; rejects where nginx or so many addresses cannot be had. */
export async function startOrigins({ count, tls = false, faulty = false }: OriginOptions): Promise<Origins> {
  const prefix = newFolder('origins');
  mkdirSync(path.join(prefix, 'temp'));
  const port = await freePort();
  const faults = faulty ? faultsOver(count, tls) : new Map<number, Fault>();
  const authority = tls ? await certificateAuthority(prefix) : null;
  const list = Array.from({ length: count }, (_, index) => ({
    url: `${tls ? 'https' : 'http'}://${addressOf(index)}:${port}/`,
    fault: faults.get(index) ?? null,
  }));
  const blocks: string[] = [];
  for (const [index, { fault }] of list.entries()) {
    const kind = fault?.origin ?? 'good';
    if (kind === 'absent') continue;
    const address = addressOf(index);
    const certificate =
      authority === null ? '' : ` ssl; ${(await authority.certificate(address, kind)).replace(/;$/, '')}`;
    const files = fiveFiles(`Station ${index}`);
    blocks.push(block(path.join(prefix, `site-${index}`), `${address}:${port}${certificate};`, files, fault));
  }
  const stop = await runNginx(prefix, configuration(prefix, port, blocks), port, { address: STATUS_ADDRESS });
  return {
    list,
    authorityFile: authority?.file ?? null,
    traffic: trafficOf(`http://${STATUS_ADDRESS}:${port}/`),
    stop,
  };
}

/** Writes the files of an origin; its server block for nginx. */
function block(root: string, listen: string, files: Files, fault: Fault | null): string {
  fault?.spoil?.(files);
  writeSite(files, root);
  return `  server { listen ${listen} root ${root}; ${fault?.configuration ?? ''} }`;
}

/** Each fault at an origin of its own, evenly among the others. */
function faultsOver(count: number, tls: boolean): Map<number, Fault> {
  const faults = ORIGIN_FAULTS.filter(({ origin }) => tls || origin === undefined || origin === 'absent');
  if (faults.length >= count) throw new RangeError(`${count} origins are too few for ${faults.length} faults`);
  return new Map(faults.map((fault, number) => [Math.floor(((number + 0.5) * count) / faults.length), fault]));
}

function configuration(prefix: string, port: number, blocks: readonly string[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${prefix}/temp/${kind};`,
  );
  // Each address takes a connection of the worker's, and every client may have many.
  const connections = blocks.length + 16_384;
  return `${workersUser()}
daemon off;
worker_processes 1;
worker_rlimit_nofile ${connections};
pid ${prefix}/nginx.pid;
error_log stderr crit;
events { worker_connections ${connections}; }
http {
  types { text/html html; text/markdown md; text/plain txt; application/json json; }
  access_log off;
  ${TLS_VERSIONS}
${temporary.join('\n')}
  server { listen ${STATUS_ADDRESS}:${port}; location / { stub_status; } }
${blocks.join('\n')}
}
`;
}

/**
 * ngx_http_stub_status_module: the third line has connections that were accepted, those handled, and requests. Whoever
 * asks is among them: these, each with a connection of its own, and the one that saw whether nginx listens.
 */
function trafficOf(url: string): Origins['traffic'] {
  let asked = 0;
  return async () => {
    asked += 1;
    const [answer] = (await once(get(url, { agent: false }), 'response')) as [Readable];
    const numbers = (await text(answer)).split('\n')[2]?.trim().split(' ').map(Number) ?? [];
    const [connections = NaN, , requests = NaN] = numbers;
    return { connections: connections - asked - 1, requests: requests - asked };
  };
}
