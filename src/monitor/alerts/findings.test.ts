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
import type { Alert, SendResult } from './alert.ts';
import { COLLECTING_MS, FindingsNotifier, type FindingsOf } from './findings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** In the middle of a day. */
const NOON = Date.parse('2026-11-20T12:00:00Z');
const OK: SendResult = { ok: true, status: 200 };
const FAILED: SendResult = { ok: false, error: 'http 503', permanent: false, retryAfterMs: null };

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

/** A notifier on a database that other processes use, too; what it sent, as `<route>: <site>/<target> …`. */
function notifier(results: SendResult[] = [], notes = new Map<string, string>()) {
  const sent: string[] = [];
  let now = NOON;
  const send = async ({ id }: AlertRoute, { newFindings = [] }: Alert): Promise<SendResult> => {
    const result = results.shift() ?? OK;
    const listed = newFindings.map(({ site, finding }) => `${site.id}/${targetOf(finding)}`);
    sent.push(`${id}: ${listed.join(' ')}${result.ok ? '' : ' failed'}`);
    return result;
  };
  const store = {
    note: async (name: string) => notes.get(name) ?? null,
    setNote: async (name: string, text: string) => void notes.set(name, text),
  };
  const findings = new FindingsNotifier({ store, send, now: () => now, random: () => 0 });
  return {
    notes,
    /** What is sent at a time after noon. */
    at: async (
      ms: number,
      route: AlertRoute,
      sites: readonly FindingsOf[],
      isLast = false,
    ): Promise<readonly string[]> => {
      now = NOON + ms;
      await findings.notify([route], sites, isLast);
      return sent.splice(0);
    },
  };
}

const daily = webhookTo('https://hook.test/');
const each = webhookTo('https://hook.test/', { findings: 'each' });

describe('new findings', () => {
  it('are sent at once to a route that wants each, and once', async () => {
    const { at } = notifier();
    const one = found('docs', NOON, 'a.md');
    expect(await at(0, each, [one])).toEqual(['ops: docs/a.md']);
    expect(await at(MINUTE, each, [one])).toEqual([]);
    expect(await at(2 * MINUTE, each, [found('docs', NOON, 'a.md', 'b.md')])).toEqual(['ops: docs/b.md']);
  });

  it('of all sites are one list a day, which waits for the others', async () => {
    const { at } = notifier();
    const sites = [found('docs', NOON, 'a.md'), found('api', NOON + 5 * MINUTE, 'b.md')];
    expect(await at(COLLECTING_MS - 1, daily, sites)).toEqual([]);
    expect(await at(COLLECTING_MS, daily, sites)).toEqual(['ops: docs/a.md api/b.md']);
    const more = [found('docs', NOON, 'a.md', 'c.md'), ...sites.slice(1)];
    expect(await at(600 * MINUTE, daily, more)).toEqual([]);
    expect(await at(720 * MINUTE, daily, more), 'on the next day').toEqual(['ops: docs/c.md']);
    expect(await at(720 * MINUTE + DAY, daily, more)).toEqual([]);
  });

  it('wait for nothing in a single run', async () => {
    expect(await notifier().at(0, daily, [found('docs', NOON, 'a.md')], true)).toEqual(['ops: docs/a.md']);
  });

  it('are known after a restart', async () => {
    const { at, notes } = notifier();
    const one = found('docs', NOON, 'a.md');
    await at(0, each, [one]);
    expect(await notifier([], notes).at(MINUTE, each, [one])).toEqual([]);
  });

  it('are sent again until they are received, after a growing pause', async () => {
    const { at } = notifier([FAILED, FAILED]);
    const one = found('docs', NOON, 'a.md');
    expect(await at(0, each, [one])).toEqual(['ops: docs/a.md failed']);
    expect(await at(100, each, [one])).toEqual([]);
    expect(await at(1_000, each, [one])).toEqual(['ops: docs/a.md failed']);
    expect(await at(10_000, each, [one])).toEqual(['ops: docs/a.md']);
  });

  it('are sent to no route that wants none, has other tags, or is not one of the site', async () => {
    const one = found('docs', NOON, 'a.md');
    for (const route of [
      { ...each, findings: 'none' as const },
      { ...each, tags: ['public'] },
    ]) {
      expect(await notifier().at(0, route, [one])).toEqual([]);
    }
    const own = { ...one, site: { ...one.site, alerts: ['mail'] } };
    expect(await notifier().at(0, each, [own])).toEqual([]);
  });

  it('wait until a run shows what they are, after a restart', async () => {
    const { at } = notifier();
    const one = found('docs', NOON, 'a.md');
    expect(await at(0, each, [{ ...one, results: new Map() }])).toEqual([]);
    expect(await at(1, each, [one])).toEqual(['ops: docs/a.md']);
  });

  it('that were fixed and forgotten are new when they return', async () => {
    const { at } = notifier();
    const one = found('docs', NOON, 'a.md');
    await at(0, each, [one]);
    await at(DAY, each, [found('docs', NOON, 'b.md')]);
    expect(await at(2 * DAY, each, [one])).toEqual(['ops: docs/a.md']);
  });
});
