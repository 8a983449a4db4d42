import { describe, expect, it } from 'vitest';
import { viewOf } from '../../../test/server/view.ts';
import type { MonitorView } from '../view.ts';
import { createMetrics } from './metrics.ts';

describe('createMetrics', () => {
  it('tries again after what could not be made', async () => {
    const whole = viewOf();
    let isBroken = true;
    const view: MonitorView = {
      ...whole,
      sites() {
        if (isBroken) throw new Error('EMFILE');
        return whole.sites();
      },
    };
    const metrics = createMetrics(view);
    await expect(metrics()).rejects.toThrow('EMFILE');
    isBroken = false;
    expect(await metrics()).toContain('docvitals_ready 1');
  });
});
