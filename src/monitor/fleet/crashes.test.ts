import { describe, expect, it } from 'vitest';
import { crashGuard } from './fleet-probe.ts';

const MINUTE = 60_000;

function start() {
  const clock = { ms: 0 };
  const logged: string[] = [];
  const now = (): number => clock.ms;
  const crashes = crashGuard((_level, event) => logged.push(event), now, now);
  const { signal } = new AbortController();
  return { clock, logged, crashes, admit: () => crashes.admit('docs', 'core', signal) };
}

describe('a site whose runs end their runners', () => {
  it('waits 1, 2, 4, 8, 16 and then 30 minutes, from the second time on', async () => {
    const { clock, crashes, admit } = start();
    crashes.note('docs', 'core', true);
    expect([crashes.isKnown(), await admit()]).toEqual([false, expect.any(Function)]);
    for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
      crashes.note('docs', 'core', true);
      clock.ms += minutes * MINUTE - 1;
      expect([crashes.isKnown(), await admit()]).toEqual([true, null]);
      clock.ms += 1;
      void admit();
    }
  });

  it('is checked as before when a run of it has ended', async () => {
    const { crashes, logged, admit } = start();
    crashes.note('docs', 'core', true);
    crashes.note('docs', 'core', true);
    crashes.note('docs', 'core', false);
    expect([crashes.isKnown(), await admit()]).toEqual([false, expect.any(Function)]);
    expect(logged).toEqual(['runners-crashed', 'runners-survived']);
  });

  it('leaves other sites and scopes alone, and is run apart from others like it', async () => {
    const { crashes } = start();
    const { signal } = new AbortController();
    for (const site of ['docs', 'blog']) crashes.note(site, 'core', true);
    expect(await crashes.admit('docs', 'full', signal)).not.toBe(null);
    const end = await crashes.admit('docs', 'core', signal);
    let hasTurn = false;
    const second = (async () => {
      await crashes.admit('blog', 'core', signal);
      hasTurn = true;
    })();
    await Promise.resolve();
    expect(hasTurn).toBe(false);
    end?.();
    await second;
    expect(hasTurn).toBe(true);
  });
});
