/** `/probe?target=&module=&lang=`: checks a site while Prometheus waits. */
import { isIPv6 } from 'node:net';
import { checkSite, type CheckSiteOptions } from '../../check-site.ts';
import type { Answer, Report } from '../../check.ts';
import { DEFAULT_CONFIG } from '../../config/normalise.ts';
import { DEFAULT_LIMITS } from '../../limits.ts';
import { textsFor } from '../../project/settings.ts';
import { checkingRun, siteRun } from '../../project/sites.ts';
import { exposition, type Family, gauge, prometheusReport, type Sample } from '../../report/prometheus.ts';
import type { Texts } from '../../texts.ts';
import type { Checking, MonitorSettings } from '../settings.ts';
import type { MonitorView } from '../view.ts';
import { type Asked, demandedLanguage, RequestProblem } from './request.ts';
import { targetOf } from './probe-targets.ts';

interface ProbeOptions {
  readonly view: Pick<MonitorView, 'settings' | 'resolver'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly check?: typeof checkSite;
}

const MOST_PROBES = 32;
const MOST_OF_WHOLE_SITES = 4;

const RETRY_AFTER_SECONDS = '5';

/** Of an answer only its facts are needed: bodies of a whole site are not kept. */
const MOST_ANSWERS = 32;

/** Runs probes, and returns their metrics. What cannot be probed is thrown as a `RequestProblem`. */
export function createProbe(options: ProbeOptions): (asked: Asked) => Promise<string> {
  const running = new Set<Probe>();
  return async (asked) => {
    const probe = probeOf(asked, options);
    const whole = [...running].filter(({ full }) => full).length;
    if (running.size >= MOST_PROBES || (probe.full && whole >= MOST_OF_WHOLE_SITES)) {
      throw new RequestProblem('too-many-probes', null, { 'retry-after': RETRY_AFTER_SECONDS });
    }
    running.add(probe);
    try {
      return await probe.run();
    } finally {
      running.delete(probe);
    }
  };
}

type Probe = ReturnType<typeof probeOf>;

function probeOf(asked: Asked, { view, env, check = checkSite }: ProbeOptions) {
  const settings = view.settings();
  const language = demandedLanguage(asked) ?? settings.page.language;
  const { full, checking: declared } = moduleOf(asked.search.get('module') || 'core', settings);
  const { address, site, admit } = targetOf(asked.search.get('target')?.trim() ?? '', settings);
  const scope = full ? 'full' : 'five';
  // A site of the monitor is checked as the monitor does, unless the module says how.
  const own = declared === null ? site : null;
  const config = declared ?? own?.checking ?? DEFAULT_CONFIG;
  const run = own === null ? checkingRun(address, config, { scope, env }) : siteRun(own, scope, env);
  const limits = { ...DEFAULT_LIMITS, deadlineMs: Infinity, retries: 0, ...run.limits };
  const deadlineMs = probeDeadlineMs(asked.header('x-prometheus-scrape-timeout-seconds'), limits.deadlineMs);
  const answers: Answer[] = [];
  const options: CheckSiteOptions = {
    ...run,
    limits: { ...limits, deadlineMs, timeoutMs: Math.min(limits.timeoutMs, deadlineMs) },
    // Whoever waits longer than Prometheus does waits for nothing.
    patienceMs: 0,
    admit,
    interrupt: asked.signal,
    ...(view.resolver === undefined ? {} : { resolver: view.resolver }),
    onAnswer: (answer) => {
      if (answers.length < MOST_ANSWERS) answers.push(answer);
    },
  };
  return {
    full,
    async run(): Promise<string> {
      const began = performance.now();
      const report = await check(options);
      const durationMs = performance.now() - began;
      return probeMetrics(report, answers, durationMs, await textsFor({ config, language }));
    },
  };
}

const BUILT_IN = new Map<string, { readonly full: boolean; readonly checking: Checking | null }>([
  ['core', { full: false, checking: null }],
  ['five', { full: false, checking: null }],
  ['full', { full: true, checking: null }],
]);

function moduleOf(name: string, { probe }: Pick<MonitorSettings, 'probe'>) {
  const module = BUILT_IN.get(name) ?? probe.modules.get(name);
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
  const version = answers.map((answer) => (answer.kind === 'reply' ? answer.tls?.protocol : undefined)).find(Boolean);
  return [
    gauge('probe_ssl_earliest_cert_expiry', ends.length === 0 ? null : Math.min(...ends)),
    gauge('probe_tls_version_info', version === undefined ? null : 1, {
      version: version?.replace(/^TLSv/, 'TLS ') ?? '',
    }),
  ];
}

function dateOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1_000);
}

/** What fails or warns, in words: for the annotations of alerts, in the language of those who read them. */
function findingFamily({ site, checks }: Report, texts: Texts): Family {
  const labels = checks.flatMap(({ id, findings }) =>
    findings
      .filter(({ severity }) => severity === 'error' || severity === 'warning')
      .map(({ rule, severity }) => {
        const { problem = '', fix = '' } = texts.finding(id, rule) ?? {};
        return { site: site.url, check: id, code: rule, severity, problem, fix };
      }),
  );
  // Several findings of a rule are one series.
  const series = new Map(labels.map((one) => [JSON.stringify(one), one]));
  return {
    name: 'docvitals_finding_info',
    samples: [...series.values()].map((one) => [one, 1]),
  };
}
