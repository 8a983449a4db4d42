/**
 * `node test/bench/monitor.ts [--sites 1000] [--every 60s] [--minutes 3]`: what a monitor costs over many sites on
 * loopback: cpu as a share of one core, memory, descriptors, rounds that were late. Nothing counts before every site was
 * looked at once. `--sites 400 --every 1s` makes 100,000 checks in a minute.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../hosts/port.ts';
import { startOrigins } from './origins.ts';

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '1000' },
    every: { type: 'string', default: '60s' },
    minutes: { type: 'string', default: '3' },
  },
});

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
/** Clock ticks a second in /proc (USER_HZ). */
const TICKS = 100;

interface Sample {
  readonly at: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
  readonly descriptors: number;
  readonly rounds: number;
  readonly late: number;
}

const sites = Number(values.sites);
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
const origins = await startOrigins(sites);
const list = origins.urls.map((url, index) => `  - { id: site-${index}, url: "${url}" }\n`).join('');
writeFileSync(path.join(folder, 'docvitals.yaml'), `monitor: { every: ${values.every}, full: false }\nsites:\n${list}`);
const port = await freePort();
const child = spawn(process.execPath, [BIN, 'monitor', '--listen', `127.0.0.1:${port}`, '--log', 'json', '--quiet'], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});

try {
  const read = async (name: string): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${name}`).catch(() => null);
    return answer?.ok === true ? answer.text() : '';
  };
  const began = performance.now();
  while ((await read('/readyz')) === '' && child.exitCode === null) await sleep(200);
  console.log(`Every site was looked at once after ${((performance.now() - began) / 1000).toFixed(1)} s.\n`);
  console.log('| s | cpu, % of a core | rounds/s | ms cpu a check | memory, MiB | descriptors | late |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  const first = await sample(read);
  let before = first;
  const steps = Math.max(1, Math.round(Number(values.minutes) * 6));
  for (let step = 0; step < steps; step++) {
    await sleep(10_000);
    const now = await sample(read);
    console.log(row(before, now, first));
    before = now;
  }
  console.log(`\nAll: ${row(first, before, first)}`);
} finally {
  child.kill();
  await once(child, 'exit');
  origins.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function sample(read: (name: string) => Promise<string>): Promise<Sample> {
  const metrics = await read('/metrics');
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? NaN);
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const rss = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
  return {
    at: performance.now(),
    cpuMs: ((Number(stat[11]) + Number(stat[12])) / TICKS) * 1000,
    rssMiB: Number(rss) / 1024,
    descriptors: readdirSync(`/proc/${child.pid}/fd`).length,
    rounds: value('docvitals_rounds_total'),
    late: value('docvitals_rounds_late_total'),
  };
}

function row(from: Sample, to: Sample, first: Sample): string {
  const seconds = (to.at - from.at) / 1000;
  const rounds = to.rounds - from.rounds;
  const cells = [
    ((to.at - first.at) / 1000).toFixed(0),
    ((to.cpuMs - from.cpuMs) / seconds / 10).toFixed(1),
    (rounds / seconds).toFixed(1),
    ((to.cpuMs - from.cpuMs) / rounds / 5).toFixed(3),
    to.rssMiB.toFixed(0),
    String(to.descriptors),
    String(to.late - from.late),
  ];
  return `| ${cells.join(' | ')} |`;
}
