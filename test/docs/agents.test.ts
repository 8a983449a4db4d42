/** The documentation as agents read it, by the checks of afdocs, which this project did not write. */
import { runChecks } from 'afdocs';
import { expect, it } from 'vitest';
import { HOMEPAGE } from '../../src/core/version.ts';
import { printed, startPrinted } from '../hosting/printed.ts';
import { builtSite } from './site.ts';

it('passes the checks of afdocs', { timeout: 120_000 }, async () => {
  const site = await builtSite(new URL(HOMEPAGE));
  const { files } = await printed(['cloudflare', '--base', '/docvitals/']);
  const host = await startPrinted('cloudflare', '/docvitals/', files, site.folder);
  try {
    const { results } = await runChecks(host.url, { canonicalOrigin: HOMEPAGE, requestDelay: 0 });
    expect(results.length).toBeGreaterThan(20);
    expect(results.filter(({ status }) => status !== 'pass' && status !== 'skip')).toEqual([]);
  } finally {
    await host.stop();
    site.remove();
  }
});
