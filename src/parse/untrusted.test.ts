import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readUntrusted } from './untrusted.ts';

const LONG = 'a { background: url(a.png) }\n'.repeat(4_000);
/** Quotes that nest take a parser many times as long as any limit here. */
const HOSTILE = `${'>'.repeat(80_000)} deep\n`;

const readLong = (signal?: AbortSignal) => readUntrusted('css-urls', LONG, null, { limitMs: 10_000, signal });
const readHostile = (limitMs: number, signal: AbortSignal, text = HOSTILE) =>
  readUntrusted(
    'markdown-outline',
    text,
    { whole: true, moreContent: false, wanted: ['hasTitle'] },
    { limitMs, signal },
  );
const newRun = (): AbortSignal => new AbortController().signal;

/** How many threads there were at once, at most, while something was done. */
async function mostThreads(work: () => Promise<unknown>): Promise<number> {
  const running = new Set<Worker>();
  let most = 0;
  const onWorker = (worker: Worker): void => {
    running.add(worker);
    most = Math.max(most, running.size);
    worker.on('exit', () => running.delete(worker));
  };
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  await work();
  return most;
}

it('reads long texts in one thread at a time', async () => {
  const most = await mostThreads(async () => {
    const reads = await Promise.all([1, 2, 3].map(() => readLong(newRun())));
    expect(reads.map(({ ok }) => ok)).toEqual([true, true, true]);
  });
  expect(most).toBe(1);
});

describe('texts of a site that all take as long as they may', () => {
  it('cost one thread', async () => {
    const run = newRun();
    expect(await mostThreads(() => Promise.all([1, 2].map(() => readHostile(1_000, run))))).toBe(1);
  });

  it('block this thread once', async () => {
    const run = newRun();
    const before = performance.eventLoopUtilization();
    const began = performance.now();
    const reads = await Promise.all([1, 2, 3].map(() => readHostile(1_000, run, HOSTILE.slice(-60_000))));
    expect(reads).toEqual(Array.from({ length: 3 }, () => ({ ok: false, limit: 'time' })));
    const { active } = performance.eventLoopUtilization(before);
    expect(performance.now() - began).toBeGreaterThan(2_900);
    // The others are read in a thread that can be ended.
    expect(active).toBeLessThan(1_900);
  });

  it('do not delay the long texts of another site by as much', async () => {
    const ended: string[] = [];
    const note = (name: string) => (): void => void ended.push(name);
    const run = newRun();
    const hostile = Promise.all([1, 2].map(() => readHostile(1_500, run).then(note('hostile'))));
    await Promise.all([readLong(newRun()).then(note('long')), hostile]);
    expect(ended).toEqual(['long', 'hostile', 'hostile']);
  });

  it('do not keep another run from ending in time', async () => {
    const hostile = readHostile(1_500, newRun());
    const run = new AbortController();
    const waiting = readHostile(10_000, run.signal);
    run.abort();
    expect(await Promise.race([waiting, hostile])).toEqual({ ok: false, limit: 'ended' });
    expect(await hostile).toEqual({ ok: false, limit: 'time' });
  });
});
