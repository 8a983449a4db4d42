import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { LANGUAGES } from '../locales/language.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { codesOf, GITHUB_MARKS, nodesOf, readGfm, shapeOf } from '../../test/reports/gfm.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import {
  locateInDocs,
  manyChecks,
  manyCodes,
  manyFindings,
  optionsIn,
  SAMPLE_ROWS,
  SAMPLES,
} from '../../test/reports/samples.ts';
import { markdownReport, markdownWithin } from './markdown.ts';
import type { ReportOptions } from './formats.ts';

type Tree = ReturnType<typeof readGfm>;

async function treeOf(report: Report, options: Partial<ReportOptions> = {}): Promise<Tree> {
  return readGfm(markdownReport(report, await optionsIn('en', options)));
}

/** The text of each cell, row by row. */
function tableOf(tree: Tree): readonly (readonly string[])[] {
  return nodesOf(tree)
    .filter((node) => node.type === 'tableRow')
    .map((row) =>
      row.children.map((cell) =>
        nodesOf(cell)
          .flatMap((node) => ('value' in node ? [node.value] : []))
          .join(''),
      ),
    );
}

const headingsOf = (tree: Tree, depth: number): readonly string[] =>
  nodesOf(tree)
    .filter((node) => node.type === 'heading' && node.depth === depth)
    .map((node) =>
      nodesOf(node)
        .flatMap((each) => ('value' in each ? [each.value] : []))
        .join(''),
    );

const typesOf = (tree: Tree): ReadonlySet<string> => new Set(nodesOf(tree).map(({ type }) => type));

/** Everything that a report may be made of. */
const ALLOWED = new Set([
  'root',
  'heading',
  'paragraph',
  'text',
  'inlineCode',
  'code',
  'list',
  'listItem',
  'link',
  'strong',
  'table',
  'tableRow',
  'tableCell',
  'blockquote',
]);

describe('the report', () => {
  const rows = SAMPLE_ROWS.flatMap((row) => LANGUAGES.map((language) => ({ ...row, language })));

  it.each(rows)('"$name" in $language has its parts and no other', async ({ report, language }) => {
    const options = await optionsIn(language);
    const text = markdownReport(report, options);
    const tree = readGfm(text);
    expect([...typesOf(tree)].filter((type) => !ALLOWED.has(type))).toEqual([]);
    expect(headingsOf(tree, 1)).toHaveLength(1);
    expect(headingsOf(tree, 1)[0]).toContain(options.messages.verdicts[report.verdict]);
    const table = tableOf(tree);
    expect(table).toHaveLength(report.checks.length === 0 ? 0 : report.checks.length + 1);
    expect(table.filter((cells) => cells.length !== 5)).toEqual([]);
    expect(table.slice(1).map(([status]) => status?.split(' ')[1])).toEqual(
      report.checks.map(({ status }) => options.messages.statuses[status]),
    );
    expect(text.endsWith('\n')).toBe(true);
    expect(text).not.toMatch(/\n\n\n|undefined|NaN|\[object/);
  });

  it('reports the worst first and each code once', async () => {
    expect(
      headingsOf(await treeOf(SAMPLES['faulty'] as Report), 3).map((heading) => heading.replace(/^.*: /, '')),
    ).toEqual([
      'config/trailing-comma',
      'links/missing ×2',
      'home/no-network',
      'navigation/no-links',
      'links/media-type',
      'bundle/media-type',
    ]);
  });

  it('has a row for each check', async () => {
    const table = tableOf(await treeOf(SAMPLES['faulty'] as Report));
    expect(table[4]?.slice(1)).toEqual(['Links and pages', 'GET /**/*.md ×40', '', '1\u00a0ms']);
    expect(table[2]?.slice(2)).toEqual(['GET /config.json', '200', '1\u00a0ms']);
  });

  it('shows the lines around a fault', async () => {
    const blocks = nodesOf(await treeOf(SAMPLES['faulty'] as Report)).filter((node) => node.type === 'code');
    expect(blocks.map(({ value }) => value.split('\n')[1])).toEqual(['> 2 |   "a": 1,']);
  });

  it('reports places in the repository where they are known, else those on the site', async () => {
    const report = SAMPLES['faulty'] as Report;
    expect(codesOf(await treeOf(report, { locate: locateInDocs }))).toContain('docs/navigation.md:5:3');
    expect(codesOf(await treeOf(report))).toContain('navigation.md:5:3');
    const found = await treeOf(report, { locate: ({ path }) => ({ file: path, line: null, column: null }) });
    expect(codesOf(found)).toContain('navigation.md');
  });

  it('reports the file of a finding that has no line', async () => {
    const report = reportOf([{ id: 'source', findings: [finding({ rule: 'stale', evidence: { path: 'a.md' } })] }]);
    expect(codesOf(await treeOf(report, { locate: locateInDocs }))).toContain('docs/a.md');
  });

  it('reports one cause once', async () => {
    expect(headingsOf(await treeOf(SAMPLES['one cause'] as Report), 3)).toHaveLength(1);
  });

  it('reports a fix once', async () => {
    const { texts, messages } = await optionsIn('en');
    const findings = [finding({ rule: 'media-type', severity: 'warning' })];
    const text = markdownReport(
      reportOf([
        { id: 'navigation', status: 'warn', findings },
        { id: 'home', status: 'warn', findings },
      ]),
      await optionsIn('en'),
    );
    const fix = texts.finding('home', 'media-type')?.fix.split('`')[0] ?? '?';
    expect(text.split(fix)).toHaveLength(2);
    expect(text).toContain(messages.sameFix('`navigation/media-type`'));
  });

  it.each([
    ['healthy', 2],
    ['healthy and fresh, waited for', 4],
    ['stale, waited for in vain', 4],
    ['waited for health only', 3],
    ['interrupted', 3],
  ])('"%s" has %i paragraphs before the table', async (name, count) => {
    const { children } = await treeOf(SAMPLES[name] as Report);
    expect(children.findIndex(({ type }) => type === 'table') - 1).toBe(count);
  });

  it.each([
    { detail: 'quiet', rows: 4, headings: 5 },
    { detail: 'normal', rows: 6, headings: 6 },
    { detail: 'verbose', rows: 6, headings: 6 },
  ] as const)('that is to be $detail has $rows rows and $headings codes', async ({ detail, rows: count, headings }) => {
    const tree = await treeOf(SAMPLES['faulty'] as Report, { detail });
    expect(tableOf(tree)).toHaveLength(count + 1);
    expect(headingsOf(tree, 3)).toHaveLength(headings);
  });

  it.each([
    { detail: 'normal', shown: 10, more: 1 },
    { detail: 'verbose', shown: 50, more: 0 },
  ] as const)('that is to be $detail shows $shown findings of one code', async ({ detail, shown, more }) => {
    const tree = await treeOf(manyFindings(50), { detail });
    const list = nodesOf(tree).find((node) => node.type === 'list');
    expect(list?.children).toHaveLength(shown + more);
  });

  it('links the site and nothing else', async () => {
    const links = nodesOf(await treeOf(reportOf([], { site: { url: 'https://docs.test/a&lt;(b)|c*d_/' } }))).filter(
      (node) => node.type === 'link',
    );
    expect(links.map(({ url }) => url)).toEqual(['https://docs.test/a&lt;(b)|c*d_/']);
  });
});

describe('what a site sends', () => {
  let plain = '';
  let plainHeadline = '';
  beforeAll(async () => {
    plain = shapeOf(await treeOf(hostileReport('harmless')));
    plainHeadline = shapeOf(await treeOf(stale('harmless')));
  });

  it.each(HOSTILE_ROWS)('is all there and changes nothing around it: $name', async ({ text }) => {
    const tree = await treeOf(hostileReport(text));
    expect(shapeOf(tree)).toBe(plain);
    const texts = nodesOf(tree).flatMap((node) => (node.type === 'text' ? [node.value] : []));
    expect(texts.filter((found) => GITHUB_MARKS.test(found))).toEqual([]);
    const shown = text === '' ? '""' : printable(text);
    const wanted = shown.length > 1_000 ? shown.slice(0, 900) : shown;
    expect(codesOf(tree).filter((code) => code.startsWith(wanted)).length).toBeGreaterThan(3);
  });

  /** The headline names the old files and the version that the site tells. */
  const stale = (text: string): Report =>
    reportOf(
      [
        { id: 'source', findings: [finding({ rule: 'stale', evidence: { path: text, commit: 'a' } })] },
        {
          id: 'deployed-version',
          findings: [finding({ rule: 'old-version', evidence: { expected: `x${text}`, found: text } })],
        },
      ],
      { verdict: 'stale', fresh: false },
    );

  it.each(HOSTILE_ROWS.filter(({ text }) => text !== ''))('stays code in the headline: $name', async ({ text }) => {
    expect(shapeOf(await treeOf(stale(text)))).toBe(plainHeadline);
  });

  it.each(HOSTILE_ROWS)('is no link where it is for the site: $name', async ({ text }) => {
    const tree = await treeOf(reportOf([], { site: { url: text } }));
    expect([...typesOf(tree)].filter((type) => !ALLOWED.has(type))).toEqual([]);
    expect(nodesOf(tree).filter((node) => node.type === 'link' && !/^https?:/.test(node.url))).toEqual([]);
  });
});

describe('a report within a limit', () => {
  const sizes = [0, 1, 100, 300, 600, 1_000, 3_000, 20_000];
  const reports = [
    { name: 'many codes', report: manyCodes(500) },
    { name: 'many findings', report: manyFindings(500) },
    { name: 'many checks', report: manyChecks(500) },
    { name: 'faulty', report: SAMPLES['faulty'] as Report },
    { name: 'healthy', report: SAMPLES['healthy'] as Report },
    { name: 'hostile', report: hostileReport('é|`\ud800'.repeat(300)) },
  ];
  const rows = reports.flatMap((row) => sizes.map((size) => ({ ...row, size })));

  it.each(rows)('$name in $size bytes', async ({ report, size }) => {
    const options = await optionsIn('en');
    const text = markdownWithin(report, options, size, 'report`|.json');
    const tree = readGfm(text);
    expect([...typesOf(tree)].filter((type) => !ALLOWED.has(type))).toEqual([]);
    expect(tableOf(tree).filter((cells) => cells.length !== 5)).toEqual([]);
    const isWhole = text === markdownReport(report, options);
    const last = codesOf(readGfm(text.trim().split('\n').at(-1) ?? ''));
    expect(text === '' || isWhole || last.includes('report`|.json')).toBe(true);
  });

  // Languages differ in the bytes of their words: one report shows it.
  const limits = reports.flatMap((row) =>
    (row.name === 'faulty' ? LANGUAGES : (['en'] as const)).map((language) => ({ ...row, language })),
  );

  it.each(limits)('$name in $language is whole or never longer than it may be', async ({ report, language }) => {
    const options = await optionsIn(language);
    const whole = markdownReport(report, options);
    for (const size of [...sizes, 65_536, Buffer.byteLength(whole) - 1]) {
      expect(Buffer.byteLength(markdownWithin(report, options, size))).toBeLessThanOrEqual(size);
    }
    expect(markdownWithin(report, options, Buffer.byteLength(whole))).toBe(whole);
  });

  it('keeps the worst, whole, and reports how many are missing', async () => {
    const text = markdownWithin(manyCodes(2_000), await optionsIn('en'), 20_000);
    const kept = headingsOf(readGfm(text), 3);
    expect(kept.length).toBeGreaterThan(50);
    // Only errors have odd numbers.
    expect(kept.filter((heading) => !/links\/code-\d*[13579]$/.test(heading))).toEqual([]);
    expect(text).toContain((2_000 - kept.length).toLocaleString('en'));
    expect(text.trim().split('\n').at(-3)).toMatch(/^- `index \d+`$/);
  });

  it('shortens a code with many findings before it leaves it out', async () => {
    const options = await optionsIn('en');
    const whole = Buffer.byteLength(markdownReport(manyFindings(50), options));
    const tree = readGfm(markdownWithin(manyFindings(50), options, whole - 50));
    const list = nodesOf(tree).find((node) => node.type === 'list');
    expect(list?.children).toHaveLength(2);
  });

  it('keeps the rows of the table that are not well', async () => {
    const tree = readGfm(markdownWithin(manyChecks(300), await optionsIn('en'), 12_000));
    const statuses = tableOf(tree)
      .slice(1)
      .map(([status]) => status?.split(' ')[1]);
    expect(statuses.length).toBeGreaterThan(20);
    expect(new Set(statuses)).toEqual(new Set(['fail']));
  });

  it('says where everything is where no file has it', async () => {
    expect(markdownWithin(manyFindings(50), await optionsIn('en'), 1_000)).toContain('--format json');
  });
});
