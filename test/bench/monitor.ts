/**
 * `node test/bench/monitor.ts [--sites 200] [--pairs 2] [--tls] [--every 20] [--window 10] [--program <file>]`: the rows
 * of the monitor alone, for those who work on it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from './measure.ts';
import { monitorRow } from './monitor/rows.ts';

const { values } = parseArgs({
  options: {
    sites: { type: 'string', default: '200' },
    pairs: { type: 'string', default: '2' },
    every: { type: 'string', default: '20' },
    window: { type: 'string', default: '10' },
    tls: { type: 'boolean', default: false },
    program: { type: 'string', default: 'prometheus-blackbox-exporter' },
  },
});
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-bench-'));
const times = { everySeconds: Number(values.every), windowSeconds: Number(values.window), settleSeconds: 4 };
const row = monitorRow(values.tls ? 'tls' : 'http', times);
try {
  const pairs = await row.measure({
    pairs: Number(values.pairs),
    sites: Number(values.sites),
    folder,
    peer: () => ({ argv: [values.program], env: {}, version: '' }),
    progress: (text) => console.error(text),
    signal: stop.signal,
  });
  console.log(JSON.stringify(pairs, null, 1));
  for (const figure of row.figures) console.log(figure, JSON.stringify(compare(pairs, figure)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
