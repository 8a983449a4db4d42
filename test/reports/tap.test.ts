/** TAP as Perl's `prove` reads it, whatever a site sends: it takes versions up to 13 and a YAML of its own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { tapReport } from '../../src/report/tap.ts';
import { LANGUAGES, type Language } from '../../src/locales/language.ts';
import { finding, reportOf } from '../reports.ts';
import { HOSTILE_ROWS, hostileReport } from './hostile.ts';
import { locateInDocs, optionsIn, SAMPLE_ROWS } from './samples.ts';
import { judgedBy, toolWanted } from './tools.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-tap-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = await optionsIn('en');

const LISTS = [
  'a: b',
  'Content-Type: text/html',
  'a : b',
  ':',
  ': a',
  'a:',
  '- a: b',
  '"a": b',
  "'a': b",
  '#',
  '# a: b',
];
const ROWS = [
  ...SAMPLE_ROWS.filter(({ report }) => !report.interrupted),
  ...HOSTILE_ROWS.map(({ text }) => ({ report: hostileReport(text) })),
  {
    report: reportOf([
      {
        findings: [
          finding({ evidence: { lists: LISTS, [LISTS.join(' ')]: [{ 'a b': 1, 'c: d': ['e: f', ['g: h', []]] }] } }),
        ],
      },
    ]),
  },
];

/** English: all; another language, whose words are the only difference: what has findings of several kinds. */
const rowsIn = (language: Language) =>
  language === 'en' ? ROWS : SAMPLE_ROWS.filter(({ name }) => !/^many|interrupted/.test(name));

/** Has the documents all evaluated at once; what `prove` says of their form, and which of them it takes for passed. */
function judged(documents: readonly string[]): {
  readonly mistakes: readonly string[];
  readonly passed: readonly boolean[];
} {
  const files = documents.map((document, index) => {
    const file = path.join(folder, `${index}.tap`);
    writeFileSync(file, document);
    return file;
  });
  const { said } = judgedBy('prove', ['--exec', 'cat', ...files]);
  const lines = said.split('\n');
  return {
    mistakes: lines.filter((line) => /parse error|dubious|no plan/i.test(line)),
    passed: files.map((file) => lines.some((line) => line.startsWith(`${file} `) && /\b(?:ok|skipped.*)$/.test(line))),
  };
}

describe.runIf(toolWanted('prove', '--version'))('prove', () => {
  it.each(LANGUAGES)('takes every report, in %s', async (language) => {
    const own = await optionsIn(language, { locate: locateInDocs });
    const rows = rowsIn(language);
    const { mistakes, passed } = judged(rows.map(({ report }) => tapReport(report, own)));
    expect(mistakes).toEqual([]);
    expect(passed).toEqual(
      rows.map(({ report }) => report.checks.every(({ status }) => !['fail', 'unknown'].includes(status))),
    );
  });

  it('sees what is none', async () => {
    const first = tapReport(reportOf([{}]), options);
    expect(judged([first.replace('version 13', 'version 14')]).mistakes.length).toBeGreaterThan(0);
    expect(judged([first.replace('  ...', '  a: "b\n  ...')]).mistakes.length).toBeGreaterThan(0);
  });
});
