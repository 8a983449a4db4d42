/**
 * A probe as metrics: those of blackbox_exporter's http prober, so that its dashboards and rules work, and after them
 * what a report of docvitals tells. The former are about one request, that for the first of the checks that sent one:
 * the engine bundle.
 */
import { Gauge, Registry } from 'prom-client';
import { isIPv6 } from 'node:net';
import type { Answer, Report } from '../../../check.ts';
import { prometheusReport } from '../../../report/prometheus.ts';
import type { Texts } from '../../../texts.ts';

/** What a probe came to. */
export interface Probed {
  readonly report: Report;
  /** In the order in which they came. */
  readonly answers: readonly Answer[];
  readonly durationMs: number;
  /** For what is wrong and what helps. */
  readonly texts: Texts;
}

/** The text exposition format 0.0.4. */
export async function probeMetrics(probed: Probed): Promise<string> {
  const registry = new Registry();
  outcome(registry, probed);
  const main = mainAnswer(probed);
  if (main !== undefined) request(registry, main);
  certificate(registry, probed.answers);
  findings(registry, probed);
  return `${await registry.metrics()}\n${prometheusReport(probed.report)}`;
}

type Add = (name: string, help: string, value: number | null) => void;

/** Adds gauges without labels; one whose value is not known is left out. */
function adding(registry: Registry): Add {
  return (name, help, value) => {
    if (value !== null) new Gauge({ name, help, registers: [registry] }).set(value);
  };
}

function outcome(registry: Registry, { report, durationMs }: Probed): void {
  const add = adding(registry);
  add('probe_success', 'Whether the site is healthy.', Number(report.verdict === 'healthy'));
  add('probe_duration_seconds', 'How long the probe took.', durationMs / 1_000);
  add(
    'probe_failed_due_to_regex',
    'Whether the site answered, but not with what has to be in its files.',
    Number(isWrongContent(report)),
  );
}

/** Every check that failed was answered with 200. */
function isWrongContent({ checks }: Report): boolean {
  const failed = checks.filter(({ status }) => status === 'fail');
  return failed.length > 0 && failed.every(({ httpStatus }) => httpStatus === 200);
}

/** The answer for the bundle; where it is left out, the first that came. */
function mainAnswer({ report, answers }: Probed): Answer | undefined {
  const url = report.checks.find(({ role }) => role === 'bundle')?.url;
  return answers.find(({ requestUrl }) => requestUrl === url) ?? answers[0];
}

function request(registry: Registry, answer: Answer): void {
  const add = adding(registry);
  const { timings, redirects } = answer;
  const reply = answer.kind === 'reply' ? answer : null;
  durations(registry, answer);
  add('probe_dns_lookup_time_seconds', 'How long the name took to resolve.', (timings.dnsMs ?? 0) / 1_000);
  add('probe_http_status_code', 'The HTTP status of the answer; 0: none came.', reply?.status ?? 0);
  add('probe_http_redirects', 'How many redirects were followed.', redirects.length);
  add('probe_http_ssl', 'Whether the answer came over TLS.', Number(reply !== null && reply.url.startsWith('https:')));
  // Nothing else is spoken.
  add('probe_http_version', 'The version of HTTP of the answer; 0: none came.', reply === null ? 0 : 1.1);
  add('probe_http_content_length', 'Bytes of the body as the answer announced them; -1: it did not.', lengthOf(answer));
  add('probe_http_uncompressed_body_length', 'Bytes of the body once unpacked.', reply?.body.length ?? 0);
  add(
    'probe_http_last_modified_timestamp_seconds',
    'When the file was changed last, as the answer says, in seconds since 1970.',
    dateOf(reply?.headers.get('last-modified') ?? null),
  );
  add(
    'probe_ip_protocol',
    'The version of IP that was used: 4 or 6; absent through a proxy and where nothing came.',
    ipVersion(reply?.address ?? null),
  );
}

/** As blackbox_exporter does, a phase that did not come about took 0; here the handshake does not count the connecting. */
function durations(registry: Registry, { timings }: Answer): void {
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = timings;
  const gauge = new Gauge({
    name: 'probe_http_duration_seconds',
    help: 'How long each phase of the request took, summed over redirects.',
    labelNames: ['phase'],
    registers: [registry],
  });
  const before = (dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + (firstByteMs ?? 0);
  const transferMs = firstByteMs === null ? null : Math.max(0, totalMs - before);
  const phases = { resolve: dnsMs, connect: connectMs, tls: tlsMs, processing: firstByteMs, transfer: transferMs };
  for (const [phase, ms] of Object.entries(phases)) gauge.set({ phase }, (ms ?? 0) / 1_000);
}

function lengthOf(answer: Answer): number {
  const announced = answer.kind === 'reply' ? answer.headers.get('content-length') : null;
  return announced !== null && /^\d{1,15}$/.test(announced) ? Number(announced) : -1;
}

function ipVersion(address: string | null): number | null {
  if (address === null) return null;
  return isIPv6(address) ? 6 : 4;
}

/** The certificate that ends first of those of the hosts, one that was refused for its age among them. */
function certificate(registry: Registry, answers: readonly Answer[]): void {
  const ends = answers.flatMap((answer) => dateOf(validTo(answer)) ?? []);
  const add = adding(registry);
  add(
    'probe_ssl_earliest_cert_expiry',
    "When the first of the hosts' own certificates ends, in seconds since 1970; those that signed them are not looked at.",
    ends.length === 0 ? null : Math.min(...ends),
  );
  const version = answers.map((answer) => (answer.kind === 'reply' ? answer.tls?.protocol : undefined)).find(Boolean);
  if (version === undefined) return;
  const info = new Gauge({
    name: 'probe_tls_version_info',
    help: 'The version of TLS, as a label.',
    labelNames: ['version'],
    registers: [registry],
  });
  info.set({ version: version.replace(/^TLSv/, 'TLS ') }, 1);
}

function validTo(answer: Answer): string | null {
  if (answer.kind === 'reply') return answer.tls?.validTo ?? null;
  const reported = answer.evidence['validTo'];
  return typeof reported === 'string' ? reported : null;
}

/** Seconds since 1970; `null` for no date. */
function dateOf(text: string | null): number | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : Math.floor(time / 1_000);
}

/** What fails or warns, in words: for the annotations of alerts, in the language of those who read them. */
function findings(registry: Registry, { report, texts }: Probed): void {
  const gauge = new Gauge({
    name: 'docvitals_finding_info',
    help: 'What is wrong and what to do, as labels, in the language that was asked for.',
    labelNames: ['site', 'check', 'code', 'severity', 'problem', 'fix'],
    registers: [registry],
  });
  for (const { id, findings: found } of report.checks) {
    for (const { rule, severity } of found) {
      if (severity !== 'error' && severity !== 'warning') continue;
      const { problem = '', fix = '' } = texts.finding(id, rule) ?? {};
      gauge.set({ site: report.site.url, check: id, code: rule, severity, problem, fix }, 1);
    }
  }
}
