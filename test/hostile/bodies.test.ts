/** Small responses that would take much memory or time: what the built command needs for them, and what it reports. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { countsThreadTime, measureBlocked } from '../cli/blocked.ts';
import { runCli } from '../cli/run.ts';
import { makeProject, startProcess } from '../monitor/process.ts';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

const MOST_MIB = 200;

/** Every one of them is some megabytes of JSON; the first has 9.7 KB on the wire. */
const JSON_BOMBS: Readonly<Record<string, () => string>> = {
  lists: () => '['.repeat(4_990_000) + ']'.repeat(4_990_000),
  objects: () => `${'{"":'.repeat(1_600_000)}1${'}'.repeat(1_600_000)}`,
  'empty objects': () => `[${'{},'.repeat(2_500_000)}{}]`,
  escapes: () => `{"title":"${String.raw`\"`.repeat(4_900_000)}"}`,
  'objects without an end': () => `[${'{},'.repeat(2_500_000)}`,
};

const OWN = { id: 'search', title: 'Search index', path: 'search.json', fix: 'Build it again.' };

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(async (host) => host.close()));
});

/** The sample site with some of its files replaced, compressed on the wire. */
async function site(
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
  hosts.push(host);
  return host.url;
}

interface Checks {
  readonly checks: readonly { readonly id: string; readonly findings: readonly { readonly code: string }[] }[];
}

const codes = (stdout: string, check: string): string[] =>
  ((JSON.parse(stdout) as Checks).checks.find(({ id }) => id === check)?.findings ?? []).map(({ code }) => code);

/** A page with a `<base href>` of that length, and scripts that are relative to it. */
const page = (length: number, scripts: number): string =>
  `<!doctype html><title>Docs</title><base href="/${'a/'.repeat(length / 2)}"><div id="app"></div>
  ${Array.from({ length: scripts }, (_, index) => `<script src="s${index}.js"></script>`).join('')}`;

describe('a page with long addresses', () => {
  it.each([
    { length: 100_000, scripts: 500 },
    { length: 1_800_000, scripts: 300 },
    { length: 8_000, scripts: 2_000 },
  ])('of $length characters keeps the deadline: $scripts scripts', async ({ length, scripts }) => {
    let startedAt = Infinity;
    const url = await site({ 'index.html': page(length, scripts) }, () => {
      startedAt = Math.min(startedAt, performance.now());
    });
    const args = ['check', url, '--full', '--deadline', '5s', '--format', 'json'];
    const { stdout, maxRssMiB } = await runCli(args);
    // From the first request: a busy machine takes long to start the command.
    const durationMs = performance.now() - startedAt;
    expect(codes(stdout, 'assets')).toContain('script-missing');
    expect(durationMs).toBeLessThan(6_000);
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
  });
});

/** Of processor time: a busy machine does not stretch it. */
const LONGEST_BLOCK_MS = 500;

describe('a page with long addresses, and a signal', () => {
  it.each([
    { name: 'SIGTERM', status: 143, length: 1_800_000, scripts: 300 },
    { name: 'SIGINT', status: 130, length: 100_000, scripts: 500 },
    { name: 'SIGTERM', status: 143, length: 7_600, scripts: 2_000 },
    { name: 'SIGINT', status: 130, length: 7_600, scripts: 2_000 },
  ] as const)('$name ends the command promptly: $length characters', async ({ name, status, length, scripts }) => {
    const blocked = measureBlocked();
    let child: ChildProcess | undefined;
    let signalledAt = Infinity;
    // While it resolves the addresses, and long before it has requested all of them.
    const url = await site({ 'index.html': page(length, scripts) }, (path) => {
      if (!/^s\d+\.js$/.test(path.split('/').at(-1) ?? '') || signalledAt < Infinity) return;
      signalledAt = performance.now();
      child?.kill(name);
    });
    try {
      const onStart = (started: ChildProcess): void => void (child = started);
      const preload = countsThreadTime ? blocked.preload : '';
      const result = await runCli(['check', url, '--full'], { onStart, preload });
      expect(result.status).toBe(status);
      expect(performance.now() - signalledAt).toBeLessThan(2_000);
      expect(countsThreadTime ? blocked.longestMs() : 0).toBeLessThan(LONGEST_BLOCK_MS);
    } finally {
      blocked.remove();
    }
  });
});

/** They take a parser many times as long as the deadline of the test. */
const QUOTES = `${'>'.repeat(80_000)} deep\n`;

describe('pages of nested quotes', () => {
  it.each(['core checks', '--full'])('keep the deadline, however long a page may be parsed: %s', async (mode) => {
    const files = { 'navigation.md': QUOTES, 'index.md': QUOTES, 'llms.txt': QUOTES };
    let startedAt = Infinity;
    const url = await site(files, () => (startedAt = Math.min(startedAt, performance.now())));
    const project = makeProject({ url, limits: { parse: '20s' } });
    try {
      const args = ['check', ...(mode === '--full' ? [mode] : []), '--deadline', '2s', '--format', 'json'];
      const { status, stdout } = await project.run(args);
      // From the first request: a busy machine takes long to start the command.
      const durationMs = performance.now() - startedAt;
      expect(codes(stdout, 'home')).toEqual(['interrupted']);
      // Under --full other checks may find by then what this host really lacks.
      expect(mode === '--full' || status === 3).toBe(true);
      expect(durationMs).toBeLessThan(3_000);
    } finally {
      project.remove();
    }
  });
});

describe('JSON of millions of values', () => {
  it.each(Object.keys(JSON_BOMBS))('is not parsed as a configuration: %s', async (name) => {
    const url = await site({ 'config.json': JSON_BOMBS[name]?.() ?? '' });
    const { status, stdout, maxRssMiB, durationMs } = await runCli(['check', url, '--format', 'json']);
    expect([status, codes(stdout, 'config')]).toEqual([1, ['parse-limit']]);
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    expect(durationMs).toBeLessThan(10_000);
  });

  it('is parsed neither by a check of the user nor instead of any other file', async () => {
    const [lists, objects] = [JSON_BOMBS['lists']?.() ?? '', JSON_BOMBS['empty objects']?.() ?? ''];
    const url = await site({ 'search.json': objects, 'index.html': lists, 'llms.txt': lists, 'navigation.md': lists });
    const expected = { json: { schema: { type: 'array', items: { type: 'object' } } } };
    const project = makeProject({ url, checks: [{ ...OWN, expect: expected }] });
    try {
      const { stdout, maxRssMiB } = await project.run(['check', '--format', 'json']);
      expect([codes(stdout, 'search'), codes(stdout, 'bundle')]).toEqual([['parse-limit'], ['not-html']]);
      expect(maxRssMiB).toBeLessThan(MOST_MIB);
    } finally {
      project.remove();
    }
  });

  it.skipIf(process.platform !== 'linux')('leaves a monitor small, and its other sites watched', async () => {
    const url = await site({ 'config.json': JSON_BOMBS['lists']?.() ?? '', 'index.html': page(1_800_000, 300) });
    const healthy = await site({});
    const often = { every: '1s', full: { every: '1s' }, confirm: { after: '100ms', times: 2 } };
    const project = makeProject({
      sites: [
        { id: 'hostile', url, ...often },
        { id: 'docs', url: healthy, ...often },
      ],
      monitor: { control: [] },
    });
    const { child, lines, told, ended } = await startProcess(project);
    try {
      expect(await told('incident-opened')).toMatchObject({ site: 'hostile' });
      await sleep(1_500);
      const peakKiB = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
      expect(peakKiB / 1024).toBeLessThan(400);
      const strange = new Set(['resumed', 'blocked', 'rounds-ours']);
      expect(lines.filter(({ event }) => strange.has(event))).toEqual([]);
      const signalledAt = performance.now();
      child.kill('SIGTERM');
      expect((await ended).status).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(3_000);
    } finally {
      child.kill('SIGKILL');
      await ended;
      project.remove();
    }
  });
});
