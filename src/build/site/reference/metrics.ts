/** The metrics, from what a monitor, a probe and a report print. */
import { readHeaders } from '../../../http/headers.ts';
import { createMetrics } from '../../../monitor/server/metrics.ts';
import { createProbe } from '../../../monitor/server/probe.ts';
import type { Answer } from '../../../answer.ts';
import { prometheusReport } from '../../../report/prometheus.ts';
import { code, compactTable, prose, type Parts } from './markdown.ts';
import { SAMPLE_REPORT, SAMPLE_SITE, sampleView } from './sample.ts';
import type { Words } from './words.ts';

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

export async function metricsParts(words: Words): Promise<Parts> {
  const [monitor, probe] = await Promise.all([monitorMetrics(), probeMetrics()]);
  const report = metricsIn(prometheusReport(SAMPLE_REPORT));
  const namesOf = (metrics: readonly Metric[]) => new Set(metrics.map(({ name }) => name));
  const [inMonitor, inReport] = [namesOf(monitor), namesOf(report)];
  const [own, ofProcess] = partition(monitor, ({ name }) => name.startsWith('docvitals_'));
  const [ofSites, ofMonitor] = partition(own, ({ labels }) => labels.includes('site'));
  const [shared, monitored] = partition(ofSites, ({ name }) => inReport.has(name));
  const [pages, sites] = partition(shared, ({ name }) => name.startsWith('docvitals_page_'));
  const tables = {
    sites,
    pages,
    monitored,
    monitor: ofMonitor,
    reports: report.filter(({ name }) => !inMonitor.has(name)),
    probes: probe.filter(({ name }) => !inMonitor.has(name) && !inReport.has(name)),
    // Their labels differ between versions of Node.
    process: ofProcess.map((metric) => ({ ...metric, labels: [] })),
  };
  const head = [words('Metric'), words('Type'), words('Labels'), words('Description')];
  const rowOf = ({ name, type, labels, help }: Metric) => [
    code(name),
    type,
    labels.map(code).join(', '),
    prose(words(help)),
  ];
  return Object.fromEntries(
    Object.entries(tables).map(([name, metrics]) => [name, compactTable(head, metrics.map(rowOf))]),
  );
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

export async function monitorMetrics(): Promise<readonly Metric[]> {
  return metricsIn(await createMetrics(sampleView())());
}

async function probeMetrics(): Promise<readonly Metric[]> {
  const probe = createProbe({
    view: sampleView(),
    env: {},
    async check({ onAnswer }) {
      onAnswer?.(ANSWER);
      return SAMPLE_REPORT;
    },
  });
  const text = await probe({
    path: '/probe',
    search: new URLSearchParams({ target: SAMPLE_SITE.id }),
    header: () => null,
    signal: new AbortController().signal,
  });
  return metricsIn(text);
}

const ANSWER: Answer = {
  kind: 'reply',
  requestUrl: SAMPLE_SITE.url,
  url: SAMPLE_SITE.url,
  redirects: [],
  attempts: 1,
  timings: { dnsMs: 2, connectMs: 8, tlsMs: 12, firstByteMs: 40, totalMs: 80 },
  status: 200,
  headers: readHeaders(['last-modified', 'Fri, 20 Nov 2026 18:00:00 GMT']),
  body: new Uint8Array(),
  encodedBytes: 0,
  address: '192.0.2.10',
  tls: { protocol: 'TLSv1.3', validTo: '2027-01-01T00:00:00.000Z' } as Extract<Answer, { kind: 'reply' }>['tls'],
};

export function metricsIn(text: string): readonly Metric[] {
  const metrics = new Map<string, { name: string; help: string; type: string; labels: Set<string> }>();
  for (const line of text.split('\n')) {
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword !== undefined) {
      const metric = metrics.get(name) ?? { name, help: '', type: '', labels: new Set<string>() };
      metrics.set(name, keyword === 'HELP' ? { ...metric, help: rest } : { ...metric, type: rest });
      continue;
    }
    const [, sample = '', labels = ''] = /^([a-z_]+)\{(.*)\} \S+$/.exec(line) ?? [];
    const metric = metrics.get(sample) ?? metrics.get(sample.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) metric?.labels.add(label);
  }
  return [...metrics.values()].map((metric) => ({
    ...metric,
    labels: [...metric.labels].filter((one) => one !== 'le'),
  }));
}
