import { describe, expect, it } from 'vitest';
import type { Finding } from '../core/finding.ts';
import type { Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import { cutText } from './cut.ts';
import { LANGUAGES } from '../locales/language.ts';
import { finding, reportOf } from '../../test/reports.ts';
import { HOSTILE_ROWS, hostileReport } from '../../test/reports/hostile.ts';
import { locateInDocs, manyFindings, optionsIn, SAMPLE_ROWS, SAMPLES } from '../../test/reports/samples.ts';
import { readTap, type TapDocument } from '../../test/reports/tap-grammar.ts';
import type { ReportOptions } from './formats.ts';
import { tapReport, yamlMapping } from './tap.ts';
import { parse } from 'yaml';
import type { Json } from '../core/answer.ts';

async function tapOf(report: Report, options: Partial<ReportOptions> = {}): Promise<TapDocument> {
  return readTap(tapReport(report, await optionsIn('en', options)));
}

interface Diagnostics {
  readonly severity: string;
  readonly facts?: unknown;
  readonly findings?: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly count: number;
    readonly more?: number;
    readonly shown: readonly { readonly at?: readonly string[]; readonly evidence: unknown }[];
  }[];
}

/** What is told of the first check. */
async function firstOf(report: Report, options: Partial<ReportOptions> = {}): Promise<Diagnostics | undefined> {
  const { points } = await tapOf(report, options);
  return points[0]?.diagnostics as Diagnostics | undefined;
}

describe('the TAP document', () => {
  const rows = SAMPLE_ROWS.flatMap((row) => LANGUAGES.map((language) => ({ ...row, language })));

  it.each(rows)('of the report "$name" in $language is of the grammar', async ({ report, language }) => {
    const { points } = readTap(tapReport(report, await optionsIn(language)));
    expect(points.map(({ ok, directive }) => [ok, directive?.name ?? null])).toEqual(
      report.checks.map(({ status }) => [status !== 'fail' && status !== 'unknown', status === 'skip' ? 'SKIP' : null]),
    );
  });

  it('has a point for each outcome', async () => {
    const { points } = await tapOf(SAMPLES['faulty'] as Report);
    expect(points.map(({ ok, diagnostics }) => [ok, (diagnostics as Diagnostics).severity])).toEqual([
      [true, 'pass'],
      [false, 'fail'],
      [true, 'warn'],
      [false, 'fail'],
      [false, 'unknown'],
      [true, 'skip'],
    ]);
  });

  it('says why a check was skipped', async () => {
    const { texts } = await optionsIn('en');
    const { points } = await tapOf(SAMPLES['faulty'] as Report);
    expect(points.at(-1)?.directive).toEqual({ name: 'SKIP', reason: texts.finding('llms-txt', 'off')?.problem });
  });

  it('escapes what would begin a directive in a title', async () => {
    const options = await optionsIn('en');
    const title = String.raw`a # SKIP b \# TODO c\\`;
    const texts = { ...options.texts, title: () => title };
    const { points } = readTap(tapReport(reportOf([{ status: 'pass' }]), { ...options, texts }));
    expect(points).toMatchObject([{ ok: true, description: `config: ${title}`, directive: null }]);
  });

  it('reports places, evidence and facts', async () => {
    const { points } = await tapOf(SAMPLES['faulty'] as Report, { locate: locateInDocs });
    const links = points[3]?.diagnostics as Diagnostics;
    expect(links.facts).toEqual({ pages: 30, missing: 2, js: [200, 404] });
    expect(links.findings).toMatchObject([
      {
        rule: 'links/missing',
        severity: 'error',
        count: 2,
        shown: [
          {
            at: ['docs/navigation.md:1:3', 'docs/navigation.md:5:3', 'docs/navigation.md:9:3'],
            evidence: { target: 'a.md' },
          },
          { at: ['docs/navigation.md:2:3'], evidence: { target: 'b.md' } },
        ],
      },
      { rule: 'links/media-type', severity: 'warning', count: 1 },
    ]);
  });

  it('reports so many of one rule and how many more there are', async () => {
    const group = (await firstOf(manyFindings(5_000)))?.findings?.[0];
    expect([group?.count, group?.shown.length, group?.more]).toEqual([5_000, 10, 4_990]);
  });

  it.each([
    ['interrupted', true],
    ['faulty', false],
  ])('of a run that was %s bails out: %s', async (name, bailsOut) => {
    expect((await tapOf(SAMPLES[name] as Report)).bailOut !== null).toBe(bailsOut);
  });

  it.each([
    ['healthy', 2],
    ['healthy and fresh, waited for', 4],
    ['waited for health only', 3],
  ])('of the report "%s" has %i comments on the run', async (name, count) => {
    expect((await tapOf(SAMPLES[name] as Report)).comments).toHaveLength(count);
  });
});

describe('evidence', () => {
  it.each([
    ['numbers', { a: 1, b: -0.5, c: 1e21, d: 1e-7 }],
    ['words of YAML', { a: true, b: null, c: 'true', d: 'null', e: '~', f: '1', g: 'no', h: '0x1' }],
    ['names that are words of YAML', { null: 1, true: 2, on: 3, y: 4, '1': 5, '': 6, '-': 7, 'a b': 8, 'a: b': 9 }],
    ['empty ones', { a: [], b: {}, c: '' }],
    ['lists in lists of objects', { a: [{ b: [1, 2], c: { d: 'e' } }, { b: [] }] }],
  ])('of %s stays what it is', async (_, evidence) => {
    const first = await firstOf(reportOf([{ findings: [finding({ evidence })] }]));
    expect(first?.findings?.[0]?.shown[0]?.evidence).toEqual(evidence);
  });

  it('that lies deep ends as text', async () => {
    let deep: Finding['evidence'] = {};
    for (let depth = 0; depth < 500; depth++) deep = depth % 2 === 0 ? { files: deep } : { pages: [deep, 1] };
    const { points } = await tapOf(reportOf([{ findings: [finding({ evidence: deep })] }]));
    expect(points).toHaveLength(1);
  });

  it.each(HOSTILE_ROWS)('of $name is all there', async ({ text }) => {
    const { points, bailOut } = await tapOf(hostileReport(text));
    expect(bailOut).toBeNull();
    expect(points.map(({ ok, directive }) => [ok, directive?.name])).toEqual([
      [false, undefined],
      [true, undefined],
      [false, undefined],
      [true, 'SKIP'],
      [true, undefined],
    ]);
    const first = await firstOf(hostileReport(text));
    const evidence = first?.findings?.[0]?.shown[0]?.evidence as Record<string, object> | undefined;
    const { nested, ...others } = evidence ?? {};
    const shown = cutText(printable(text), 1_000);
    expect(others).toEqual({ value: shown, list: [shown, 'b'], objects: [{ value: shown }, { b: 1 }] });
    expect(Object.keys(nested ?? {})).toHaveLength(1);
  });
});

const read = (members: { readonly [name: string]: Json }): unknown =>
  parse(yamlMapping(members).join('\n'), { version: '1.2', strict: true, uniqueKeys: true });

function nestedValue(depth: number, timers: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let level = 0; level < depth; level++) value = timers(value);
  return value;
}

function within(): Json {
  const value: Record<string, Json> = { a: 1 };
  value['b'] = [value, value];
  value['c'] = value;
  return value;
}

describe('what is small', () => {
  it.each<{ readonly [name: string]: Json }>([
    { a: 1, b: [true, null, 'c'], d: { e: [] }, f: {} },
    { list: [{ a: 1, b: { c: 2 } }, 'x', { d: [1, { e: 2 }] }] },
    { deep: nestedValue(9, (a) => ({ a })) },
  ])('%j stays what it is', (members) => {
    expect(read(members)).toEqual(members);
  });
});

describe('names', () => {
  it.each([
    ['alike once they are printable', { '\n': 1, '␊': 2 }],
    ['alike once they are cut', { [`${'x'.repeat(300)}a`]: 1, [`${'x'.repeat(300)}b`]: 2 }],
    ['alike to what tells them apart', { '␊': 1, '␊ (2)': 2, '\n': 3 }],
  ])('that are %s stay apart', (_, members) => {
    expect(Object.values(read(members) as object)).toEqual(Object.values(members));
  });
});

describe('what is large', () => {
  it.each<{ name: string; value: Json }>([
    { name: 'many members', value: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`m${index}`, 1])) },
    { name: 'many items', value: Array.from({ length: 50_000 }, (_, index) => index) },
    { name: 'many lists', value: Array.from({ length: 50_000 }, (_, index) => [index, [index]]) },
    { name: 'many objects', value: Array.from({ length: 50_000 }, (_, index) => ({ a: index, b: [index] })) },
    { name: 'a long text without a break', value: 'x'.repeat(1_000_000) },
    { name: 'depth', value: nestedValue(100_000, (inner) => ({ a: inner })) },
    { name: 'depth of lists', value: nestedValue(100_000, (inner) => [inner]) },
    { name: 'a part that it has in many ways', value: nestedValue(500, (inner) => ({ a: inner, b: [inner, 1] })) },
    {
      name: 'parts that it has in even more ways',
      value: nestedValue(9, (a) => ({ a, b: a, c: a, d: a, e: [a, { a }] })),
    },
    { name: 'itself', value: within() },
  ])('ends: $name', ({ value }) => {
    const lines = yamlMapping({ before: 1, value, after: 2 });
    expect(lines.length).toBeLessThan(21_000);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(5_000_000);
    // To look for each key among all others takes the parser half a minute.
    const reported: unknown = parse(lines.join('\n'), { version: '1.2', strict: true, uniqueKeys: false });
    expect(reported).toMatchObject({ before: 1 });
  });
});
