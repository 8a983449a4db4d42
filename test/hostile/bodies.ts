/** Small responses that would take much memory or time, and the site that sends them. */
import type { ChildProcess } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { countsThreadTime, measureBlocked } from '../cli/blocked.ts';
import { runCli } from '../cli/run.ts';
import { makeProject } from '../monitor/process.ts';
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

export const MOST_MIB = 200;

/** Every one of them is some megabytes of JSON; the first has 9.7 KB on the wire. */
export const JSON_BOMBS = {
  lists: () => '['.repeat(4_990_000) + ']'.repeat(4_990_000),
  objects: () => `${'{"":'.repeat(1_600_000)}1${'}'.repeat(1_600_000)}`,
  'empty objects': () => `[${'{},'.repeat(2_500_000)}{}]`,
  escapes: () => `{"title":"${String.raw`\"`.repeat(4_900_000)}"}`,
  'objects without an end': () => `[${'{},'.repeat(2_500_000)}`,
} as const satisfies Readonly<Record<string, () => string>>;

/** The sample site with some of its files replaced, compressed on the wire, until the test ends. */
export async function site(
  changed: Readonly<Record<string, string>>,
  onRequest = (_path: string): void => {},
): Promise<string> {
  const files = sampleSite();
  const zipped = new Map(Object.entries(changed).map(([path, body]) => [path, gzipSync(body)]));
  const host = await listen(({ url = '/' }, response) => {
    const path = (url.split('?')[0] ?? '/').slice(1) || 'index.html';
    onRequest(path);
    const bomb = zipped.get(path);
    const body = bomb ?? files.get(path);
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': type,
      ...(bomb === undefined ? {} : { 'content-encoding': 'gzip' }),
    });
    response.end(body);
  }, '/');
  onTestFinished(() => host.close());
  return host.url;
}

interface Checks {
  readonly checks: readonly { readonly id: string; readonly findings: readonly { readonly rule: string }[] }[];
}

export const rules = (stdout: string, check: string): string[] =>
  ((JSON.parse(stdout) as Checks).checks.find(({ id }) => id === check)?.findings ?? []).map(({ rule }) =>
    rule.slice(check.length + 1),
  );

/** A page with a `<base href>` of that length, and scripts that are relative to it. */
export const page = (length: number, scripts: number): string =>
  `<!doctype html><title>Docs</title><base href="/${'a/'.repeat(length / 2)}"><div id="app"></div>
  ${Array.from({ length: scripts }, (_, index) => `<script src="s${index}.js"></script>`).join('')}`;

export interface LongPage {
  readonly length: number;
  readonly scripts: number;
}

/** Checks a page with long addresses with a deadline of 5 s. */
export async function checkLongPage({ length, scripts }: LongPage) {
  let startedAt = Infinity;
  const url = await site({ 'index.html': page(length, scripts) }, () => {
    startedAt = Math.min(startedAt, performance.now());
  });
  const args = ['check', url, '--full', '--deadline', '5s', '--format', 'json'];
  const { stdout, maxRssMiB } = await runCli(args);
  // From the first request: a busy machine takes long to start the command.
  return { bundle: rules(stdout, 'bundle'), maxRssMiB, durationMs: performance.now() - startedAt };
}

/** Sends a signal while the command resolves the addresses of such a page, long before it has requested all of them. */
export async function stopOnLongPage(signal: 'SIGINT' | 'SIGTERM', { length, scripts }: LongPage) {
  const blocked = measureBlocked();
  onTestFinished(() => blocked.remove());
  let child: ChildProcess | undefined;
  let signalledAt = Infinity;
  const url = await site({ 'index.html': page(length, scripts) }, (path) => {
    if (!/^s\d+\.js$/.test(path.split('/').at(-1) ?? '') || signalledAt < Infinity) return;
    signalledAt = performance.now();
    child?.kill(signal);
  });
  const onStart = (started: ChildProcess): void => void (child = started);
  const { status } = await runCli(['check', url, '--full'], {
    onStart,
    preload: countsThreadTime ? blocked.preload : '',
  });
  return {
    status,
    tookMs: performance.now() - signalledAt,
    // Of processor time: a busy machine does not stretch it.
    blockedMs: countsThreadTime ? blocked.longestMs() : 0,
  };
}

/** They take a parser many times as long as the deadline of 2 s. */
const QUOTES = `${'>'.repeat(80_000)} deep\n`;

/** Checks pages of nested quotes, each of which may be parsed for 20 s, with a deadline of 2 s. */
export async function checkQuotes(...args: readonly string[]) {
  const files = { 'navigation.md': QUOTES, 'index.md': QUOTES, 'llms.txt': QUOTES };
  let startedAt = Infinity;
  const url = await site(files, () => (startedAt = Math.min(startedAt, performance.now())));
  const project = makeProject({ url, limits: { parse: '20s' } });
  onTestFinished(() => project.remove());
  const { status, stdout } = await project.run(['check', ...args, '--deadline', '2s', '--format', 'json']);
  // From the first request, as above.
  return { status, home: rules(stdout, 'home'), durationMs: performance.now() - startedAt };
}

/** Checks a site whose `config.json` is one of the bombs. */
export async function checkBomb(name: keyof typeof JSON_BOMBS) {
  const url = await site({ 'config.json': JSON_BOMBS[name]() });
  const { status, stdout, maxRssMiB, durationMs } = await runCli(['check', url, '--format', 'json']);
  return { found: [status, rules(stdout, 'config')], maxRssMiB, durationMs };
}
