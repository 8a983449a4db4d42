/**
 * Notifies of new findings: errors of full checks and of pages in the browser that take no site down. Each route gets a list
 * of those that it does not know, at once or once a day. Which ones it knows is a note of the database.
 */
import type { CheckResult } from '../../core/check.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { confirmedFindings, listedFindings } from '../incident/findings.ts';
import type { IncidentPolicy } from '../incident/run.ts';
import type { SiteState } from '../incident/state.ts';
import type { AlertRoute, MonitoredSite } from '../settings.ts';
import type { Store } from '../store/store.ts';
import { findingsAlert, type Alert, type SendResult, type SiteFinding } from './alert.ts';
import { delayAfter } from './pacing.ts';
import { routesOf } from './plan.ts';

/** A daily list waits for so long after its first finding: the sites are not checked at the same time. */
export const COLLECTING_MS = 10 * MINUTE_MS;

export interface FindingsOf {
  readonly site: MonitoredSite;
  readonly state: SiteState | null;
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly policy: IncidentPolicy;
}

interface Options {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly send: (route: AlertRoute, alert: Alert) => Promise<SendResult>;
  readonly now: () => number;
  readonly random: () => number;
}

/** What a route knows. */
interface Known {
  /** When the last list was received; `null`: never. */
  readonly sentAt: number | null;
  /** The fingerprints of the findings that it was notified of, by site. */
  readonly sites: Readonly<Record<string, readonly string[]>>;
}

interface RouteState {
  known: Known;
  isWritten: boolean;
  isSending: boolean;
  attempts: number;
  retryAt: number;
}

/** The note of the database with what a route knows. */
const noteOf = (route: string): string => `findings-sent:${route}`;

export class FindingsNotifier {
  readonly #options: Options;
  readonly #routes = new Map<string, RouteState>();

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Sends what is due. `sites`: those of which a finding may be notified now; `isLast`: nothing follows today, so that a
   * daily list waits for nothing. Never rejects.
   */
  async notify(routes: readonly AlertRoute[], sites: readonly FindingsOf[], isLast: boolean): Promise<void> {
    const found = sites.filter(({ state }) => state?.findings !== undefined);
    if (found.length === 0) return;
    await Promise.all(
      routes.map(async (route) => {
        const state = route.findings === 'none' ? null : await this.#stateOf(route);
        if (state === null || state.isSending) return;
        state.isSending = true;
        await this.#notifyRoute(route, state, found, isLast);
        state.isSending = false;
      }),
    );
  }

  async #notifyRoute(route: AlertRoute, known: RouteState, all: readonly FindingsOf[], isLast: boolean): Promise<void> {
    const { send, now, random } = this.#options;
    if (!known.isWritten) await this.#write(route, known);
    const at = now();
    const sites = all.filter(({ site }) => routesOf(site, [route]).length > 0);
    const news = sites.flatMap((one) => newFindings(one, known.known.sites[one.site.id] ?? []));
    if (news.length === 0 || known.retryAt > at || !isDue(route, known.known, news, at, isLast)) return;
    const result = await send(route, findingsAlert(news, route.id, at));
    if (result.ok) {
      const ofSites = sites.map((one) => [one.site.id, knownAfter(one, known.known, news)] as const);
      known.known = { sentAt: at, sites: { ...known.known.sites, ...Object.fromEntries(ofSites) } };
      known.attempts = 0;
      known.retryAt = 0;
      await this.#write(route, known);
    } else {
      known.attempts += 1;
      known.retryAt = at + delayAfter(known.attempts, result, random);
    }
  }

  /** What could not be written is written with the next call, and counts for this process. */
  async #write(route: AlertRoute, state: RouteState): Promise<void> {
    const { store } = this.#options;
    state.isWritten = await store.setNote(noteOf(route.id), JSON.stringify(state.known)).then(
      () => true,
      () => false,
    );
  }

  /** `null`: what the route knows cannot be read now. */
  async #stateOf({ id }: AlertRoute): Promise<RouteState | null> {
    const found = this.#routes.get(id);
    if (found !== undefined) return found;
    try {
      const note = await this.#options.store.note(noteOf(id));
      const known = note === null ? { sentAt: null, sites: {} } : (JSON.parse(note) as Known);
      const state = this.#routes.get(id) ?? { known, isWritten: true, isSending: false, attempts: 0, retryAt: 0 };
      this.#routes.set(id, state);
      return state;
    } catch {
      return null;
    }
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
