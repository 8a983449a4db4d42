import type { Check } from '../../check.ts';
import type { MonitoredSite } from '../settings.ts';
import type { IncidentPolicy } from './incident.ts';

/** What a site's runs run. */
export interface RunChecks {
  readonly core: readonly Check[];
  /** The core checks among them; empty where the whole site is never looked at. */
  readonly full: readonly Check[];
}

/** What a transition has to be told of a site. */
export function policyOf(site: MonitoredSite, { core, full }: RunChecks): IncidentPolicy {
  const quick = new Set(core.map(({ id }) => id));
  const fullOnly = full.filter(({ id }) => !quick.has(id));
  const declared = [...core, ...fullOnly];
  return {
    site: site.id,
    rtoMs: site.objectiveMs,
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
