/** Many sites whose pages are opened all the time, one after another: what that takes, and what is left of it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumWanted } from '../hosts/chromium.ts';
import { freePort } from '../hosts/port.ts';
import { startDocsifyHost } from './docsify-host.ts';
import { makeProject, startProcess } from './process.ts';

const SITES = 20;
const SECONDS = 60;
const MIB = 1024 * 1024;

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Collects garbage every second, so that what is used is what is held. */
const COLLECTING = `
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
setInterval(collect, 1000).unref();
`;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly rssMiB: number;
  /** Memory that processes share is divided among them. */
  readonly pssMiB: number;
}

/** A process may end while it is read. */
function processes(): readonly Omit<Process, 'pssMiB'>[] {
  return readdirSync('/proc').flatMap((name): Omit<Process, 'pssMiB'>[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const figure = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return [{ pid: Number(name), parent: figure('PPid'), command, rssMiB: figure('VmRSS') / 1024 }];
    } catch {
      return [];
    }
  });
}

/** A process and all that it started. */
function treeOf(root: number): readonly Process[] {
  const all = processes();
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree.map((one) => ({ ...one, pssMiB: pssOf(one.pid) }));
}

function pssOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe.runIf(process.platform === 'linux' && chromiumWanted())('pages of many sites', () => {
  it('take bounded memory, and leave nothing behind', { timeout: 150_000 }, async () => {
    const host = await startDocsifyHost();
    ends.push(host.close);
    const port = await freePort();
    const names = Array.from({ length: SITES }, (_, index) => `site-${index}`);
    const project = makeProject({
      sites: names.map((id) => ({ id, url: host.urlOf(id) })),
      monitor: { full: false, browser: { every: '5s' }, connectivity: [], listen: `127.0.0.1:${port}` },
      browser: { routes: 1 },
    });
    ends.push(project.remove);
    // What the browser writes is there: its processes name it.
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-browser-'));
    ends.push(() => rmSync(folder, { recursive: true, force: true }));
    const { child, lines, ended } = await startProcess(project, [], {
      env: { TMPDIR: folder },
      preload: COLLECTING,
      killAfterMs: 140_000,
    });
    const metric = async (name: string): Promise<readonly number[]> => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return [...text.matchAll(new RegExp(`^${name}(?:{.*})? (.*)$`, 'gm'))].map(([, value]) => Number(value));
    };
    const samples: { heapMiB: number; rssMiB: number; pssMiB: number; processes: number; browsers: number }[] = [];
    const endsAt = performance.now() + SECONDS * 1_000;
    while (performance.now() < endsAt) {
      await sleep(1_000);
      const tree = treeOf(child.pid ?? 0);
      const [heap = 0] = await metric('nodejs_heap_size_used_bytes');
      samples.push({
        heapMiB: heap / MIB,
        rssMiB: tree.reduce((sum, { rssMiB }) => sum + rssMiB, 0),
        pssMiB: tree.reduce((sum, { pssMiB }) => sum + pssMiB, 0),
        processes: tree.length,
        browsers: tree.filter(({ command, parent }) => parent === child.pid && command.includes(folder)).length,
      });
    }
    const opened = (await metric('docvitals_page_load_requests')).length;
    child.kill('SIGTERM');
    await ended;
    await sleep(500);

    const peak = (key: keyof (typeof samples)[number]): number => Math.max(...samples.map((sample) => sample[key]));
    // Between two runs.
    const floor = (from: number, to: number): number =>
      Math.min(
        ...samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to)).map((s) => s.heapMiB),
      );
    const grown = floor(0.75, 1) - floor(0.4, 0.65);
    const figures = { pss: peak('pssMiB'), rss: peak('rssMiB'), heap: peak('heapMiB'), grown, pages: opened };
    console.log(figures);
    expect(peak('pssMiB')).toBeLessThan(1_024);
    expect(peak('browsers')).toBe(1);
    expect(grown).toBeLessThan(8);
    // Two pages of each site, as far as it came.
    expect(opened).toBeGreaterThan(2);
    expect(lines.filter(({ event }) => event === 'run-failed' || event === 'incident-opened')).toEqual([]);
    expect(processes().filter(({ command }) => command.includes(folder))).toEqual([]);
    // Without a home folder Chromium makes its settings there; profiles are removed.
    expect(readdirSync(folder).filter((name) => name !== '.config')).toEqual([]);
  });
});
