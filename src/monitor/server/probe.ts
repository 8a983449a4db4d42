/** `/probe?target=&module=&lang=`: checks a site while Prometheus waits. */
import { isIPv6 } from 'node:net';
import { checkSite, type CheckSiteOptions } from '../../core/check-site.ts';
import type { Answer } from '../../core/answer.ts';
import type { Report } from '../../core/check.ts';
import { DEFAULT_CONFIG } from '../../config/config.ts';
import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { textsFor } from '../../options/settings.ts';
import { checkingRun } from '../../options/run-options.ts';
import { exposition, type Family, gauge, prometheusReport, type Sample } from '../../report/prometheus.ts';
import type { Texts } from '../../report/texts.ts';
import type { MonitorSettings } from '../settings.ts';
import type { MonitorView } from '../view.ts';
import { type HttpRequest, demandedLanguage, RequestProblem } from './request.ts';
import { hostOf, isGloballyReachable, isInsideName, isWithin, scopeOf } from '../../http/address-scope.ts';
import { baseHref, parseBaseUrl, type BaseUrl } from '../../core/base-url.ts';
import { type Admit, networkOf, portOf } from '../../http/address.ts';

interface ProbeOptions {
  readonly view: Pick<MonitorView, 'settings' | 'resolver' | 'watchdog'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly check?: typeof checkSite;
}

const MOST_PROBES = 32;
const MOST_OF_WHOLE_SITES = 4;

/** Of an answer only its facts are needed: bodies of a whole site are not kept. */
const MOST_ANSWERS = 32;

/** A comment of the exposition format. */
const WITHHELD =
  '# The headers of the module were not sent: monitor.probe.targets does not name this target by id, URL or host.\n';

/** Runs probes, and returns their metrics. What cannot be probed is thrown as a `RequestProblem`. */
export function createProbe({ check = checkSite, ...options }: ProbeOptions) {
  const running = new Set<ReturnType<typeof probeOf>>();
  return async (request: HttpRequest): Promise<string> => {
    const probe = probeOf(request, options);
    const whole = [...running].filter(({ full }) => full).length;
    if (running.size >= MOST_PROBES || (probe.full && whole >= MOST_OF_WHOLE_SITES)) {
      throw new RequestProblem('too-many-probes', null, { 'retry-after': '5' });
    }
    running.add(probe);
    try {
      const began = performance.now();
      const { watchdog } = options.view;
      const work = (): Promise<Report> => check(probe.run);
      const report = await (watchdog?.guard(probe.name, probe.scope, work) ?? work());
      if (report === null) throw new RequestProblem('target-held-back', 'target');
      const durationMs = performance.now() - began;
      const metrics = probeMetrics(report, probe.answers, durationMs, await textsFor(probe));
      return probe.withheld ? `${WITHHELD}${metrics}` : metrics;
    } finally {
      running.delete(probe);
    }
  };
}

function probeOf(request: HttpRequest, { view, env }: Omit<ProbeOptions, 'check'>) {
  const settings = view.settings();
  const language = demandedLanguage(request) ?? settings.page.language;
  const { full, checking: module } = moduleOf(request.search.get('module') || 'core', settings);
  const { address, name, site, admit, isNamed } = targetOf(request.search.get('target')?.trim() ?? '', settings);
  const scope = full ? 'full' : 'core';
  // A site of the monitor is checked as the monitor does, unless the module says how.
  const declared = module === null || isNamed ? module : { ...module, headers: {} };
  const withheld = declared !== module && Object.keys(module?.headers ?? {}).length > 0;
  const config = declared ?? site?.checking ?? DEFAULT_CONFIG;
  const checking = checkingRun(address, config, scope, env);
  const limits = { ...DEFAULT_LIMITS, deadlineMs: Infinity, retries: 0, ...checking.limits };
  const deadlineMs = probeDeadlineMs(request.header('x-prometheus-scrape-timeout-seconds'), limits.deadlineMs);
  const answers: Answer[] = [];
  const run: CheckSiteOptions = {
    ...checking,
    limits: { ...limits, deadlineMs, timeoutMs: Math.min(limits.timeoutMs, deadlineMs) },
    // Whoever waits longer than Prometheus does waits for nothing.
    patienceMs: 0,
    admit,
    interrupt: request.signal,
    ...(view.resolver === undefined ? {} : { resolver: view.resolver }),
    onAnswer: (answer) => {
      if (answers.length < MOST_ANSWERS) answers.push(answer);
    },
  };
  return { full, scope, name, run, answers, config, language, withheld } as const;
}

function moduleOf(name: string, { probe }: Pick<MonitorSettings, 'probe'>) {
  if (['core', 'full'].includes(name)) return { full: name === 'full', checking: null };
  const module = probe.modules.get(name);
  if (module === undefined) throw new RequestProblem('unknown-module', 'module');
  return module;
}

/** What Prometheus needs to receive the answer. blackbox_exporter leaves as much. */
const OFFSET_MS = 500;

const LONGEST_MS = 120_000;

/**
 * How long a probe may take: what Prometheus waits for (`X-Prometheus-Scrape-Timeout-Seconds`), a little less, so that
 * the answer is in time; at most `limitMs`. Throws a `bad-parameter` for a header that is not a number.
 */
export function probeDeadlineMs(header: string | null, limitMs: number): number {
  const seconds = /^\d{1,6}(?:\.\d{1,12})?$/.test(header || '0') ? Number(header) : NaN;
  if (Number.isNaN(seconds)) throw new RequestProblem('bad-parameter', 'X-Prometheus-Scrape-Timeout-Seconds');
  if (seconds === 0) return Math.min(limitMs, LONGEST_MS);
  const ms = seconds * 1_000;
  return Math.min(limitMs, LONGEST_MS, Math.max(ms - OFFSET_MS, ms / 2));
}

/**
 * A probe as metrics: those of blackbox_exporter's http prober, so that its dashboards and rules work, and after them
 * those of a report. The former are about one request, that for the first of the checks that sent one: the engine
 * bundle.
 */
function probeMetrics(report: Report, answers: readonly Answer[], durationMs: number, texts: Texts): string {
  const bundle = report.checks.find(({ role }) => role === 'bundle')?.url;
  const main = answers.find(({ requestUrl }) => requestUrl === bundle) ?? answers[0];
  const failed = report.checks.filter(({ status }) => status === 'fail');
  const isWrongContent = failed.length > 0 && failed.every(({ httpStatus }) => httpStatus === 200);
  const families = [
    gauge('probe_success', report.verdict === 'healthy'),
    gauge('probe_duration_seconds', durationMs / 1_000),
    gauge('probe_failed_due_to_regex', isWrongContent),
    ...(main === undefined ? [] : requestFamilies(main)),
    ...certificateFamilies(answers),
    findingFamily(report, texts),
  ];
  return `${exposition(families)}${prometheusReport(report)}`;
}

function requestFamilies(answer: Answer): readonly Family[] {
  const reply = answer.kind === 'reply' ? answer : null;
  const address = reply?.address ?? null;
  return [
    phaseFamily(answer.timings),
    gauge('probe_dns_lookup_time_seconds', (answer.timings.dnsMs ?? 0) / 1_000),
    gauge('probe_http_status_code', reply?.status ?? 0),
    gauge('probe_http_redirects', answer.redirects.length),
    gauge('probe_http_ssl', reply?.url.startsWith('https:') ?? false),
    // The client speaks no other version.
    gauge('probe_http_version', reply === null ? 0 : 1.1),
    gauge('probe_http_content_length', lengthOf(answer)),
    gauge('probe_http_uncompressed_body_length', reply?.body.length ?? 0),
    gauge('probe_http_last_modified_timestamp_seconds', dateOf(reply?.headers.get('last-modified'))),
    gauge('probe_ip_protocol', address === null ? null : 4 + 2 * Number(isIPv6(address))),
  ];
}

function lengthOf(answer: Answer): number {
  const announced = (answer.kind === 'reply' ? answer.headers.get('content-length') : null) ?? '';
  return /^\d{1,15}$/.test(announced) ? Number(announced) : -1;
}

/** As with blackbox_exporter, a phase that did not happen took 0; here the handshake does not include connecting. */
function phaseFamily({ dnsMs, connectMs, tlsMs, firstByteMs, totalMs }: Answer['timings']): Family {
  const before = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + (firstByteMs ?? 0);
  const transfer = firstByteMs === null ? null : Math.max(0, totalMs - before);
  const phases = { resolve: dnsMs, connect: connectMs, tls: tlsMs, processing: firstByteMs, transfer };
  return {
    name: 'probe_http_duration_seconds',
    samples: Object.entries(phases).map(([phase, ms]): Sample => [{ phase }, (ms ?? 0) / 1_000]),
  };
}

/** The certificate that ends first of those of the hosts, one that was refused for its age among them. */
function certificateFamilies(answers: readonly Answer[]): readonly Family[] {
  const ends = answers.flatMap((answer) => {
    const validTo = answer.kind === 'reply' ? answer.tls?.validTo : answer.evidence['validTo'];
    return dateOf(typeof validTo === 'string' ? validTo : null) ?? [];
  });
  const [version] = answers.flatMap((answer) => (answer.kind === 'reply' ? (answer.tls?.protocol ?? []) : []));
  return [
    gauge('probe_ssl_earliest_cert_expiry', ends.length === 0 ? null : Math.min(...ends)),
    gauge('probe_tls_version_info', version ? 1 : null, { version: version?.replace(/^TLSv/, 'TLS ') ?? '' }),
  ];
}

function dateOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1_000);
}

/** What fails or warns, in words: for the annotations of alerts, in the language of those who read them. */
function findingFamily({ site, checks }: Report, texts: Texts): Family {
  const labels = checks.flatMap(({ id, findings }) =>
    findings.flatMap(({ rule, severity }) => {
      if (severity !== 'error' && severity !== 'warning') return [];
      const { problem = '', fix = '' } = texts.finding(id, rule) ?? {};
      return { site: site.url, check: id, rule: `${id}/${rule}`, severity, problem, fix };
    }),
  );
  // Several findings of a rule are one series.
  const series = new Map(labels.map((one) => [JSON.stringify(one), one]));
  return { name: 'docvitals_finding_info', samples: [...series.values()].map((one) => [one, 1]) };
}

/*
 * Which site a probe is about, and where it may connect to. Whoever reaches the server may request a probe, so a site of
 * the monitor, with its headers and all its pages, is probed only where the list names it, too.
 */

const LONGEST_TARGET = 2_048;
const LONGEST_NAME = 500;

/**
 * Reads `target`: the id of a site, or a URL. `address`: for a site of the monitor, with the userinfo of the configuration;
 * `site`: the monitor's site that it is, `null`: none. Throws a `RequestProblem`: `bad-target` for what is neither,
 * `target-not-allowed` for what may not be probed.
 */
export function targetOf(given: string, { sites, probe }: Pick<MonitorSettings, 'sites' | 'probe'>) {
  const byId = sites.find(({ id }) => id === given);
  const address = addressOf(byId?.url ?? demandUrl(given));
  const { href } = address.base;
  const site = byId ?? sites.find(({ url }) => baseHref(url) === href) ?? null;
  const entries = probe.targets.map((entry) => entry.trim());
  // The id of a site names that and no host.
  const list = allowList(entries.filter((entry) => sites.every(({ id }) => id !== entry)));
  const own = site !== null && entries.some((entry) => entry === site.id || baseHref(entry) === href);
  if (!own && !list.names(address.base)) throw new RequestProblem('target-not-allowed', 'target');
  return {
    address: site === null ? address : addressOf(site.url),
    // Many long addresses would not fit into what the watchdog notes.
    name: site?.id ?? href.slice(0, LONGEST_NAME),
    site,
    admit: admitted(address.base, list, own),
    /** Whether the list names its origin, so that headers which are secret may be sent to it. */
    isNamed: own || list.namesOrigin(address.base),
  };
}

/** What a query says has no secrets in it, and nothing that would be left out of it. */
function demandUrl(given: string): string {
  if (given.length > LONGEST_TARGET || !/^https?:\/\/[^\s@?#\\]+$/i.test(given))
    throw new RequestProblem('bad-target', 'target');
  return given;
}

function addressOf(url: string): Extract<BaseUrl, { ok: true }> {
  const address = parseBaseUrl(url);
  if (!address.ok) throw new RequestProblem('bad-target', 'target');
  return address;
}

/**
 * Public addresses are open to all hops, wherever they lead. Others: to the target's own host, where the configuration
 * says so, and from there to what the list names; a public site leads nowhere inside. `own`: a site of the monitor that is
 * listed as such, which may live inside. No site is link-local, but metadata services of clouds are. Behind a proxy, which
 * resolves names by itself, only to what is named.
 */
function admitted(target: URL, list: ReturnType<typeof allowList>, own: boolean): Admit {
  let isInside = false;
  return (url, address) => {
    const isOwn = url.host === target.host;
    if (address === null) return (isOwn && own) || list.names(url);
    if (isGloballyReachable(address)) return true;
    if (scopeOf(address) === 'link-local') return false;
    if (isOwn) {
      const isNamed = own || list.reachesInside(url, address);
      isInside ||= isNamed;
      return isNamed;
    }
    return isInside && list.reachesInside(url, address);
  };
}

/*
 * What `/probe` may request: the targets of `monitor.probe.targets`. No one who can reach the server may use it to reach what
 * only the server reaches.
 *
 * An entry is one of:
 * - a base URL (`https://docs.example.com/guide/`): this origin, and paths below that one;
 * - a host (`docs.example.com`, `*.example.com` for its subdomains): http on port 80 and https on port 443;
 * - a host or an address with a port (`localhost:8080`, `[::1]:8080`): that port, http or https;
 * - an address or a network (`192.0.2.7`, `10.1.0.0/16`): URLs with such an address, and, whatever the name, connections
 *   to it.
 *
 * A name that is on the list may lead to public addresses only, so that its owner cannot lead us inside.
 * Unless it is a name that only exists inside (`localhost`, `wiki`, `docs.internal`), or its network is on the list too.
 */

export function allowList(entries: readonly string[]) {
  const networks = entries.flatMap((entry) => networkOf(entry) ?? []);
  const matchers = entries.map(matcherOf);
  const origins = entries.map(originsOf);
  const names = (url: URL): boolean => matchers.some((matches) => matches(url));
  return {
    names,
    namesOrigin: ({ origin }: URL): boolean => origins.some((named) => named.includes(origin)),
    /** Whether a URL that is on it may be connected to at an address that is not public. */
    reachesInside: (url: URL, address: string): boolean =>
      names(url) &&
      (hostOf(url) === address || networks.some((one) => isWithin(address, one)) || isKnownInside(url, address)),
  };
}

/**
 * The origins that an entry names: that of a URL; of a host or an address its https origin, and where it has a port also
 * the http one there. A wildcard and a network name none: who gets a name or an address there is not known.
 */
function originsOf(entry: string): readonly string[] {
  if (/^https?:\/\//i.test(entry)) return [URL.parse(baseHref(entry) ?? '')?.origin ?? ''];
  if (entry.includes('/') || entry.startsWith('*')) return [];
  const host = isIPv6(entry) ? `[${entry}]` : entry;
  const schemes = /:\d+$/.test(host) ? ['https', 'http'] : ['https'];
  return schemes.flatMap((scheme) => URL.parse(`${scheme}://${host}/`)?.origin ?? []);
}

function matcherOf(entry: string): (url: URL) => boolean {
  if (/^https?:\/\//i.test(entry)) {
    const base = URL.parse(baseHref(entry) ?? '');
    return (url) => base !== null && url.origin === base.origin && url.pathname.startsWith(base.pathname);
  }
  const network = networkOf(entry);
  if (network !== null) return (url) => url.port === '' && isWithin(hostOf(url), network);
  const parts = /^(?<any>\*\.)?(?<host>\[[0-9a-f:.]+\]|[^\s/:[\]*@]+)(?::(?<port>\d{1,5}))?$/i.exec(entry)?.groups;
  if (parts === undefined || !URL.canParse(`http://${parts['host']}/`)) return () => false;
  const { any, port } = parts;
  const host = nameOf(new URL(`http://${parts['host']}/`));
  return (url) => {
    const isHost = any === undefined ? nameOf(url) === host : nameOf(url).endsWith(`.${host}`);
    return isHost && (port === undefined ? url.port === '' : portOf(url) === Number(port));
  };
}

/** Such a name is resolved inside the network; but never to addresses without sites, such as a cloud's metadata. */
function isKnownInside(url: URL, address: string): boolean {
  return isInsideName(hostOf(url)) && ['private', 'loopback'].includes(scopeOf(address));
}

const nameOf = (url: URL): string => hostOf(url).replace(/\.$/, '');
