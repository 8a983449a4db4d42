import { isDeepStrictEqual } from 'node:util';
import type { CheckResult, Report, Answer, Reply, VersionLocation } from '../../check.ts';
import type { CheckSiteOptions } from '../../check-site.ts';
import { siteRun } from '../../project/sites.ts';
import { UsageError } from '../../project/usage-error.ts';
import { groupOf } from '../alerts/plan.ts';
import type { OutboxEntry } from '../alerts/alert.ts';
import type { Incident, IncidentPolicy, Observation, Scope } from '../incident/incident.ts';
import { emptyState, openIncidents, withIncidents, type SiteState } from '../incident/state.ts';
import { policyOf } from '../incident/policy.ts';
import type { MonitoredSite } from '../settings.ts';
import type { RunCommit, Store } from '../store/store.ts';
import { defaultChecks } from '../../../checks/index.ts';
import {
  versionTextsAt,
  versionTextsInBundle,
  type VersionText,
} from '../../../checks/deployed-version/version-texts.ts';
import { isHtmlDocument } from '../../parse/html.ts';
import { contentHash } from '../incident/deploy.ts';
import type { Timers } from '../clock/clock.ts';
import {
  connectTcp,
  createConnectivity,
  DEFAULT_NAMES,
  DEFAULT_TARGETS,
  namesOf,
  type Connect,
  type Connectivity,
  type ResolveName,
  queryNameServers,
  type ProbeSideReason,
} from '../connectivity/connectivity.ts';
import type { Log } from '../log/write.ts';

/** A site that is watched, with all that is known of it between its runs. */
export interface WatchedSite {
  site: MonitoredSite;
  /** Without userinfo, ending with a slash. */
  url: string;
  /** What its runs run; `null`: nothing of that kind. */
  runs: Readonly<Record<Scope, CheckSiteOptions | null>>;
  policy: IncidentPolicy;
  state: SiteState | null;
  /** The last run of the core checks that was about the site. */
  report: Report | null;
  readonly results: Map<string, CheckResult>;
  versions: VersionReader;
  /** The last run took long: the next one may wait for others. */
  slow: boolean;
  /** What the next run writes beside what it saw itself; `null`: nothing. */
  owed: Pick<RunCommit, 'incidents' | 'outbox'> | null;
  /** It was taken out of the configuration. */
  removed: boolean;
}

/** What the configuration says of a site, made ready to run. */
type Prepared = Pick<WatchedSite, 'site' | 'url' | 'runs' | 'policy' | 'versions'>;

/** A site as it begins to be watched. `state`: what was known of it before; `null`: nothing. */
export function watch(site: MonitoredSite, state: SiteState | null, env: NodeJS.ProcessEnv): WatchedSite {
  return { ...prepare(site, env), state, report: null, results: new Map(), slow: false, owed: null, removed: false };
}

/** Takes up what a new configuration says of a site; what is known of it stays, as far as it is still asked for. */
export function rewatch(watched: WatchedSite, site: MonitoredSite, env: NodeJS.ProcessEnv): void {
  if (isDeepStrictEqual(watched.site, site)) return;
  const { url: before, versions } = watched;
  const isVersionMoved = !isDeepStrictEqual(watched.site.checking.versionFrom, site.checking.versionFrom);
  Object.assign(watched, prepare(site, env));
  if (before === watched.url && !isVersionMoved) watched.versions = versions;
  // Another address has other files, which is no deploy; and what was seen of the one before confirms nothing there.
  if (before !== watched.url && watched.state !== null) {
    const { scopes, outage, degradation } = watched.state;
    const { blips, deployments } = emptyState();
    watched.state = {
      ...watched.state,
      scopes: { five: { ...scopes.five, suspicion: null }, full: { ...scopes.full, suspicion: null } },
      outage: { ...outage, good: null },
      degradation: { ...degradation, good: null },
      blips,
      deployments,
    };
  }
  const declared = new Set(watched.policy.declared.map(({ id }) => id));
  for (const id of watched.results.keys()) if (!declared.has(id)) watched.results.delete(id);
}

function prepare(site: MonitoredSite, env: NodeJS.ProcessEnv): Prepared {
  const core = runOf(site, 'five', env);
  const whole = site.full === null ? null : runOf(site, 'full', env);
  const quick = new Set(core?.checks.map(({ id }) => id));
  // Where nothing is left of the whole site, there is nothing to look at again.
  const full = whole?.checks.some(({ id }) => !quick.has(id)) ? whole : null;
  const { base } = (core ?? siteRun(site, 'full', env)).site;
  return {
    site,
    url: base.href,
    runs: { five: core, full },
    policy: policyOf(site, { core: core?.checks ?? [], full: full?.checks ?? [] }),
    versions: new VersionReader(base, site.checking.versionFrom),
  };
}

type Reporting = Pick<OutboxEntry, 'event' | 'incident' | 'alsoSites'>;

/** An alert arrived: the states of the sites that it told of know since when somebody knows, as the database does. */
export function noteNotified(all: Iterable<WatchedSite>, alert: Reporting, at: number): void {
  for (const watched of all) {
    const isNews = (incident: Incident): boolean => incident.notifiedAt === null && isReporting(alert, incident);
    if (watched.state === null || !openIncidents(watched.state).some(isNews)) continue;
    watched.state = withIncidents(watched.state, (incident) =>
      isNews(incident) ? { ...incident, notifiedAt: at } : incident,
    );
  }
}

/** The incident itself is reported by the alert that it opened; others with its root cause by any that names them. */
function isReporting({ event, incident, alsoSites }: Reporting, reported: Incident): boolean {
  if (incident.id === reported.id) return event === 'opened';
  return alsoSites.includes(reported.site) && groupOf(incident) === groupOf(reported);
}

/** `null`: all checks of that kind are left out. */
function runOf(site: MonitoredSite, scope: Scope, env: NodeJS.ProcessEnv): CheckSiteOptions | null {
  try {
    return siteRun(site, scope, env);
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

/** Findings of a check, and places of a finding, that are kept between runs. */
const MOST_FINDINGS = 50;
const MOST_LOCATIONS = 10;

/** A result as it is kept: a crawl that finds thousands of broken links must not fill the memory of a monitor. */
export function compact(result: CheckResult): CheckResult {
  const { findings } = result;
  const isSmall = findings.every(({ locations = [] }) => locations.length <= MOST_LOCATIONS);
  if (isSmall && findings.length <= MOST_FINDINGS) return result;
  const omitted: Record<string, number> = { ...result.omitted };
  for (const { rule } of findings.slice(MOST_FINDINGS)) omitted[rule] = (omitted[rule] ?? 0) + 1;
  return {
    ...result,
    findings: findings.slice(0, MOST_FINDINGS).map(({ locations, ...finding }) => ({
      ...finding,
      ...(locations === undefined ? {} : { locations: locations.slice(0, MOST_LOCATIONS) }),
    })),
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
  };
}

/* What a run over the core checks tells of the deploy that is live. */

const CORE: ReadonlySet<string> = new Set(defaultChecks.map(({ id }) => id));
const BUNDLE = 'index.html';
/** The beginning of a body, in bytes, by which a page is recognised. */
const BEGINNING = 4_096;
/** A longer text is no version. In UTF-16 code units. */
const LONGEST_VERSION = 100;
/** Answers that are checked: the core checks, and the site's own checks beside them. */
const MOST_ANSWERS = 50;

/** What came for one request. */
interface Received {
  readonly hash: string;
  readonly isPage: boolean;
}

/** Reads the version that a site tells in what the core checks ask for anyway. One for a site: what it has read it knows again. */
export class VersionReader {
  readonly #from: VersionLocation | null;
  readonly #url: string;
  /** What the body told that was read last: the same bytes come run after run. */
  #known: { readonly hash: string; readonly reported: readonly VersionText[] } | null = null;

  /** Names of headers that tell no version, whatever they say: hosts send the same ones each time. */
  #silentHeaders: string | null = null;

  /** `from`: where the configuration says that the version is. */
  constructor(base: URL, from: VersionLocation | null) {
    this.#from = from;
    this.#url = new URL(from?.path ?? BUNDLE, base).href;
  }

  /** Whether a request is the one whose answer names the version. */
  isAt(url: string): boolean {
    return url === this.#url;
  }

  /** The version in such an answer; `null`: it tells none. `hash`: of its body. */
  read(reply: Reply, hash: string): string | null {
    if (this.#known?.hash !== hash) this.#known = { hash, reported: this.#reportedBy(reply) };
    // Headers may be others with the same body.
    const [version] = [...this.#known.reported, ...this.#reportedByHeaders(reply)].map(({ text }) => text.trim());
    return version === undefined || version === '' || version.length > LONGEST_VERSION ? null : version;
  }

  #reportedByHeaders(reply: Reply): readonly VersionText[] {
    if (this.#from !== null) return [];
    const names = reply.headers.names().join(' ');
    if (names === this.#silentHeaders) return [];
    const reported = versionTextsInBundle({ ...reply, body: NOTHING }, BUNDLE)
      .flat()
      .filter(isNamed);
    if (reported.length === 0) this.#silentHeaders = names;
    return reported;
  }

  #reportedBy(reply: Reply): readonly VersionText[] {
    if (this.#from === null) return (versionTextsInBundle(reply, BUNDLE)[0] ?? []).filter(isNamed);
    const reported = versionTextsAt(reply, this.#from);
    return typeof reported === 'string' ? [] : reported.filter(({ named }) => named);
  }
}

/** Whether it is said to be the version of the site, and can be nothing else. */
const isNamed = ({ itself }: VersionText): boolean => itself === true;

const NOTHING = new Uint8Array();

/** What one run over the core checks saw of the site's files. */
export class Contents {
  readonly #versions: VersionReader;
  readonly #came = new Map<string, Received>();
  #version: string | null = null;

  constructor(versions: VersionReader) {
    this.#versions = versions;
  }

  /** Takes up an answer of the run. */
  heard(answer: Answer): void {
    if (!isFile(answer) || this.#came.size >= MOST_ANSWERS) return;
    const { requestUrl, body } = answer;
    const hash = contentHash(body);
    this.#came.set(requestUrl, { hash, isPage: isPageIn(body) });
    if (this.#versions.isAt(requestUrl)) this.#version = this.#versions.read(answer, hash);
  }

  /** What the run tells, once it has ended. What a host answers for everything is no file of the site. */
  of({ checks }: Pick<Report, 'checks'>): Pick<Observation, 'version' | 'contents'> {
    const files = checks.flatMap(({ id, role, url }) => {
      const came = CORE.has(id) ? this.#came.get(url) : undefined;
      return came === undefined ? [] : [{ id, role, url, ...came }];
    });
    const isAlike = new Set(files.map(({ url }) => url)).size > 1 && new Set(files.map(({ hash }) => hash)).size === 1;
    const own = files.filter(({ role, isPage }) => role === 'bundle' || !isPage);
    return {
      version: isAlike ? null : this.#version,
      contents: Object.fromEntries(isAlike ? [] : own.map(({ id, hash }) => [id, hash])),
    };
  }
}

/** White space may stand before a page; what begins with anything else but a tag is none. */
const BEFORE_PAGE = /^[<\s]/;

function isPageIn(body: Uint8Array): boolean {
  if (!BEFORE_PAGE.test(String.fromCharCode(body[0] as number))) return false;
  return isHtmlDocument(Buffer.from(body.buffer, body.byteOffset, Math.min(BEGINNING, body.length)).toString('latin1'));
}

/** Whether something came from where it was requested: no error, no other site's page to log in. */
function isFile(answer: Answer): answer is Reply {
  return (
    answer.kind === 'reply' &&
    answer.status === 200 &&
    answer.body.length > 0 &&
    (answer.url === answer.requestUrl || new URL(answer.url).origin === new URL(answer.requestUrl).origin)
  );
}

/* Whether it is us: the control check of a running monitor, what it learnt kept over restarts, and what is told of it. */

interface ProbeNetworkOptions {
  readonly store: Pick<Store, 'note' | 'setNote'>;
  readonly timers: Pick<Timers, 'monotonic'>;
  readonly log: Log;
  /** The network's where they are absent. */
  readonly connect?: Connect | undefined;
  readonly resolveName?: ResolveName | undefined;
}

/** Under this name the database has what answered. */
const NOTE = 'control-reached';
/** Runs that can be trusted again for so long end the trouble: sites are checked in turn. */
const CALM_MS = 5_000;

export class ProbeNetwork {
  readonly #options: ProbeNetworkOptions;
  #targets: readonly string[] | null = [];
  #control: Connectivity | null = null;
  #learning: Promise<void> = Promise.resolve();
  #trouble: { readonly reason: ProbeSideReason; readonly since: number } | null = null;

  constructor(options: ProbeNetworkOptions) {
    this.#options = options;
  }

  /** Begins with what was known before; `targets`: those of the configuration, `null`: docvitals' own. */
  async open(targets: readonly string[] | null): Promise<void> {
    const note = await this.#options.store.note(NOTE).catch(() => null);
    this.#make(targets, note === null ? null : note.split('\n').filter((target) => target !== ''));
  }

  /** Takes up another configuration. */
  change(targets: readonly string[] | null): void {
    if (JSON.stringify(targets) !== JSON.stringify(this.#targets)) this.#make(targets, null);
  }

  get control(): Connectivity | null {
    return this.#control;
  }

  /** A site answered: what can be reached now tells later whether it is us. Returns at once. */
  answered(): void {
    const before = this.#learning;
    const learning = this.#control?.learn();
    this.#learning = (async () => {
      await before;
      await learning;
    })();
  }

  /** Resolves when nothing is being learnt. */
  async settled(): Promise<void> {
    await this.#learning;
  }

  /** A run ended; `reason`: why it was about us, `null`: it was about its site. */
  report(reason: ProbeSideReason | null): void {
    const now = this.#options.timers.monotonic();
    // That the machine slept is reported by the clock; it is over.
    if (reason !== null && reason !== 'suspended') {
      if (this.#trouble?.reason !== reason) this.#options.log('warn', 'rounds-ours', { reason });
      this.#trouble = { reason, since: now };
    } else if (this.#trouble !== null && now - this.#trouble.since >= CALM_MS) {
      this.#options.log('info', 'rounds-trusted', { reason: this.#trouble.reason });
      this.#trouble = null;
    }
  }

  /** Codes of what stands in the way of looking at sites. */
  troubles(): readonly string[] {
    return this.#trouble === null ? [] : [this.#trouble.reason];
  }

  /** `before`: what answered when it was known last; `null`: that is not known. */
  #make(targets: readonly string[] | null, before: readonly string[] | null): void {
    const { store, timers, connect = connectTcp, resolveName = queryNameServers() } = this.#options;
    this.#targets = targets;
    const names = targets === null ? DEFAULT_NAMES : namesOf(targets);
    // What somebody has named should be there, so that it says something by its silence from the beginning.
    const named = targets === null ? [] : [...targets, ...names];
    const isOfOthers = before !== null && before.length > 0 && !before.some((target) => named.includes(target));
    this.#control = createConnectivity({
      targets: targets ?? DEFAULT_TARGETS,
      names,
      connect,
      resolveName,
      clock: () => timers.monotonic(),
      known: before ?? [],
      named: before === null || isOfOthers ? named : [],
      // What cannot be noted is learnt again.
      onKnown: (reached) => void store.setNote(NOTE, reached.join('\n')).catch(() => {}),
    });
  }
}
