/**
 * The documentation site on real hosts, by what `docvitals hosting` prints for them: every check passes without a
 * warning. Slow, because a browser opens pages on each.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTS, KIND, printed, startPrinted } from '../hosting/printed.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { builtSite, reported, type BuiltSite } from './site.ts';

let site: BuiltSite;
beforeAll(async () => {
  site = await builtSite();
}, 60_000);
afterAll(() => site.remove());

const browser = chromiumWanted() ? ['--browser'] : [];

describe.each(HOSTS)('on %s', { timeout: 180_000 }, (host) => {
  it.each(['/', '/docs/'])('below %s', async (base) => {
    const { files } = await printed([host, '--base', base]);
    const running = await startPrinted(host, base, files, site.folder);
    try {
      const outcome = await reported([running.url, '--host', KIND[host], '--source', site.folder, ...browser]);
      expect(outcome).toEqual({ verdict: 'healthy', findings: [] });
    } finally {
      await running.stop();
    }
  });
});
