/** Which incidents of several sites are one and the same trouble. Pure. */
import { REASONS } from '../../http/reasons.ts';
import type { Incident } from './incident.ts';
import { isOutage } from './open.ts';

/** An incident and where its site is. */
export interface SitedIncident {
  readonly incident: Incident;
  /** The site's base URL. */
  readonly url: string;
}

/** What comes later than this has a cause of its own. */
const SAME_CAUSE_MS = 2 * 60_000;

/**
 * The open incident whose root cause a new one shares, so that one alert tells of both: on the same origin, opened
 * within two minutes, both outages or neither, and failing in the same way: either no reply came at all, or both are down
 * with the same codes.
 * `null`: it has its own. Never the id of one that shares another's: whoever is told of that one is told of both.
 */
export function rootCause(one: SitedIncident, open: readonly SitedIncident[]): string | null {
  const same = open.filter(
    ({ incident, url }) =>
      incident.id !== one.incident.id &&
      incident.recoveredAt === null &&
      incident.sameAs === null &&
      new URL(url).origin === new URL(one.url).origin &&
      Math.abs(incident.detectedAt - one.incident.detectedAt) <= SAME_CAUSE_MS &&
      failsAlike(incident, one.incident),
  );
  const [first] = same.toSorted((a, b) => a.incident.detectedAt - b.incident.detectedAt || byId(a, b));
  return first?.incident.id ?? null;
}

const byId = (a: SitedIncident, b: SitedIncident): number => (a.incident.id < b.incident.id ? -1 : 1);

function failsAlike(a: Incident, b: Incident): boolean {
  if (isOutage(a) !== isOutage(b)) return false;
  if (isSilent(a) && isSilent(b)) return true;
  const rules = new Set(a.codes);
  return isOutage(a) && rules.size === new Set(b.codes).size && b.codes.every((rule) => rules.has(rule));
}

/** No reply came at all, for whatever reason. */
const isSilent = ({ codes }: Incident): boolean =>
  codes.length > 0 && codes.every((rule) => Object.hasOwn(REASONS, rule));
