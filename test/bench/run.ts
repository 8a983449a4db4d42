/**
 * `npm run bench`: how long the command takes over whole sites of 100, 1,000 and 10,000 pages served by nginx on
 * loopback, its peak memory, and the same files fetched by curl beside it (six at once, nothing judged).
 * Ratios of one run count; the milliseconds are this machine's.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCli } from '../cli/run.ts';
import { startNginx } from '../hosts/nginx.ts';
import { writeSite } from '../site/sample.ts';
import { benchSite } from './site.ts';

const { values } = parseArgs({
  options: { pages: { type: 'string', default: '100,1000,10000' }, rounds: { type: 'string', default: '5' } },
});

interface Measured {
  readonly wallMs: number;
  readonly peakMiB: number;
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;

async function check(url: string, pages: number): Promise<Measured> {
  const args = ['check', url, '--full', '--max-pages', String(pages * 2), '--format', 'json'];
  const { stdout, stderr, durationMs, maxRssMiB } = await runCli(args, { killAfterMs: 300_000 });
  const { checks } = JSON.parse(stdout || '{"checks":[]}') as {
    checks: readonly { readonly id: string; readonly requests?: number }[];
  };
  const asked = checks.find(({ id }) => id === 'links')?.requests ?? 0;
  if (asked < pages)
    throw new Error(`only ${asked} of ${pages} pages were asked for: ${stderr}${stdout.slice(0, 500)}`);
  return { wallMs: durationMs, peakMiB: maxRssMiB ?? NaN };
}

/** The same files, fetched and thrown away. */
function fetchAll(list: string): number {
  const began = performance.now();
  const { status } = spawnSync('curl', ['--silent', '--parallel', '--parallel-max', '6', '--config', list]);
  if (status !== 0) throw new Error(`curl ended with ${status}`);
  return performance.now() - began;
}

async function measure(pages: number, rounds: number): Promise<Record<string, number>> {
  const root = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
  const files = benchSite(pages);
  writeSite(files, root);
  const host = await startNginx(root);
  const list = `${root}.urls`;
  const urls = [...files.keys()].map((file) => `url = "${host.url}${file}"\noutput = "/dev/null"\n`);
  writeFileSync(list, urls.join(''));
  try {
    await check(host.url, pages);
    const checked: Measured[] = [];
    const fetched: number[] = [];
    // In turn, so that whatever else the machine does falls on both.
    for (let round = 0; round < rounds; round++) {
      checked.push(await check(host.url, pages));
      fetched.push(fetchAll(list));
    }
    const wallMs = median(checked.map((one) => one.wallMs));
    const curlMs = median(fetched);
    return {
      pages,
      'wall s': Number((wallMs / 1000).toFixed(2)),
      'ms a page': Number((wallMs / pages).toFixed(2)),
      'peak MiB': Math.round(Math.max(...checked.map((one) => one.peakMiB))),
      'curl s': Number((curlMs / 1000).toFixed(2)),
      'times curl': Number((wallMs / curlMs).toFixed(1)),
    };
  } finally {
    await host.stop();
    rmSync(root, { recursive: true, force: true });
    rmSync(list, { force: true });
  }
}

const rows: Record<string, number>[] = [];
for (const pages of values.pages.split(',').map(Number)) {
  const row = await measure(pages, Number(values.rounds));
  const before = rows.at(-1);
  // What a run costs whatever the site's size (start, probes, checks of single files) is in the first row.
  const further = before === undefined ? {} : { 'ms a further page': furtherPage(before, row) };
  rows.push({ ...row, ...further });
}
console.table(rows);

function furtherPage(smaller: Record<string, number>, larger: Record<string, number>): number {
  const [ms, pages] = [
    1000 * ((larger['wall s'] ?? NaN) - (smaller['wall s'] ?? NaN)),
    (larger['pages'] ?? NaN) - (smaller['pages'] ?? NaN),
  ];
  return Number((ms / pages).toFixed(2));
}
