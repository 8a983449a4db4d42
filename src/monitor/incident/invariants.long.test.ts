/** What holds whatever a site does: long stories at random, the same for the same seed. */
import { describe, expect, it } from 'vitest';
import { random, type Random } from '../../../test/generator/random.ts';
import { observed, policy, type Looked } from '../../../test/monitor/incident/story.ts';
import type { Incident, IncidentEvent, Transition } from './incident.ts';
import type { SiteState } from './state.ts';
import { currentIncident, openIncidents, emptyState } from './state.ts';
import { transitionOf } from './transition.ts';

const CHECKS = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];
const RULES = ['refused', 'reset', 'not-found', 'server-error'];

interface Step {
  readonly checked: Looked;
  readonly transition: Transition;
  readonly before: SiteState | null;
}

/** A site that is well for a while, then not, then cannot be told of; checked as the transitions ask for. */
function live(seed: number, steps: number, copy: (state: SiteState) => SiteState): readonly Step[] {
  const chance = random(seed);
  const reported = policy({
    recover: { times: 1 + chance.int(3) },
    confirm: { afterMs: 2_000, times: 1 + chance.int(4) },
  });
  const done: Step[] = [];
  let [state, mood, at] = [null as SiteState | null, 'well', 0];
  for (let step = 0; step < steps; step++) {
    if (chance.chance(0.15)) mood = chance.pick(['well', 'well', 'ill', 'odd', 'ours', 'unknown']);
    const checked = look(mood, at, chance);
    const transition = transitionOf(state, observed(checked, reported), reported);
    done.push({ checked, transition, before: state });
    state = copy(transition.state);
    at = next(at, transition, chance);
  }
  return done;
}

function look(mood: string, at: number, chance: Random): Looked {
  const ids = chance.shuffled(CHECKS).slice(0, 1 + chance.int(3));
  const scope = chance.chance(0.1) ? 'full' : 'core';
  const isIll = mood === 'ill' || (mood === 'odd' && chance.chance(0.5));
  const fails = isIll ? Object.fromEntries(ids.map((id) => [id, chance.pick(RULES)])) : {};
  return {
    at,
    scope,
    took: chance.next() * 3,
    fails: scope === 'full' && chance.chance(0.3) ? { ...fails, links: 'missing' } : fails,
    ...(mood === 'unknown' ? { unknown: ids } : {}),
    ...(mood === 'ours' ? { ours: true as const } : {}),
    ...(chance.chance(0.05) ? { maintenance: at + 30 } : {}),
    ...(chance.chance(0.3) ? { version: `v${Math.floor(at / 200)}` } : {}),
  };
}

/** Mostly as asked for; now and then after a long pause, and now and then the clock was set back. */
function next(at: number, { recheck }: Transition, chance: Random): number {
  if (chance.chance(0.01)) return at + 7_200;
  if (chance.chance(0.01)) return at - 50.123;
  return at + (recheck === null ? 10 : Math.max(1, recheck.afterMs / 1_000));
}

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);
const asText = (state: SiteState): SiteState => JSON.parse(JSON.stringify(state)) as SiteState;
const stories = SEEDS.map((seed) => live(seed, 300, asText));
const incidents = (steps: readonly Step[]): { readonly kind: IncidentEvent['kind']; readonly incident: Incident }[] =>
  steps.flatMap(({ transition }) => [...transition.events]);

/** Runs that confirm a failure, the first one included. */
const MOST_CONFIRMING = 4;
const VITAL = ['bundle', 'config'];

/** By what it fails; of runs of the core checks. */
const isDownRun = ({ checked }: Step): boolean =>
  checked.scope === 'core' &&
  checked.ours === undefined &&
  checked.maintenance === undefined &&
  VITAL.some((id) => Object.hasOwn(checked.fails ?? {}, id));

/** The longest runs of steps of which something holds. */
function runsOf(steps: readonly Step[], holds: (step: Step) => boolean): readonly (readonly Step[])[] {
  const runs: Step[][] = [[]];
  for (const step of steps) {
    if (holds(step)) runs.at(-1)?.push(step);
    else runs.push([]);
  }
  return runs;
}

/** They confirm each other. */
const isQuick = (steps: readonly Step[]): boolean =>
  steps.every(({ checked }, index) => Math.abs(checked.at - (steps[index - 1]?.checked.at ?? checked.at)) < 20);

describe('whatever a site does', () => {
  it('a lot happens in these stories', () => {
    const all = stories.flatMap(incidents);
    for (const kind of ['opened', 'changed', 'recovered']) {
      expect(all.filter((event) => event.kind === kind).length).toBeGreaterThan(50);
    }
    expect(all.some(({ incident }) => incident.flapping)).toBe(true);
    expect(all.some(({ incident }) => incident.deploy !== null)).toBe(true);
  });

  it.each(SEEDS)('the clocks of incidents are in order (%i)', (seed) => {
    for (const { incident } of incidents(stories[seed] ?? [])) {
      expect(incident.startedAt).toBeLessThanOrEqual(incident.detectedAt);
      expect(incident.recoveredAt ?? Infinity).toBeGreaterThanOrEqual(incident.detectedAt);
      expect(incident.checks.length).toBeGreaterThan(0);
      expect(incident.findings.length).toBeGreaterThan(0);
    }
  });

  it.each(SEEDS)('one outage and one defect at a time: each opens, and ends before the next one (%i)', (seed) => {
    const open = { outage: null as string | null, defect: null as string | null };
    for (const { kind, incident } of incidents(stories[seed] ?? [])) {
      const of = incident.verdict === 'down' ? 'outage' : 'defect';
      expect(open[of]).toBe(kind === 'opened' ? null : incident.id);
      // Of a defect nothing is reported while there is an outage.
      expect(of === 'defect' ? open.outage : null).toBeNull();
      open[of] = kind === 'recovered' ? null : incident.id;
    }
    const state = stories[seed]?.at(-1)?.transition.state ?? emptyState();
    expect(openIncidents(state).map(({ id }) => id)).toEqual([open.outage, open.defect].filter((id) => id !== null));
  });

  it.each(SEEDS)('a defect lies under an outage only, and stays as it was (%i)', (seed) => {
    for (const { transition, before } of stories[seed] ?? []) {
      const { outage, degradation } = transition.state;
      if (outage.incident === null || degradation.incident === null) continue;
      expect(degradation.incident.verdict).toMatch(/degraded|stale/);
      expect(degradation.incident).toEqual(before?.degradation.incident);
    }
  });

  it.each(SEEDS)('runs in a row that are down are an outage (%i)', (seed) => {
    const long = runsOf(stories[seed] ?? [], isDownRun).filter(
      (steps) => steps.length > MOST_CONFIRMING && isQuick(steps),
    );
    const verdicts = new Set(long.map((steps) => currentIncident(steps.at(-1)?.transition.state ?? null)?.verdict));
    expect([...verdicts].filter((verdict) => verdict !== 'down')).toEqual([]);
  });

  it.each(SEEDS)('nothing opens where nothing is reported, and nothing ends there (%i)', (seed) => {
    const wrong = (stories[seed] ?? []).filter(({ checked, transition }) => {
      const kinds = new Set(transition.events.map(({ kind }) => kind));
      const fails = Object.keys(checked.fails ?? {}).length > 0;
      const isUntold = checked.ours === true || (checked.unknown !== undefined && !fails);
      const opens = kinds.has('opened');
      return (
        (isUntold && (opens || kinds.has('recovered') || transition.suspicion === 'suspected')) ||
        // What was seen while a site was in an outage opens with its end.
        (opens && (checked.maintenance !== undefined || (!fails && !kinds.has('recovered'))))
      );
    });
    expect(wrong).toEqual([]);
  });

  it.each(SEEDS)('an incident only gets graver, and its findings are those of its checks (%i)', (seed) => {
    const rank = { stale: 0, degraded: 1, down: 2 };
    const last = new Map<string, Incident>();
    for (const { incident } of incidents(stories[seed] ?? [])) {
      const before = last.get(incident.id);
      expect(rank[incident.verdict]).toBeGreaterThanOrEqual(before === undefined ? 0 : rank[before.verdict]);
      expect(incident.checks).toEqual(expect.arrayContaining([...(before?.checks ?? [])]));
      expect(incident.rules).toEqual(expect.arrayContaining(incident.findings.map(({ rule }) => rule)));
      last.set(incident.id, incident);
    }
  });

  it.each(SEEDS)(
    'what is remembered has the size of a note, and is the same in memory as from the database (%i)',
    (seed) => {
      const kept = stories[seed] ?? [];
      expect(live(seed, 300, (state) => state).map(({ transition }) => transition)).toEqual(
        kept.map(({ transition }) => transition),
      );
      for (const { transition } of kept) expect(JSON.stringify(transition.state).length).toBeLessThan(8_000);
    },
  );
});
