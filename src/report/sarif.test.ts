import { describe, expect, it } from 'vitest';
import type { SarifLog, SarifResult, SarifRun } from '../../test/reports/sarif-log.ts';
import { finding, reportOf } from '../../test/reports.ts';
import type { CheckResult, Report } from '../core/check.ts';
import type { Finding } from '../core/finding.ts';
import { LANGUAGES } from '../locales/language.ts';
import { loadTexts } from './texts.ts';
import type { ReportOptions } from './formats.ts';
import type { Locate } from './location.ts';
import { literal, sarifReport } from './sarif.ts';
import { locateInDocs as inDocs, optionsIn } from '../../test/reports/samples.ts';
import { messagesIn } from '../locales/messages.ts';

const options = await optionsIn('en');
const oldVersion: Locate = ({ path }) => ({ file: `docs/${path}`, line: null, column: null });

const runOf = (report: Report, given: Partial<ReportOptions> = {}): SarifRun =>
  (JSON.parse(sarifReport(report, { ...options, ...given })) as SarifLog).runs[0];

function resultOf(found: Finding, given: Partial<ReportOptions> = {}, check: Partial<CheckResult> = {}): SarifResult {
  const [result] = runOf(reportOf([{ findings: [found], ...check }]), given).results;
  if (result === undefined) throw new Error('no result');
  return result;
}

const located = finding({ location: { path: 'a b/ș.md', line: 3, column: 7 } });

describe('rules', () => {
  it('are one for each code, with problem and fix', () => {
    const findings = [finding(), finding(), finding({ rule: 'trailing-comma', severity: 'warning' })];
    const { tool, results } = runOf(reportOf([{ findings }]));
    const text = options.texts.finding('config', 'syntax');
    expect(tool.driver.rules.map(({ id, name, defaultConfiguration: { level } }) => [id, name, level])).toEqual([
      ['config/syntax', 'ConfigSyntax', 'error'],
      ['config/trailing-comma', 'ConfigTrailingComma', 'warning'],
    ]);
    expect(results.map(({ ruleId, ruleIndex }) => [ruleId, ruleIndex])).toEqual([
      ['config/syntax', 0],
      ['config/syntax', 0],
      ['config/trailing-comma', 1],
    ]);
    expect(tool.driver.rules[0]?.help.markdown).toContain(text?.problem);
    expect(tool.driver.rules[0]?.help.markdown).toContain(text?.fix.split('\n')[0]);
  });

  it.each(LANGUAGES)('speak %s', async (language) => {
    const texts = await loadTexts(language);
    const given = { texts, messages: messagesIn(language) };
    const { language: reported, tool, results } = runOf(reportOf([{ findings: [finding()] }]), given);
    const plain = texts.finding('config', 'syntax')?.problem.replaceAll('`', '');
    expect(reported).toBe(language);
    expect(tool.driver.rules[0]?.fullDescription.text).toBe(plain);
    expect(results[0]?.message.text).toBe(texts.finding('config', 'syntax')?.problem);
  });
});

describe('results', () => {
  it.each([
    { severity: 'error', level: 'error' },
    { severity: 'warning', level: 'warning' },
    { severity: 'info', level: 'note' },
  ] as const)('$severity: $level', ({ severity, level }) => {
    expect(resultOf(finding({ severity })).level).toBe(level);
  });

  it.each<{
    name: string;
    found: Finding;
    given?: Partial<ReportOptions>;
    uri: string;
    base?: string;
    region?: object;
  }>([
    {
      name: 'a line of the repository',
      found: located,
      given: { locate: inDocs },
      uri: 'docs/a%20b/%C8%99.md',
      base: '%SRCROOT%',
      region: { startLine: 3, startColumn: 7, endLine: 3, endColumn: 8 },
    },
    {
      name: 'a file of the repository that is live in another version',
      found: located,
      given: { locate: oldVersion },
      uri: 'docs/a%20b/%C8%99.md',
      base: '%SRCROOT%',
    },
    {
      name: 'a place on the site',
      found: located,
      uri: 'docs.test/a%20b/%C8%99.md',
      region: { startLine: 3, startColumn: 7, endLine: 3, endColumn: 8 },
    },
    { name: 'what was asked for', found: finding(), uri: 'docs.test/config.json' },
    {
      name: 'a place that would lead out of the site',
      found: finding({ location: { path: '../../x//./y.md', line: 1, column: 1 } }),
      uri: 'docs.test/x/y.md',
      region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
    },
  ])('are at $name', ({ found, given, uri, base, region }) => {
    const { locations } = resultOf(found, given);
    expect(locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri, ...(base === undefined ? {} : { uriBaseId: base }) },
          ...(region === undefined ? {} : { region }),
        },
      },
    ]);
  });

  it.each([
    { url: 'http://localhost:8080/docs/config.json', uri: 'localhost%3A8080/docs/config.json' },
    { url: 'http://[::1]:8080/', uri: '%5B%3A%3A1%5D%3A8080' },
    { url: 'https://docs.test/100%/a%2Fb', uri: 'docs.test/100%25/a%252Fb' },
    { url: 'nonsense', uri: 'docs.test' },
  ])('of $url are at $uri', ({ url, uri }) => {
    expect(resultOf(finding(), {}, { url }).locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it('report the other locations, each once, those in the repository as such', () => {
    const location = { path: 'a.md', line: 1, column: 1 };
    const other = { path: 'b.md', line: 2, column: 2 };
    const found = finding({ location, locations: [location, other, other] });
    const related = resultOf(found, { locate: inDocs }).relatedLocations;
    expect(related).toHaveLength(1);
    expect(related?.[0]).toMatchObject({
      id: 1,
      physicalLocation: { artifactLocation: { uri: 'docs/b.md', uriBaseId: '%SRCROOT%' } },
    });
  });

  it.each([
    { name: 'none where upload-sarif has the line', given: { locate: inDocs }, has: false },
    { name: 'one for a file without a line', given: { locate: oldVersion }, has: true },
    { name: 'one for a place that is known on the site only', given: {}, has: true },
  ])('for code scanning have a fingerprint of our own: $name', ({ given, has }) => {
    const { partialFingerprints } = resultOf(located, given);
    expect('primaryLocationLineHash' in partialFingerprints).toBe(has);
    expect(partialFingerprints['docvitals/v1']).toMatch(/^[\da-f]{16}:1$/);
  });

  const print = (found: Finding, site = 'http://docs.test/'): string | undefined =>
    runOf(reportOf([{ findings: [found] }], { site: { url: site } })).results[0]?.partialFingerprints['docvitals/v1'];
  const about = (evidence: Finding['evidence'], line = 1): Finding =>
    finding({ evidence, location: { path: 'a.md', line, column: 1 } });

  it.each([
    { name: 'another line', one: print(about({}, 1)), other: print(about({}, 9)), same: true },
    { name: 'another answer', one: print(about({ status: 404 })), other: print(about({ status: 500 })), same: true },
    { name: 'another target', one: print(about({ target: 'a' })), other: print(about({ target: 'b' })), same: false },
    {
      name: 'a preview',
      one: print(about({ url: 'http://docs.test/x' })),
      other: print(about({ url: 'http://preview.test/x' }), 'http://preview.test/'),
      same: true,
    },
    {
      name: 'a name of chance',
      one: print(about({ url: 'http://docs.test/docvitals-3314ff03-00ec-4f96-92e1-cfc868581bfb.md' })),
      other: print(about({ url: 'http://docs.test/docvitals-55fe542a-183a-40ac-b198-897e0bfbc250.md' })),
      same: true,
    },
  ])('have the same fingerprint, $same: $name', ({ one, other, same }) => {
    expect(one === other).toBe(same);
  });

  it('that look the same are counted', () => {
    const prints = runOf(reportOf([{ findings: [finding(), finding()] }])).results.map(
      ({ partialFingerprints }) => partialFingerprints['docvitals/v1'],
    );
    expect(prints.map((one) => one?.slice(-2))).toEqual([':1', ':2']);
  });

  it.each([
    { name: 'an answer', check: {}, response: { statusCode: 200 } },
    { name: 'none', check: { httpStatus: null }, response: { noResponseReceived: true } },
    { name: 'several requests', check: { requests: 4, attempts: 0 }, response: undefined },
  ])('have the request: $name', ({ check, response }) => {
    expect(resultOf(finding(), {}, check).webResponse).toEqual(response);
  });

  it('hold the evidence as it is', () => {
    const evidence = { status: 404, list: ['a', { b: null }] };
    expect(resultOf(finding({ evidence })).properties.evidence).toEqual(evidence);
  });
});

describe('the run', () => {
  it.each([
    { name: 'failed', rest: { verdict: 'down' }, successful: true },
    { name: 'unknown', rest: { verdict: 'unknown' }, successful: false },
    { name: 'interrupted', rest: { interrupted: true }, successful: false },
  ] as const)('was successful, $successful: $name', ({ rest, successful }) => {
    expect(runOf(reportOf([{}], rest)).invocations[0].executionSuccessful).toBe(successful);
  });

  it('reports when it was', () => {
    const [invocation] = runOf(reportOf([], { startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1500 })).invocations;
    expect([invocation.startTimeUtc, invocation.endTimeUtc]).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-01-01T00:00:01.500Z',
    ]);
  });

  it('notifies of what could not be determined, which is no result', () => {
    const unknown = finding({ rule: 'out-of-descriptors', severity: null, evidence: { error: 'EMFILE' } });
    const { results, invocations, tool } = runOf(reportOf([{ status: 'unknown', findings: [unknown] }]));
    expect(results).toEqual([]);
    expect(tool.driver.rules).toEqual([]);
    expect(tool.driver.notifications.map(({ id }) => id)).toEqual(['config/out-of-descriptors']);
    expect(invocations[0].toolExecutionNotifications[0]).toMatchObject({
      descriptor: { id: 'config/out-of-descriptors', index: 0 },
      level: 'warning',
      properties: { evidence: { error: 'EMFILE' } },
    });
  });
});

describe('literal', () => {
  it.each([
    { name: 'an embedded link', text: 'a [b](1) c', literal: 'a [b] (1) c' },
    { name: 'a placeholder', text: '{0} {12}', literal: '{{0}} {{12}}' },
    { name: 'JSON', text: '{"a":{"b":[1]}}', literal: '{"a":{"b":[1]}}' },
    { name: 'plain text', text: 'status 404 · `x`', literal: 'status 404 · `x`' },
  ])('$name', (row) => {
    expect(literal(row.text)).toBe(row.literal);
  });
});
