/** A docsify page whose script is made to be slow to read. More of each kind is in `scripts.long.test.ts`. */
import { describe, expect, it } from 'vitest';
import { makeProject, startProcess } from '../monitor/process.ts';
import { expectAliased, expectUnread, HOSTILE, site } from './scripts.ts';

describe('a script that is slow to read', () => {
  it('is not known', () => expectUnread('text that doubles'));

  it('does not stop a full check by an alias', () => expectAliased('alternatives'));
});

describe.skipIf(process.platform === 'win32')('a monitor of a site whose script is slow to read', () => {
  it('responds, reports the outage of another site, and stops', async () => {
    const [hostile, docs] = [await site(HOSTILE), await site('window.$docsify = {}')];
    const often = { every: '1s', confirm: { after: '100ms', times: 3 } };
    const project = makeProject({
      sites: [
        { id: 'hostile', url: hostile.url, ...often },
        { id: 'docs', url: docs.url, ...often },
      ],
      monitor: { connectivity: [], listen: '127.0.0.1:0' },
    });
    const { child, told, lines, ended } = await startProcess(project);
    try {
      const { url } = (await told('monitor-started')) as unknown as { readonly url: string };
      // Both are checked once, at least.
      await expect.poll(async () => (await fetch(new URL('/readyz', url))).status, { timeout: 20_000 }).toBe(200);
      await docs.close();
      expect(await told('incident-opened')).toMatchObject({ site: 'docs' });
      expect((await fetch(new URL('/healthz', url))).status).toBe(200);
      expect(lines.filter(({ event }) => event === 'blocked')).toEqual([]);
      const signalledAt = performance.now();
      child.kill('SIGTERM');
      expect((await ended).status).toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(3_000);
    } finally {
      child.kill('SIGKILL');
      await ended;
      project.remove();
    }
  }, 60_000);
});
