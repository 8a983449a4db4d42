import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { siteAt } from '../../../test/monitor/settings.ts';
import type { MonitoredSite } from '../settings.ts';
import { rewatch, watch } from './watched-site.ts';

const URL = 'https://docs.example/';

describe('what a site tells its version by', () => {
  it.each<[string, MonitoredSite, boolean]>([
    ['another pace', siteAt(URL, { schedule: { kind: 'every', everyMs: 5_000, jitterMs: 0 } }), true],
    ['another address', siteAt('https://docs.example/v2/'), false],
    [
      'another place of the version',
      siteAt(URL, {
        checking: { ...DEFAULT_CONFIG, versionFrom: { path: 'version.json', pick: { pointer: '/commit' } } },
      }),
      false,
    ],
  ])('after a configuration with %s', (_name, site, isSame) => {
    const watched = watch(siteAt(URL), null, {});
    const { versions } = watched;
    rewatch(watched, site, {});
    expect(watched.site).toBe(site);
    expect(watched.versions === versions).toBe(isSame);
  });
});
