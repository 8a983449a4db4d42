/**
 * Notifications of new findings: errors of full checks and of pages in the browser that take no site down. Each route gets a
 * list of those that it does not know, at once or once a day.
 */
import type { CheckResult } from '../../core/check.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { confirmedFindings, listedFindings } from '../incident/findings.ts';
import type { IncidentPolicy } from '../incident/run.ts';
import type { SiteState } from '../incident/state.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';
import { findingsAlert, notificationOf, type Notification, type SiteFinding } from './alert.ts';
import { routesOf } from './plan.ts';

/** A daily list waits for so long after its first finding: the sites are not checked at the same time. */
export const COLLECTING_MS = 10 * MINUTE_MS;

export interface FindingsOf {
  readonly site: MonitoredSite;
  readonly state: SiteState | null;
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly policy: IncidentPolicy;
}

/** What a route knows. */
interface Known {
  /** When the last list was received; `null`: never. */
  readonly sentAt: number | null;
  /** The fingerprints of the findings that it was notified of, by site. */
  readonly sites: Readonly<Record<string, readonly string[]>>;
}

const UNKNOWN: Known = { sentAt: null, sites: {} };

/** The note of the database with what a route knows. */
const noteOf = (route: string): string => `findings-sent:${route}`;

/** What each route knows of findings. */
export class SentFindings {
  readonly #routes = new Map<string, Known>();

  /** Reads what routes know. Rejects with a `StoreError`. */
  async read(routes: readonly AlertRoute[], note: (name: string) => Promise<string | null>): Promise<void> {
    for (const { id } of routes) {
      if (this.#routes.has(id)) continue;
      const text = await note(noteOf(id));
      if (text !== null) this.#routes.set(id, JSON.parse(text) as Known);
    }
  }

  /**
   * The lists that are due. `sites`: those of which a finding may be notified now; `isLast`: nothing follows today, so that a
   * daily list waits for nothing; `isWaiting`: whether a route has not received the last one yet.
   */
  plan(
    routes: readonly AlertRoute[],
    sites: readonly FindingsOf[],
    at: number,
    isLast: boolean,
    isWaiting: (route: AlertRoute['id']) => boolean,
  ): readonly Notification[] {
    const found = sites.filter(({ state }) => state?.findings !== undefined);
    return routes.flatMap((route) => {
      if (found.length === 0 || route.findings === 'none' || isWaiting(route.id)) return [];
      const known = this.#routes.get(route.id) ?? UNKNOWN;
      const news = found
        .filter(({ site }) => routesOf(site, [route]).length > 0)
        .flatMap((one) => newFindings(one, known.sites[one.site.id] ?? []));
      if (news.length === 0 || !isDue(route, known, news, at, isLast)) return [];
      return [notificationOf(findingsAlert(news, route.id, at), route.id, at)];
    });
  }

  /** A list was received: returns the note that is kept of it. `sites`: all that are watched. */
  received({ route, newFindings: news = [] }: Notification, sites: readonly FindingsOf[], at: number) {
    const before = this.#routes.get(route) ?? UNKNOWN;
    const ofSites = sites.map((one) => [one.site.id, knownAfter(one, before, news)] as const);
    const known: Known = { sentAt: at, sites: { ...before.sites, ...Object.fromEntries(ofSites) } };
    this.#routes.set(route, known);
    return new Map([[noteOf(route), JSON.stringify(known)]]);
  }

  /** All that a new database has to know. */
  notes(): ReadonlyMap<string, string> {
    return new Map([...this.#routes].map(([route, known]) => [noteOf(route), JSON.stringify(known)]));
  }
}

/** A daily list is sent on another day than the last one, in UTC. */
function isDue(
  route: AlertRoute,
  { sentAt }: Known,
  news: readonly SiteFinding[],
  at: number,
  isLast: boolean,
): boolean {
  if (route.findings === 'each') return true;
  const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
  if (sentAt !== null && dayOf(sentAt) === dayOf(at)) return false;
  return isLast || news.some(({ finding: { since } }) => at - since >= COLLECTING_MS);
}

/** Confirmed findings that a route does not know, as far as their contents are known. */
function newFindings({ site, state, results, policy }: FindingsOf, known: readonly string[]): readonly SiteFinding[] {
  const fresh = new Set(confirmedFindings(state, policy, true).filter((key) => !known.includes(key)));
  if (fresh.size === 0) return [];
  return listedFindings({ state, results, strict: policy.strict }).flatMap((finding) =>
    fresh.has(finding.key) ? [{ site: { id: site.id, title: site.title, url: site.url }, finding }] : [],
  );
}

/** Findings that no longer exist are forgotten: if they return after a day, they are new. */
function knownAfter(
  { site, state, policy }: FindingsOf,
  { sites }: Known,
  news: readonly SiteFinding[],
): readonly string[] {
  const kept = new Set(confirmedFindings(state, policy, false));
  const sent = news.flatMap((one) => (one.site.id === site.id ? [one.finding.key] : []));
  return [...(sites[site.id] ?? []), ...sent].filter((key) => kept.has(key));
}
