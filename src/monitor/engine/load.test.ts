import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createLoadMeter } from './concurrency.ts';

describe('createBusyness', () => {
  it('reports whether there was as much to do as can be done', async () => {
    const isBusy = createLoadMeter();
    expect(isBusy()).toBe(false);
    await vi.waitFor(
      () => {
        const until = performance.now() + 150;
        while (performance.now() < until);
        expect(isBusy()).toBe(true);
      },
      { timeout: 5_000, interval: 0 },
    );
    await vi.waitFor(
      async () => {
        await sleep(150);
        expect(isBusy()).toBe(false);
      },
      { timeout: 5_000, interval: 0 },
    );
  });
});
