import type { Check } from '../../check.ts';
import type { MonitoredSite } from '../settings.ts';
import type { IncidentPolicy } from './incident.ts';

/** What a site's rounds run. */
export interface RoundChecks {
  readonly five: readonly Check[];
  /** The five among them; empty where the whole site is never looked at. */
  readonly full: readonly Check[];
}

/** What a transition has to be told of a site. */
export function policyOf(site: MonitoredSite, { five, full }: RoundChecks): IncidentPolicy {
  const quick = new Set(five.map(({ id }) => id));
  const fullOnly = full.filter(({ id }) => !quick.has(id));
  const declared = [...five, ...fullOnly];
  return {
    site: site.id,
    objectiveMs: site.objectiveMs,
    confirm: site.confirm,
    recover: site.recover,
    strict: site.checking.strict,
    vital: declared.filter(({ vital }) => vital !== undefined).map(({ id }) => id),
    declared: declared.map(({ id, vital, freshness }) => ({
      id,
      ...(vital === undefined ? {} : { vital }),
      ...(freshness === undefined ? {} : { freshness }),
    })),
    fullOnly: fullOnly.map(({ id }) => id),
    everyMs: site.schedule.kind === 'every' ? site.schedule.everyMs : null,
    fullEveryMs: site.full?.kind === 'every' ? site.full.everyMs : null,
  };
}
