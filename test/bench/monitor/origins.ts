/**
 * Many origins in a process of their own: the same small site at as many loopback addresses as are requested, served by
 * one nginx, which takes little from those who ask. Linux has all of 127.0.0.0/8 on its loopback interface.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runNginx, workersUser } from '../../hosts/nginx.ts';
import { freePort } from '../../hosts/port.ts';
import { certificatesFor, TLS_VERSIONS, type CertificateFiles } from './certificates.ts';
import { healthyFiles, ORIGIN_FAULTS, type OriginFault } from './faults.ts';

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
  readonly fault: OriginFault | null;
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
  const prefix = mkdtempSync(path.join(tmpdir(), 'docvitals-origins-'));
  // Workers are somebody else when the master is root.
  chmodSync(prefix, 0o755);
  mkdirSync(path.join(prefix, 'temp'));
  const port = await freePort();
  const faults = faulty ? faultsOver(count, tls) : new Map<number, OriginFault>();
  const certificates = tls
    ? await certificatesFor(
        prefix,
        Array.from({ length: count }, (_, i) => addressOf(i)),
      )
    : null;
  const blocks = Array.from({ length: count }, (_, index) =>
    block({ prefix, index, port, certificates, fault: faults.get(index) ?? null }),
  );
  const stop = await runNginx(prefix, configuration(prefix, port, blocks), port, { address: STATUS_ADDRESS });
  return {
    list: blocks.map((_, index) => ({
      url: `${tls ? 'https' : 'http'}://${addressOf(index)}:${port}/`,
      fault: faults.get(index) ?? null,
    })),
    authorityFile: certificates?.authority ?? null,
    traffic: trafficOf(`http://${STATUS_ADDRESS}:${port}/`),
    stop,
  };
}

/** Each fault at an origin of its own, evenly among the others. */
function faultsOver(count: number, tls: boolean): Map<number, OriginFault> {
  const faults = Object.values(ORIGIN_FAULTS).filter(({ certificate }) => tls || certificate === undefined);
  if (faults.length >= count) throw new RangeError(`${count} origins are too few for ${faults.length} faults`);
  return new Map(faults.map((fault, number) => [Math.floor(((number + 0.5) * count) / faults.length), fault]));
}

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(path.join(folder, name), content);
}

interface Block {
  readonly prefix: string;
  readonly index: number;
  readonly port: number;
  readonly certificates: CertificateFiles | null;
  readonly fault: OriginFault | null;
}

function block({ prefix, index, port, certificates, fault }: Block): string {
  if (fault?.absent) return '';
  const root = path.join(prefix, `site-${index}`);
  const healthy = healthyFiles(`Station ${index}`);
  writeFiles(root, fault?.files?.(healthy) ?? healthy);
  const tls = certificates === null ? '' : certificates.directives(addressOf(index), fault?.certificate ?? 'good');
  return `  server { listen ${addressOf(index)}:${port}${tls === '' ? '' : ' ssl'}; root ${root}; ${tls} ${fault?.directives ?? ''} }`;
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
