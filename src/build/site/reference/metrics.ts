/** `reference/metrics.md`: the metrics, from what a monitor, a probe and a report print. */
import { readHeaders } from '../../../http/headers.ts';
import { createMetrics } from '../../../monitor/server/metrics.ts';
import { createProbe } from '../../../monitor/server/probe.ts';
import type { Answer } from '../../../answer.ts';
import { prometheusReport } from '../../../report/prometheus.ts';
import { block, code, compactTable, page, prose } from './markdown.ts';
import { SAMPLE_REPORT, SAMPLE_SITE, sampleView } from './sample.ts';
import type { Words } from './words.ts';

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

export async function metricsPage(words: Words): Promise<string> {
  const [monitor, probe] = await Promise.all([monitorMetrics(), probeMetrics()]);
  const report = metricsIn(prometheusReport(SAMPLE_REPORT));
  const inMonitor = new Set(monitor.map(({ name }) => name));
  const inReport = new Set(report.map(({ name }) => name));
  const isOwn = ({ name }: Metric): boolean => name.startsWith('docvitals_');
  const isOfSite = ({ labels }: Metric): boolean => labels.includes('site');
  const shared = monitor.filter((metric) => inReport.has(metric.name) && isOfSite(metric));
  const isPage = ({ name }: Metric): boolean => name.startsWith('docvitals_page_');
  const section = (title: string, about: string, metrics: readonly Metric[]): readonly string[] => [
    `## ${words(title)}`,
    words(about),
    compactTable(
      [words('Metric'), words('Type'), words('Labels'), words('Description')],
      metrics.map(({ name, type, labels, help }) => [
        code(name),
        type,
        name.startsWith('docvitals_') || name.startsWith('probe_') ? labels.map(code).join(', ') : '',
        prose(words(help)),
      ]),
    ),
  ];
  return page(words('Metrics'), [
    words(
      'Metrics are in the text format of Prometheus. A running monitor serves them at `/metrics`, `docvitals check --format prometheus` writes those of one run, and `/probe` checks a target while Prometheus waits.',
    ),
    block('yaml', SCRAPE),
    words(
      'In `/metrics`, the label `site` is the id of the site; in a report and a probe it is its base URL. Metrics without a value are absent.',
    ),
    words(
      'In `/metrics`, samples with the label `location` are what one location measured; those without it are all locations together.',
    ),
    ...section(
      'Sites and checks',
      'In `/metrics`, in reports and in probes.',
      shared.filter((one) => !isPage(one)),
    ),
    ...section(
      'Pages in the browser',
      'Only with the browser check. `route` is the part of the address after the base URL.',
      shared.filter(isPage),
    ),
    ...section(
      'Monitored sites',
      'Only in `/metrics`.',
      monitor.filter((one) => isOwn(one) && isOfSite(one) && !inReport.has(one.name)),
    ),
    ...section(
      'The monitor itself',
      'Only in `/metrics`, except `docvitals_build_info`.',
      monitor.filter((one) => isOwn(one) && !isOfSite(one)),
    ),
    ...section(
      'Reports of one run',
      'In `docvitals check --format prometheus` and in probes. The metrics of the wait require `--wait`.',
      report.filter(({ name }) => !inMonitor.has(name)),
    ),
    ...section(
      'Probes',
      'Only in `/probe`. They have the names of blackbox_exporter, so that its dashboards and rules work.',
      probe.filter(({ name }) => !inMonitor.has(name) && !inReport.has(name)),
    ),
    ...section(
      'The process',
      'Only in `/metrics`. Some depend on the operating system.',
      monitor.filter((one) => !isOwn(one)),
    ),
  ]);
}

const SCRAPE = `scrape_configs:
  - job_name: docvitals
    static_configs:
      - targets: ['127.0.0.1:9464']
`;

/** What a running monitor prints. */
export async function monitorMetrics(): Promise<readonly Metric[]> {
  // Incidents are counted from the second reading on, and those of the first one are remembered.
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

/** The metrics of a text in the exposition format. */
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
