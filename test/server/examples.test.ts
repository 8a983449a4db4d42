/** The examples for Prometheus, Alertmanager and Grafana: read by the programs, and about metrics that there are. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { finding, reportOf } from '../reports.ts';
import { startHost } from '../site/host.ts';
import { ask, closeAll, serve } from './client.ts';
import { namesOf } from './exposition.ts';
import { run, wanted } from './tools.ts';
import { incidentOf, memory, NOON, settingsOf, siteOf, siteViewOf, stateOf, viewOf } from './view.ts';
import { openState } from '../monitor/incident/state.ts';

const FOLDER = join(import.meta.dirname, '../../src/monitor/examples');
const text = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

/** All names that `/metrics` and `/probe` can have. */
async function allNames(): Promise<ReadonlySet<string>> {
  const over = incidentOf({ id: 'docs-over', recoveredAt: NOON - 60_000 });
  const remembered = memory({ pending: 1 });
  const report = reportOf([
    { id: 'tls', status: 'fail', facts: { validTo: '2027-01-01T00:00:00Z' }, findings: [finding()] },
  ]);
  const view = siteViewOf(siteOf(), report, { state: stateOf(report, openState(incidentOf())) });
  const host = await startHost(new Map([['index.html', '']]));
  const site = siteOf({ id: 'docs', url: host.url, checking: DEFAULT_CONFIG });
  const base = await serve({
    view: viewOf({
      remembered,
      settings: () => settingsOf({ sites: [site], probe: { targets: ['docs'], modules: new Map() } }),
      sites: () => [view],
      onIncident(listener) {
        listener({ kind: 'opened', incident: over, at: NOON });
        listener({ kind: 'recovered', incident: over, at: NOON });
      },
      troubles: () => ['disk-full'],
    }),
  });
  const told = await Promise.all([ask(base, '/metrics'), ask(base, '/probe?target=docs')]);
  await closeAll();
  await host.close();
  return new Set([
    ...told.flatMap((one) => namesOf(one.text)),
    // Only over TLS; and what Prometheus adds.
    'probe_ssl_earliest_cert_expiry',
    'probe_tls_version_info',
    'up',
  ]);
}

/** What an expression asks for: names before a selector, and those that look like ours. */
function asked(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '""').replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/\b(?:docvitals|probe|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly datasource: { readonly uid: string };
  }[];
}
const dashboard = JSON.parse(text('grafana/docvitals.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly annotations: { readonly list: readonly { readonly expr?: string }[] };
};
const expressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.annotations.list.flatMap(({ expr }) => expr ?? []),
];

describe('the dashboard', () => {
  it('takes its data from the source that is chosen', () => {
    const sources = dashboard.panels.flatMap(({ datasource, targets = [] }) => [
      ...(datasource === undefined ? [] : [datasource.uid]),
      ...targets.map((target) => target.datasource.uid),
    ]);
    expect(new Set(sources)).toEqual(new Set(['${datasource}']));
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['site', 'query'],
    ]);
  });

  it('has panels with names and numbers of their own, side by side', () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });

  it('uses only variables that there are', () => {
    const variables = expressions.flatMap((one) => [...one.matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name));
    expect([...new Set(variables)].toSorted()).toEqual(['__range', '__rate_interval', 'site']);
  });
});

describe('the metrics that are asked for are reported', () => {
  let names: ReadonlySet<string>;
  beforeAll(async () => {
    names = await allNames();
  });

  it.each([...new Set(expressions)].map((one) => [one] as const))('%s', (expression) => {
    const used = asked(expression);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });

  it('by the alert rules', () => {
    const used = [...text('prometheus/docvitals.rules.yml').matchAll(/expr: (.*)/g)].flatMap(([, one = '']) =>
      asked(one),
    );
    expect(used.length).toBeGreaterThan(12);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.runIf(wanted('promtool', 'amtool'))('the programs read', () => {
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'docvitals-rules-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['promtool', ['check', 'rules', 'prometheus/docvitals.rules.yml']],
    ['promtool', ['test', 'rules', 'prometheus/docvitals.rules.test.yml']],
    ['promtool', ['test', 'rules', 'prometheus/docvitals.budget.test.yml']],
    ['promtool', ['check', 'config', 'prometheus/prometheus.yml']],
    ['amtool', ['check-config', 'alertmanager/alertmanager.yml']],
  ])('%s %j', (program, [...args]) => {
    const file = join(FOLDER, args.pop() ?? '');
    const { status, said } = run(program, [...args, file]);
    expect({ status, failed: /FAILED/.test(said) ? said : '' }).toEqual({ status: 0, failed: '' });
  });

  it('every expression of the dashboard', () => {
    const rules = expressions.map((expression, index) => ({
      record: `panel:expression:${index}`,
      expr: expression.replaceAll('$site', '.*').replaceAll(/\$__(?:rate_interval|range)/g, '5m'),
    }));
    const file = join(folder, 'rules.json');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { status, said } = run('promtool', ['check', 'rules', file]);
    expect({ status, failed: status === 0 ? '' : said }).toEqual({ status: 0, failed: '' });
  });
});
