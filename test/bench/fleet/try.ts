import { mkdtempSync } from 'node:fs';
import { rawQueueCpuMs } from './raw-queue.ts';
import { watchEmbedded, watchFleet } from './scene.ts';
const [kind, sites, every, settle, window] = process.argv.slice(2);
const work = { sites: Number(sites), everySeconds: Number(every), settleSeconds: Number(settle), windowSeconds: Number(window) };
const bench = { folder: mkdtempSync('/tmp/try-'), signal: new AbortController().signal };
if (kind === 'queue') console.log(await rawQueueCpuMs(Number(sites)));
else {
  const t = kind === 'embedded' ? await watchEmbedded(work, bench) : await watchFleet(work, bench);
  const per = Object.fromEntries(Object.entries(t.cpuMs).map(([k, v]) => [k, v / t.runs]));
  console.log({ ...t, per, rate: t.runs / t.seconds, expected: work.sites / work.everySeconds });
}
