import { DomHandler, Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { locateInDocs, manyFindings, optionsIn, SAMPLES } from '../../test/reports/samples.ts';
import { junitReport } from './junit.ts';
import type { ReportOptions } from './formats.ts';

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Node[];
  readonly text: string;
}

type Parsed = DomHandler['dom'][number];

function nodeOf(parsed: Parsed): Node[] {
  if (!('attribs' in parsed)) return [];
  const text = parsed.children.map((child) => ('data' in child ? child.data : '')).join('');
  return [{ name: parsed.name, attributes: parsed.attribs, children: parsed.children.flatMap(nodeOf), text }];
}

function read(document: string): Node {
  const handler = new DomHandler();
  new Parser(handler, { xmlMode: true, decodeEntities: true }).end(document);
  const root = handler.dom.flatMap(nodeOf).find(({ name }) => name === 'testsuites');
  if (root === undefined) throw new Error('no testsuites');
  return root;
}

async function suiteOf(report: Report, options: Partial<ReportOptions> = {}): Promise<Node> {
  const root = read(junitReport(report, await optionsIn('en', options)));
  expect(root.children.map(({ name }) => name)).toEqual(['testsuite']);
  return root.children[0] as Node;
}

async function caseOf(check: Partial<CheckResult>, options: Partial<ReportOptions> = {}): Promise<Node> {
  const suite = await suiteOf(reportOf([check]), options);
  return suite.children.find(({ name }) => name === 'testcase') as Node;
}

const childOf = (node: Node, name: string): Node | undefined => node.children.find((child) => child.name === name);

describe('a suite', () => {
  it('counts its cases by outcome', async () => {
    const { attributes, children } = await suiteOf(SAMPLES['faulty'] as Report);
    expect(attributes).toMatchObject({
      name: 'http://docs.test/',
      tests: '6',
      failures: '2',
      errors: '1',
      skipped: '1',
      time: '0.001',
      timestamp: '2026-01-01T00:00:00',
    });
    expect(children.filter(({ name }) => name === 'testcase')).toHaveLength(6);
  });

  it.each([
    [
      'the version, the language and the verdict',
      'healthy',
      { version: '0.0.0', language: 'en', verdict: 'healthy', interrupted: 'false' },
    ],
    ['that the run was stopped', 'interrupted', { interrupted: 'true', verdict: 'unknown' }],
    [
      'that the site is fresh',
      'healthy and fresh, waited for',
      { fresh: 'true', 'waited.by': 'source', 'waited.allPassedMs': '42000' },
    ],
    [
      'that the site is old',
      'stale, waited for in vain',
      { fresh: 'false', verdict: 'stale', 'waited.runs': '14', summary: expect.stringContaining('config.json') },
    ],
  ])('reports %s', async (_, name, wanted) => {
    const suite = await suiteOf(SAMPLES[name] as Report);
    const reported = Object.fromEntries(
      (childOf(suite, 'properties')?.children ?? []).map(({ attributes }) => [attributes['name'], attributes['value']]),
    );
    expect(reported).toMatchObject(
      Object.fromEntries(Object.entries(wanted).map(([property, value]) => [`docvitals.${property}`, value])),
    );
  });

  it('leaves out clocks that were not reached', async () => {
    const suite = await suiteOf(SAMPLES['stale, waited for in vain'] as Report);
    const names = (childOf(suite, 'properties')?.children ?? []).map(({ attributes }) => attributes['name']);
    expect(names).not.toContain('docvitals.waited.firstNewMs');
  });
});

describe('a case', () => {
  it.each([
    { url: 'https://docs.example.com/', className: 'docvitals.docs-example-com' },
    { url: 'http://127.0.0.1:8080/docs/v2.1/', className: 'docvitals.127-0-0-1-8080-docs-v2-1' },
    { url: 'http://[::1]:80/', className: 'docvitals.1-80' },
  ])('of $url has the class $className', async ({ url, className }) => {
    const suite = await suiteOf(reportOf([{ id: 'home', durationMs: 1234 }], { site: { url } }));
    expect(childOf(suite, 'testcase')?.attributes).toEqual({ classname: className, name: 'home', time: '1.234' });
  });

  it.each([
    { status: 'pass', severity: 'info', children: ['system-out'] },
    { status: 'warn', severity: 'warning', children: ['system-out'] },
    { status: 'fail', severity: 'error', children: ['failure'] },
    { status: 'unknown', severity: null, children: ['error'] },
  ] as const)('that has the status $status has $children', async ({ status, severity, children }) => {
    const found = await caseOf({ status, findings: [finding({ rule: 'syntax', severity })] });
    expect(found.children.map(({ name }) => name)).toEqual(children);
    expect(found.children[0]?.text).toContain('config/syntax');
  });

  it('has nothing in it where there is nothing to say', async () => {
    expect((await caseOf({ status: 'pass' })).children).toEqual([]);
  });

  it('is skipped with its reason', async () => {
    const { texts } = await optionsIn('en');
    const found = await caseOf({ id: 'llms-txt', status: 'skip', skipped: finding({ rule: 'off', severity: null }) });
    const reason = texts.finding('llms-txt', 'off')?.problem;
    expect(found.children).toMatchObject([{ name: 'skipped', text: reason, attributes: { message: reason } }]);
  });

  it('has the code and the problem of its worst finding, and reports them all', async () => {
    const { texts } = await optionsIn('en');
    const findings = [
      finding({ rule: 'media-type', severity: 'warning' }),
      finding({ rule: 'trailing-comma', evidence: { offset: 7 } }),
    ];
    const failure = childOf(await caseOf({ findings }), 'failure');
    expect(failure?.attributes).toEqual({
      type: 'config/trailing-comma',
      message: texts.finding('config', 'trailing-comma')?.problem,
    });
    for (const part of [
      'config/media-type',
      'Position in the file: 7',
      texts.finding('config', 'trailing-comma')?.fix ?? '?',
    ])
      expect(failure?.text).toContain(part);
  });

  it('reports what a failed check saw beside the failure', async () => {
    const found = await caseOf({ findings: [finding()], facts: { pages: 3 } });
    expect(found.children.map(({ name, text }) => [name, text.includes('Pages: 3')])).toEqual([
      ['failure', false],
      ['system-out', true],
    ]);
  });

  it('reports the place in the repository where it is known, else that on the site', async () => {
    const findings = [finding({ location: { path: 'config.json', line: 3, column: 5 } })];
    expect(childOf(await caseOf({ findings }, { locate: locateInDocs }), 'failure')?.text).toContain(
      'docs/config.json:3:5',
    );
    expect(childOf(await caseOf({ findings }), 'failure')?.text).toContain('  config.json:3:5');
  });

  it('reports so many of one code and how many more there are', async () => {
    const suite = await suiteOf(manyFindings(5_000));
    const text = childOf(childOf(suite, 'testcase') as Node, 'failure')?.text ?? '';
    expect(text).toContain('page-4.md');
    expect(text).not.toContain('page-5.md');
    expect(text).toContain('4995');
  });

  it('is cut where it is too long', async () => {
    const findings = Array.from({ length: 3_000 }, (_, index) =>
      finding({ rule: `code-${index}`, evidence: { index } }),
    );
    const text = childOf(await caseOf({ findings }), 'failure')?.text ?? '';
    expect(text.length).toBeLessThan(65_000);
    expect(text).toContain('--format json');
  });
});

describe('hostile texts', () => {
  it.each(HOSTILE_ROWS)('$name: the text is all there and nothing of it is markup', async ({ text }) => {
    const document = junitReport(hostileReport(text), await optionsIn('en'));
    const suite = read(document).children[0] as Node;
    const cases = suite.children.filter(({ name }) => name === 'testcase');
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ['failure', 'system-out'],
      ['system-out'],
      ['error', 'system-out'],
      ['skipped', 'system-out'],
      ['system-out'],
    ]);
    expect(cases[0]?.children.flatMap(({ children }) => children)).toEqual([]);
    const shown = printable(text)
      .replaceAll('[[ATTACHMENT', '[ [ATTACHMENT')
      .replaceAll('[[attachment', '[ [attachment');
    expect(cases[0]?.children[0]?.text).toContain(`value ${shown.slice(0, 900)}`);
    expect(document).not.toMatch(/\[\[ATTACHMENT\|/i);
    expect(document.length).toBeLessThan(500_000);
  });
});
