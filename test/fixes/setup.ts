/** A site and its nginx, as faults and fixes change them. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostKind } from '../../src/site/host-product.ts';
import type { FindingDocument } from '../../src/report/document.ts';
import { HEALTHY_SITE, MODIFIED } from '../hosting/site.ts';

/** What a user changes: files, and directives of nginx. */
export interface Setup {
  /** By path below the site. */
  readonly files: Map<string, string | Uint8Array>;
  /** Dates of files that are not the usual one. */
  readonly dates: Map<string, Date>;
  /** Files that an edge reads: `vercel.json`, or `worker.js` and `wrangler.jsonc`. */
  readonly settings: Map<string, string>;
  /** Media types by extension, as `mime.types` has them. */
  readonly types: Map<string, string>;
  /** Blocks beside the server block, such as a `map`; `$NAME` and `$ID` make a variable and a name unique, `$ROOT` is the folder of the site. */
  readonly http: Set<string>;
  /** Directives of the server block by name. */
  readonly server: Map<string, string>;
  /** Directives of each location by what it matches, in order. */
  readonly locations: Map<string, string>;
  /** Options of the next run. */
  readonly args: string[];
  /** The address of the next run: absolute, or below that of the host. Default: the host's own. */
  readonly target: { url?: string };
  /** What is to be done when all is over. */
  readonly stops: (() => void)[];
}

export interface Row {
  /** `check/rule` */
  readonly rule: string;
  readonly fault: (setup: Setup) => unknown;
  /** Findings that the fault brings with it. */
  readonly also?: readonly string[];
  /** Does what the printed fix says. */
  readonly fix: (setup: Setup, printed: Printed) => unknown;
}

/** Faults that do not touch one another, on one host. */
export interface Group {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Given to `check --host`; default: found out, which is `server`. */
  readonly host?: HostKind;
  readonly args?: readonly string[];
  /** The host before the faults. */
  readonly base?: () => Setup | Promise<Setup>;
  /** What is reported without the faults, and stays. */
  readonly own?: readonly string[];
  /** Where that depends on the fault: what is reported after the fix. */
  readonly ownAfter?: readonly string[];
  /** Starts the host, where that is no nginx. */
  readonly start?: (setup: Setup) => Promise<Host>;
}

/** A host that is running. */
export interface Host {
  readonly port: number;
  /** Of the run that checks it. */
  readonly env?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const ASSETS = String.raw`~* \.(svg|png|jpg|woff2|json)$`;
export const TEXT = String.raw`~* \.(md|txt)$`;
const NO_CACHE = 'add_header Cache-Control "no-cache, must-revalidate";';

/** A healthy site on an nginx that passes every check. */
export function healthy(): Setup {
  return {
    files: new Map<string, string | Uint8Array>([
      ...Object.entries(HEALTHY_SITE).filter(([path]) => !path.startsWith('v1.2/')),
      [
        'guide/index.md',
        (HEALTHY_SITE['guide/index.md'] ?? '')
          .repeat(4)
          .replaceAll(', [Version 1.2](../v1.2/)', '\n\n![Photo](photo.png)'),
      ],
      ['guide/photo.png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2000, 'pixels ')])],
      ['app.js', 'console.log("The engine.");\n'.repeat(200)],
    ]),
    dates: new Map(),
    settings: new Map(),
    types: new Map(
      Object.entries({
        html: 'text/html',
        css: 'text/css',
        js: 'application/javascript',
        mjs: 'text/javascript',
        json: 'application/json',
        md: 'text/markdown',
        txt: 'text/plain',
        svg: 'image/svg+xml',
        png: 'image/png',
        woff2: 'font/woff2',
      }),
    ),
    http: new Set(),
    server: new Map([
      ['index', 'index index.html;'],
      ['gzip', 'gzip on;'],
      ['gzip_vary', 'gzip_vary on;'],
      [
        'gzip_types',
        'gzip_types text/plain text/css text/markdown text/javascript application/javascript application/json image/svg+xml;',
      ],
      ['charset', 'charset utf-8;'],
      ['charset_types', 'charset_types text/plain text/markdown;'],
    ]),
    locations: new Map([
      ['= /index.html', NO_CACHE],
      ['= /config.json', NO_CACHE],
      [ASSETS, 'expires 30d; add_header Cache-Control "public, no-transform";'],
      [TEXT, 'add_header Cache-Control "no-cache";'],
      ['/', 'try_files $uri $uri/ =404;'],
    ]),
    args: [],
    target: {},
    stops: [],
  };
}

/** Writes the files of a site, all with the same date: it is part of a validator. */
export function writeFiles(folder: string, { files, dates }: Pick<Setup, 'files' | 'dates'>): void {
  for (const [path, body] of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
    writeFileSync(file, body);
    const date = dates.get(path) ?? MODIFIED;
    utimesSync(file, date, date);
  }
}

/** The server block, and what it needs beside it. `id` keeps variables apart. */
export function serverBlock({ types, http, server, locations }: Setup, root: string, port: number, id: number): string {
  const typeLines = [...types].map(([extension, type]) => `${type} ${extension};`);
  const block = `${[...http].join('\n')}
server {
  listen 127.0.0.1:${port};
  root ${root};
  types { ${typeLines.join(' ')} }
  ${[...server.values()].join('\n  ')}
  ${[...locations].map(([match, body]) => `location ${match} { ${body} }`).join('\n  ')}
}`;
  return block.replaceAll('$ID', String(id)).replaceAll('$NAME', `$name${id}`).replaceAll('$ROOT', root);
}

/** The fix that a report prints for a finding. What is applied has to be in it. */
export class Printed {
  readonly #text: string;
  readonly #evidence: FindingDocument['evidence'];
  constructor({ fix, evidence }: Pick<FindingDocument, 'fix' | 'evidence'>) {
    this.#text = fix;
    this.#evidence = evidence;
  }

  /** A fact that is shown beside the fix. */
  evidence(name: keyof FindingDocument['evidence']): string {
    const value = this.#evidence[name];
    if (typeof value !== 'string') throw new Error(`the evidence has no ${name}: ${JSON.stringify(this.#evidence)}`);
    return value;
  }

  /** A text that the fix has to have. */
  says(text: string): string {
    if (!this.#text.includes(text)) throw new Error(`the fix does not say ${JSON.stringify(text)}:\n${this.#text}`);
    return text;
  }

  /** The code in the fix that begins with a text. */
  code(start: string): string {
    const found = [...this.#text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    const code = found.find((one) => one.startsWith(start));
    if (code === undefined) throw new Error(`the fix has no code ${JSON.stringify(start)}:\n${this.#text}`);
    return code;
  }

  /** Puts code for nginx into the server block: directives and locations replace those of the same name. */
  nginx({ server, locations }: Setup, ...starts: readonly string[]): void {
    for (const start of starts) {
      const code = this.code(start);
      const [, match, body = ''] = /^location (.+?) \{ (.+) \}$/.exec(code) ?? [];
      if (match === undefined) {
        for (const [directive] of code.matchAll(/[^;]+;/g))
          server.set(directive.trim().split(' ')[0] ?? '', directive.trim());
        continue;
      }
      // New locations come first: the first regular expression that matches wins.
      const before = [...locations].filter(([other]) => other !== match);
      locations.clear();
      for (const [key, value] of [[match, body] as const, ...before]) locations.set(key, value);
    }
  }
}

/** Replaces a text in a directive or a file; it has to be there. */
export function replace<K>(map: Map<K, string | Uint8Array> | Map<K, string>, key: K, from: string, to: string): void {
  const value = map.get(key);
  if (typeof value !== 'string' || !value.includes(from)) throw new Error(`no ${from} in ${String(value)}`);
  (map as Map<K, string>).set(
    key,
    value.replace(from, () => to),
  );
}

export const remove =
  (path: string) =>
  ({ files }: Setup): void =>
    void files.delete(path);
