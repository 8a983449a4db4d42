import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { emptyState } from '../incident/state.ts';
import { siteAt } from '../../../test/monitor/settings.ts';
import type { MonitoredSite } from '../settings.ts';
import { reportOf } from '../../../test/reports.ts';
import { compact, updateWatched, watch, withoutPictures } from './watched-site.ts';

const URL = 'https://docs.example/';

describe('the runs of a site', () => {
  const every = { kind: 'every', everyMs: 60_000, jitterMs: 0 } as const;
  const beyondCore = (site: MonitoredSite): Readonly<Record<'full' | 'browser', boolean[]>> => {
    const { policy } = watch(site, null, {});
    const isIn = (scope: 'full' | 'browser'): boolean[] =>
      ['links', 'assets', 'rendered'].map((id) => policy.beyond[scope].includes(id));
    return { full: isIn('full'), browser: isIn('browser') };
  };

  it.each([
    ['without a browser', null, { full: [true, true, false], browser: [false, false, false] }],
    ['with one', every, { full: [true, true, false], browser: [false, false, true] }],
  ])('share no check beyond the core checks, %s', (_name, browser, expected) => {
    expect(beyondCore(siteAt(URL, { full: every, browser }))).toEqual(expected);
  });

  it('keep no pictures, and a bounded number of pages', () => {
    const page = { route: '', isOk: true, headingMs: 5, largestPaintMs: 6, layoutShift: 0, transferredBytes: 7 };
    const rendered = Array.from({ length: 30 }, () => ({ ...page, requests: 2, screenshot: new Uint8Array(9) }));
    const [result] = reportOf([{ id: 'rendered', rendered }]).checks;
    const kept = result === undefined ? [] : (withoutPictures(compact(result)).rendered ?? []);
    expect([kept.length, ...new Set(kept.map(({ screenshot }) => screenshot))]).toEqual([20, null]);
  });
});

describe('what is known of deployments', () => {
  const seen = (value: string) => ({ value, times: 2, changes: [] });
  const elsewhere = { ...DEFAULT_CONFIG, versionFrom: { path: 'version.json', pick: { pointer: '/commit' } } };

  it.each<[string, MonitoredSite, ReturnType<typeof seen> | null, readonly string[]]>([
    [
      'stays at another pace',
      siteAt(URL, { schedule: { kind: 'every', everyMs: 5_000, jitterMs: 0 } }),
      seen('v1'),
      ['home'],
    ],
    ['is without the version where that is read elsewhere', siteAt(URL, { checking: elsewhere }), null, ['home']],
    ['is gone at another address', siteAt('https://docs.example/v2/'), null, []],
  ])('%s', (_name, site, version, files) => {
    const deployments = { live: null, version: seen('v1'), contents: { home: seen('a') } };
    const before = siteAt(URL);
    const watched = new Map([[before.id, watch(before, { ...emptyState(), deployments }, {})]]);
    updateWatched(watched, { sites: [{ ...site, id: before.id }] }, new Map(), {});
    expect(watched.get(before.id)?.site.schedule).toEqual(site.schedule);
    const after = watched.get(before.id)?.state?.deployments;
    expect(after?.version).toEqual(version);
    expect(Object.keys(after?.contents ?? {})).toEqual(files);
  });
});
