/** SARIF logs against the schema of the standard, and against the rules by which GitHub's code scanning takes them. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/core/check.ts';
import { LOCATE_NOTHING } from '../../src/report/location.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { loadTexts } from '../../src/report/texts.ts';
import { finding, reportOf } from '../reports.ts';
import { deployed } from './repository.ts';
import { HOSTILE_ROWS, hostileReport } from './hostile.ts';
import { logOf, SCHEME, type SarifLog } from './sarif-log.ts';
import { locateInDocs as inDocs, optionsIn } from './samples.ts';
import { messagesIn } from '../../src/locales/messages.ts';

const options = await optionsIn('en');

/** What makes code scanning refuse a file, or show nothing of a result. */
function refusals({ runs: [run] }: SarifLog): readonly string[] {
  const rules = run.tool.driver.rules;
  const ofRules = rules.flatMap((rule) => [
    ...(rule.name.length > 255 ? [`${rule.id}: name`] : []),
    ...[rule.shortDescription, rule.fullDescription].flatMap(({ text }) =>
      text === '' || text.length > 1024 ? [`${rule.id}: description`] : [],
    ),
    ...(rule.help.text === '' ? [`${rule.id}: help`] : []),
  ]);
  const ofResults = run.results.flatMap((result) => {
    const locations = [...result.locations, ...(result.relatedLocations ?? [])];
    const uris = locations.map(({ physicalLocation }) => physicalLocation.artifactLocation.uri);
    return [
      ...(rules[result.ruleIndex]?.id === result.ruleId ? [] : [`${result.ruleId}: rule`]),
      ...(result.locations.length === 1 ? [] : [`${result.ruleId}: locations`]),
      ...(locations.length > 1000 ? [`${result.ruleId}: too many locations`] : []),
      ...(result.message.text === '' ? [`${result.ruleId}: message`] : []),
      ...uris.filter((uri) => uri === '' || SCHEME.test(uri) || /^\/|(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(uri)),
    ];
  });
  return [...ofRules, ...ofResults];
}

const fingerprints = ({ runs: [run] }: SarifLog): readonly string[] =>
  run.results.map(({ ruleId, partialFingerprints }) => `${ruleId} ${partialFingerprints['docvitals/v1']}`);

// A run cuts what a site says long before this.
const rows = HOSTILE_ROWS.map(({ name, text }) => ({ name, text: text.slice(0, 5_000) }));

describe('a log', () => {
  it.each(rows)('$name: is valid, and code scanning takes it', ({ text }) => {
    for (const locate of [LOCATE_NOTHING, inDocs]) {
      const output = sarifReport(hostileReport(text), { ...options, locate });
      expect(output).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
      const log = logOf(output);
      expect(refusals(log).filter((refusal) => locate === LOCATE_NOTHING || !refusal.startsWith('docs/'))).toEqual([]);
      expect(log.runs[0].results).toHaveLength(6);
    }
  });

  it.each(LANGUAGES)('of every code that has a text is valid (%s)', async (language) => {
    const texts = await loadTexts(language);
    const codes = (id: string): string[] =>
      [...(texts.page(id) ?? '').matchAll(/^## ([a-z\d-]+)$/gm)].map(([, code = '']) => code);
    const checks = texts.ids().map((id) => ({ id, findings: codes(id).map((rule) => finding({ rule })) }));
    const log = logOf(sarifReport(reportOf(checks), { ...options, texts, messages: messagesIn(language) }));
    expect(refusals(log)).toEqual([]);
    expect(log.runs[0].results.length).toBeGreaterThan(100);
    expect(new Set(fingerprints(log)).size).toBe(log.runs[0].results.length);
  });

  it.each<{ name: string; report: Report }>([
    { name: 'healthy', report: reportOf([{ status: 'pass' }], { verdict: 'healthy', fresh: true }) },
    { name: 'interrupted', report: reportOf([], { verdict: 'unknown', interrupted: true }) },
    {
      name: 'waited for',
      report: reportOf([], {
        waited: {
          forMs: 5,
          elapsedMs: 4,
          runs: 2,
          by: 'source',
          firstNewMs: null,
          allNewMs: null,
          allPassedMs: null,
        },
      }),
    },
    { name: 'at an address of IPv6', report: reportOf([{ findings: [finding()], url: 'http://[::1]:8080/a%20b/' }]) },
    { name: 'on a port', report: reportOf([{ findings: [finding()], url: 'http://localhost:8080/config.json' }]) },
  ])('$name', ({ report }) => {
    expect(refusals(logOf(sarifReport(report, options)))).toEqual([]);
  });

  it('of a real run is valid, and its fingerprints outlast what is put before a fault', async () => {
    const broken = '- [Gone](gone.md)\n- [Home](index.md)\n- [Other](other.md)\n';
    const logs = await Promise.all(
      ['', '# Docs\n\nText.\n\n'].map(async (before) => {
        const { report, locate } = await deployed({ 'navigation.md': `${before}${broken}` });
        return logOf(sarifReport(report, { ...options, locate }));
      }),
    );
    const [first = [], second = []] = logs.map((log) =>
      fingerprints(log).filter((one) => one.startsWith('links/missing ')),
    );
    expect(new Set(first).size).toBe(2);
    expect(second).toEqual(first);
    expect(logs.flatMap(refusals)).toEqual([]);
  });
});

describe('a log that would be too large', () => {
  const evidence = { target: `${'x'.repeat(40)}.md` };
  const location = { path: 'navigation.md', line: 1, column: 1 };
  const many = Array.from({ length: 30_000 }, (_, index) =>
    finding({
      rule: 'missing',
      severity: index % 2 === 0 ? 'warning' : 'error',
      evidence: { ...evidence, index },
      location,
    }),
  );

  it('has the worst, and reports how many it has not', () => {
    const text = sarifReport(reportOf([{ id: 'links', findings: many }]), options);
    const log = JSON.parse(text) as SarifLog;
    const [{ results, invocations, properties }] = log.runs;
    expect(gzipSync(text).length).toBeLessThan(10_000_000);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
    expect(results.length).toBeLessThanOrEqual(25_000);
    expect(results.length).toBeGreaterThan(5_000);
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['error']));
    expect(properties.leftOut).toBe(many.length - results.length);
    expect(invocations[0].toolExecutionNotifications.map(({ descriptor }) => descriptor.id)).toEqual(['limit-reached']);
  });
});
