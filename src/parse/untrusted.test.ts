import type { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { readUntrusted } from './untrusted.ts';

const LONG = 'a { background: url(a.png) }\n'.repeat(4_000);

it('reads long texts in one thread at a time', async () => {
  const running = new Set<Worker>();
  const atOnce: number[] = [];
  const onWorker = (worker: Worker): void => {
    running.add(worker);
    atOnce.push(running.size);
    worker.on('exit', () => running.delete(worker));
  };
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const reads = await Promise.all([1, 2, 3].map(() => readUntrusted('css-urls', LONG, null, { limitMs: 10_000 })));
  expect(reads.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(atOnce).toEqual([1, 1, 1]);
});
