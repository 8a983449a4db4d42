/** What every report for people tells alike: where a fault is, what is old, and what to do. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import schema from '../../src/report/report.schema.json' with { type: 'json' };
import { jsonReport, type FindingDocument, type ReportDocument } from '../../src/report/document.ts';
import { loadFormat, type FormatName, type ReportOptions } from '../../src/report/formats.ts';
import { LOCATE_NOTHING } from '../../src/report/location.ts';
import { LANGUAGES } from '../../src/locales/language.ts';
import type { Report } from '../../src/core/check.ts';
import { finding, reportOf } from '../reports.ts';
import { locateInDocs, optionsIn, SAMPLES } from './samples.ts';
import { adviceWord } from '../../src/report/groups.ts';
import { reportWords } from '../../src/generated/locales/report.ts';

const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

const FOR_PEOPLE = ['pretty', 'github', 'markdown', 'junit', 'html'] as const satisfies readonly FormatName[];

async function made(format: FormatName, report: Report, options: ReportOptions): Promise<string> {
  return (await loadFormat(format))(report, { ...options, columns: 200 });
}

const at = (path: string, line: number) => ({ path, line, column: 4 });
const placed = finding({
  rule: 'missing',
  location: at('navigation.md', 3),
  locations: [3, 5, 6, 7, 8, 9, 10, 11].map((line) => at('navigation.md', line)),
});
const alone = reportOf([{ id: 'links', findings: [placed] }]);
const several = reportOf([{ id: 'links', findings: [placed, finding({ rule: 'missing', location: at('a.md', 2) })] }]);

describe('locations', () => {
  const rows = FOR_PEOPLE.flatMap((format) => [
    { format, name: 'one finding', report: alone },
    { format, name: 'several findings', report: several },
  ]);

  it.each(rows)('in the repository, in $format: $name', async ({ format, report }) => {
    const text = await made(format, report, await optionsIn('en', { locate: locateInDocs }));
    expect(text).toContain('docs/navigation.md:3:4');
    expect(text).toContain('docs/navigation.md:5:4');
    expect(text).not.toMatch(/(?<!docs\/)(?:navigation|a)\.md:\d/);
  });

  it.each(FOR_PEOPLE)('of a file as a whole, in %s', async (format) => {
    const old = reportOf([{ id: 'source', findings: [finding({ rule: 'stale', evidence: { path: 'guide.md' } })] }]);
    const text = await made(format, old, await optionsIn('en', { locate: locateInDocs }));
    expect(text).toContain('docs/guide.md');
  });

  it.each(LANGUAGES)('besides the first have a word before them in %s', async (language) => {
    const options = await optionsIn(language);
    const text = await made('pretty', alone, options);
    const words = reportWords(language);
    expect(text).toContain(`    ${words.also} navigation.md:5:4, navigation.md:6:4`);
    expect(text).toContain(`navigation.md:9:4, ${words.more(2)}`);
    expect(await made('pretty', alone, { ...options, detail: 'verbose' })).toContain('navigation.md:11:4');
  });

  it('in the repository are reported by JSON beside those on the site', async () => {
    const { texts } = await optionsIn('en');
    const findingIn = (locate: ReportOptions['locate']): FindingDocument | undefined =>
      (JSON.parse(jsonReport(alone, { texts, locate })) as ReportDocument).checks[0]?.findings[0];
    const repository = { file: 'docs/navigation.md', line: 3, column: 4 };
    const location = { path: 'navigation.md', line: 3, column: 4 };
    expect(findingIn(locateInDocs)).toMatchObject({
      location: { ...location, repository },
      locations: { 0: { ...location, repository }, 7: { repository: { file: 'docs/navigation.md', line: 11 } } },
    });
    expect(findingIn(LOCATE_NOTHING)?.location).toEqual(location);
    expect(findingIn(() => ({ ...repository, line: null, column: null }))?.location).toEqual({
      ...location,
      repository: { file: 'docs/navigation.md', line: null, column: null },
    });
    for (const locate of [LOCATE_NOTHING, locateInDocs, () => ({ ...repository, line: null, column: null })]) {
      validate(JSON.parse(jsonReport(alone, { texts, locate })));
      expect(validate.errors).toBe(null);
    }
  });
});

describe('what is old', () => {
  const stale = SAMPLES['stale, waited for in vain'] as Report;

  it.each(['pretty', 'github', 'markdown', 'junit', 'html', 'sarif'] as const)(
    'is in the summary of %s',
    async (format) => {
      const options = await optionsIn('en');
      const { outcome, waiting } = options.messages;
      const text = await made(format, stale, options);
      expect(text).toContain('config.json');
      expect(text.replaceAll('&#160;', '\u00a0')).not.toContain(outcome.failed(1, 6));
      const [beginning = ''] = waiting.stale(null, '\0').split('\0');
      expect(beginning).not.toBe('');
      expect(text.replaceAll('`', '')).toContain(beginning);
    },
  );
});

describe('what to do', () => {
  const rows = (['pretty', 'markdown', 'junit'] as const).flatMap((format) =>
    LANGUAGES.map((language) => ({ format, language })),
  );

  it.each(rows)('has its word by the severity, in $format in $language', async ({ format, language }) => {
    const options = await optionsIn(language);
    const text = async (severity: 'error' | 'info'): Promise<string> =>
      made(format, reportOf([{ findings: [finding({ severity })] }]), options);
    const word = (grade: 'error' | 'info'): string => adviceWord(grade, options);
    expect(word('error')).not.toBe(word('info'));
    const error = await text('error');
    const info = await text('info');
    expect([error.includes(word('error')), error.includes(word('info'))]).toEqual([true, false]);
    expect([info.includes(word('error')), info.includes(word('info'))]).toEqual([false, true]);
  });
});

describe('how often was asked', () => {
  it.each([
    { requests: 0, told: false },
    { requests: 1, told: false },
    { requests: 2, told: true },
  ])('$requests: $reported', async ({ requests, told }) => {
    const text = await made('pretty', reportOf([{ status: 'pass', requests }]), await optionsIn('en'));
    expect(text.includes(` ×${requests}`)).toBe(told);
  });
});

describe('a heading in Markdown', () => {
  it.each(LANGUAGES)('has the signs of %s', async (language) => {
    const headings = (await made('markdown', alone, await optionsIn(language)))
      .split('\n')
      .filter((line) => /^#{1,3} .*:/.test(line));
    expect(headings.map((line) => /(\u00a0?):/.exec(line)?.[1])).toEqual(
      language === 'fr' ? ['\u00a0', '\u00a0'] : ['', ''],
    );
  });
});
