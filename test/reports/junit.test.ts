/** JUnit XML as `xmllint` reads it, whatever a site sends. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { junitReport } from '../../src/report/junit.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import { HOSTILE_ROWS, hostileReport } from './hostile.ts';
import { locateInDocs, optionsIn, SAMPLE_ROWS } from './samples.ts';
import { judgedBy, toolWanted } from './tools.ts';

const SHAPE = path.join(import.meta.dirname, 'junit-shape.xsd');
const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-junit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ROWS = [
  ...SAMPLE_ROWS,
  ...HOSTILE_ROWS.map(({ name, text }) => ({ name: `hostile: ${name}`, report: hostileReport(text) })),
];

/** Writes the documents and has them all evaluated at once, a line for each mistake. */
function mistakes(documents: readonly string[]): readonly string[] {
  const files = documents.map((document, index) => {
    const file = path.join(folder, `${index}.xml`);
    writeFileSync(file, document);
    return file;
  });
  const { said } = judgedBy('xmllint', ['--noout', '--nonet', '--schema', SHAPE, ...files]);
  return said.split('\n').filter((line) => line !== '' && !line.endsWith(' validates'));
}

describe.runIf(toolWanted('xmllint', '--version'))('xmllint', () => {
  it.each(LANGUAGES)('takes every report for well-formed and of the shape, in %s', async (language) => {
    const options = await optionsIn(language, { locate: locateInDocs });
    // Another language, whose words are the only difference: what has findings of several kinds.
    const rows = language === 'en' ? ROWS : SAMPLE_ROWS.filter(({ name }) => !name.startsWith('many'));
    expect(mistakes(rows.map(({ report }) => junitReport(report, options)))).toEqual([]);
  });

  it('sees what is not of the shape', async () => {
    const document = junitReport(ROWS[0]?.report ?? hostileReport(''), await optionsIn('en'));
    expect(mistakes([document.replace('<testcase ', '<testcase file="a" ')]).length).toBeGreaterThan(0);
    expect(mistakes([document.replace('errors="0"', 'errors="none"')]).length).toBeGreaterThan(0);
    expect(mistakes([document.replace('</testsuite>', '&#0;</testsuite>')]).length).toBeGreaterThan(0);
  });
});
