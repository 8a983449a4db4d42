import { describe, expect, it } from 'vitest';
import { resultOf } from '../../core/run.ts';
import type { CheckResult } from '../../core/check.ts';
import { checks } from '../../../checks/index.ts';
import { policy } from '../../../test/monitor/incident/story.ts';
import { siteAt, webhookTo } from '../../../test/monitor/settings.ts';
import { errorsOf, fingerprintOf } from '../incident/findings.ts';
import type { IncidentFinding } from '../incident/incident.ts';
import { emptyState } from '../incident/state.ts';
import type { AlertRoute } from '../settings.ts';
import { COLLECTING_MS, SentFindings, type FindingsOf } from './findings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** In the middle of a day. */
const NOON = Date.parse('2026-11-20T12:00:00Z');

const links = checks.find(({ id }) => id === 'links');

/** A site whose links check found these missing targets at `since`, twice. */
function found(id: string, since: number, ...targets: readonly string[]): FindingsOf {
  if (links === undefined) throw new Error('no check links');
  const findings = targets.map((target) => ({ rule: 'missing', evidence: { target } }));
  const done = { gathered: { answer: null }, findings, base: new URL('https://docs.test/'), durationMs: 1 };
  const result: CheckResult = resultOf(links, done, { rules: new Map() });
  const known = errorsOf(result, false).map((finding) => [fingerprintOf(finding), { check: 'links', since, times: 2 }]);
  const state = { ...emptyState(), findings: Object.fromEntries(known) };
  return {
    site: siteAt(`https://${id}.test/`, { id }),
    state,
    results: new Map([['links', result]]),
    policy: policy(),
  };
}

const targetOf = ({ evidence: { target } }: IncidentFinding): string => (typeof target === 'string' ? target : '');

/** What routes know, from notes that last; what is planned for one and received, as `<route>: <site>/<target> …`. */
function sentFindings(notes = new Map<string, string>()) {
  const findings = new SentFindings();
  return {
    notes,
    /** What is planned at a time after noon. */
    at: async (
      ms: number,
      route: AlertRoute,
      sites: readonly FindingsOf[],
      isLast = false,
    ): Promise<readonly string[]> => {
      await findings.read([route], async (name) => notes.get(name) ?? null);
      const planned = findings.plan([route], sites, NOON + ms, isLast, () => false);
      for (const one of planned) {
        for (const [name, text] of findings.received(one, sites, NOON + ms)) notes.set(name, text);
      }
      return planned.map(({ route: id, newFindings = [] }) => {
        return `${id}: ${newFindings.map(({ site, finding }) => `${site.id}/${targetOf(finding)}`).join(' ')}`;
      });
    },
  };
}

const daily = webhookTo('https://hook.test/');
const each = webhookTo('https://hook.test/', { findings: 'each' });

describe('new findings', () => {
  it('are sent at once to a route that wants each, and once', async () => {
    const { at } = sentFindings();
    const one = found('docs', NOON, 'a.md');
    expect(await at(0, each, [one])).toEqual(['ops: docs/a.md']);
    expect(await at(MINUTE, each, [one])).toEqual([]);
    expect(await at(2 * MINUTE, each, [found('docs', NOON, 'a.md', 'b.md')])).toEqual(['ops: docs/b.md']);
  });

  it('of all sites are one list a day, which waits for the others', async () => {
    const { at } = sentFindings();
    const sites = [found('docs', NOON, 'a.md'), found('api', NOON + 5 * MINUTE, 'b.md')];
    expect(await at(COLLECTING_MS - 1, daily, sites)).toEqual([]);
    expect(await at(COLLECTING_MS, daily, sites)).toEqual(['ops: docs/a.md api/b.md']);
    const more = [found('docs', NOON, 'a.md', 'c.md'), ...sites.slice(1)];
    expect(await at(600 * MINUTE, daily, more)).toEqual([]);
    expect(await at(720 * MINUTE, daily, more), 'on the next day').toEqual(['ops: docs/c.md']);
    expect(await at(720 * MINUTE + DAY, daily, more)).toEqual([]);
  });

  it('wait for nothing in a single run', async () => {
    expect(await sentFindings().at(0, daily, [found('docs', NOON, 'a.md')], true)).toEqual(['ops: docs/a.md']);
  });

  it('are known after a restart', async () => {
    const { at, notes } = sentFindings();
    const one = found('docs', NOON, 'a.md');
    await at(0, each, [one]);
    expect(await sentFindings(notes).at(MINUTE, each, [one])).toEqual([]);
  });

  it('wait while a list is on its way', () => {
    const findings = new SentFindings();
    expect(findings.plan([each], [found('docs', NOON, 'a.md')], NOON, false, (route) => route === 'ops')).toEqual([]);
  });

  it('of a site that is gone for a while are known when it is back', async () => {
    const { at } = sentFindings();
    const one = found('docs', NOON, 'a.md');
    await at(0, each, [one]);
    expect(await at(1, each, [found('api', NOON, 'b.md')])).toEqual(['ops: api/b.md']);
    expect(await at(2, each, [one])).toEqual([]);
  });

  it('are sent to no route that wants none, has other tags, or is not one of the site', async () => {
    const one = found('docs', NOON, 'a.md');
    for (const route of [
      { ...each, findings: 'none' as const },
      { ...each, tags: ['public'] },
    ]) {
      expect(await sentFindings().at(0, route, [one])).toEqual([]);
    }
    const own = { ...one, site: { ...one.site, alerts: ['mail'] } };
    expect(await sentFindings().at(0, each, [own])).toEqual([]);
  });

  it('wait until a run shows what they are, after a restart', async () => {
    const { at } = sentFindings();
    const one = found('docs', NOON, 'a.md');
    expect(await at(0, each, [{ ...one, results: new Map() }])).toEqual([]);
    expect(await at(1, each, [one])).toEqual(['ops: docs/a.md']);
  });

  it('that were fixed and forgotten are new when they return', async () => {
    const { at } = sentFindings();
    const one = found('docs', NOON, 'a.md');
    await at(0, each, [one]);
    expect(await at(DAY, each, [found('docs', NOON, 'b.md')])).toEqual(['ops: docs/b.md']);
    expect(await at(2 * DAY, each, [one])).toEqual(['ops: docs/a.md']);
  });
});
