/**
 * What was measured last, in results.json, and the parts of the documents that are made of it, between `<!-- name -->`
 * and `<!-- /name -->`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { LANGUAGES } from '../../src/locales/language.ts';
import { inLanguage } from '../docs/languages.ts';
import { inWords } from '../docs/phrases.ts';
import { drawChart, number, quantity } from './chart.ts';
import { FAULTS, PAGE_FAULTS, TREE_FAULTS, type Fault } from './faults.ts';
import { compare, FIGURES, type Compared, type Figure, type Pairs, type Spread } from './measure.ts';
import { peer } from './peers.ts';
import type { Testimony } from './proof.ts';
import type { Costs, Growth, Row } from './row.ts';
import { GROWTHS, ROWS } from './rows.ts';

/** When and where something was measured. */
interface Occasion {
  /** As 2026-11-20. */
  readonly date: string;
  /** Cores, system and Node. */
  readonly machine: string;
  /** Versions by name. */
  readonly peers: Readonly<Record<string, string>>;
}

export interface Result extends Occasion {
  readonly pairs: number;
  readonly figures: Readonly<Partial<Record<Figure, Compared>>>;
}

export interface Grown extends Occasion {
  readonly runs: number;
  readonly points: readonly { readonly at: number; readonly costs: Costs }[];
}

export interface Results {
  readonly rows: Readonly<Record<string, Result>>;
  readonly growth: Readonly<Record<string, Grown>>;
  readonly proof: readonly Testimony[];
}

export interface Limit {
  /** The ratio ours / theirs, or ours alone. */
  readonly of: 'ratio' | 'ours';
  readonly atMost: number;
  readonly aim?: number;
  /** `--short` measures rows that have it, and fails at it: a busy machine may exceed `atMost`. */
  readonly inCi?: number;
}

const fileHere = (name: string): string => path.join(import.meta.dirname, name);
const ROOT = fileHere('../..');
const jsonOf = (name: string): unknown => JSON.parse(readFileSync(fileHere(name), 'utf8'));

/** By the ids of rows and by figures. */
export const LIMITS = jsonOf('limits.json') as Readonly<Record<string, Readonly<Partial<Record<Figure, Limit>>>>>;
export const limitsOf = (id: string): readonly (readonly [Figure, Limit])[] =>
  Object.entries(LIMITS[id] ?? {}) as [Figure, Limit][];

export function occasionOf({ needs }: Pick<Row, 'needs'>): Occasion {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const system = /^PRETTY_NAME="(.+)"$/m.exec(release)?.[1] ?? process.platform;
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores of ${cpus()[0]?.model}, ${system}, Node ${process.versions.node}`,
    peers: Object.fromEntries(needs.map((name) => [name, peer(name).version])),
  };
}

export const resultOf = (row: Row, pairs: Pairs): Result => ({
  ...occasionOf(row),
  pairs: pairs.ours.length,
  figures: Object.fromEntries(row.figures.map((figure) => [figure, compare(pairs, figure)])),
});

const DASH = '–';

/** Three significant digits. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return DASH;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

const withQuartiles = (spread?: Spread): string =>
  spread === undefined ? DASH : `${short(spread.median)} (${short(spread.low)}${DASH}${short(spread.high)})`;

/** The first `texts` columns are words, the others numbers. */
function table(head: readonly string[], texts: number, rows: readonly (readonly string[])[]): string {
  const rule = head.map((_, column) => (column < texts ? ':---' : '---:'));
  return rows.length === 0 ? '' : [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function targetTable(results: Results, rows: readonly Row[]): string {
  const cells = rows.flatMap((row) =>
    limitsOf(row.id).map(([figure, { of, atMost, aim }]) => {
      const measured = results.rows[row.id]?.figures[figure]?.[of];
      const wanted = `≤ ${atMost}${of === 'ours' ? ` ${FIGURES[figure].unit}` : ''}`;
      const verdict = (measured?.median ?? NaN) <= atMost ? 'yes' : '**no**';
      const isMet = measured === undefined ? 'not measured' : verdict;
      const against = of === 'ours' ? 'itself' : row.against;
      const work = `${row.work}, ${FIGURES[figure].name}`;
      return [work, against, aim === undefined ? wanted : `${wanted}, aim ${aim}`, withQuartiles(measured), isMet];
    }),
  );
  return table(['work', 'against', 'wanted', 'measured', 'met'], 2, cells);
}

/** Rows with the same figures are in one table: what both took, ours first. */
function rowTables(results: Results, rows: readonly Row[]): string {
  const tables = [...Map.groupBy(rows, ({ figures }) => figures.join()).values()].map((group) => {
    const figures = group[0]?.figures ?? [];
    const units = figures.map((figure) => [FIGURES[figure].name, FIGURES[figure].unit].filter(Boolean).join(', '));
    const cells = group.map(({ id, against }) => {
      const result = results.rows[id];
      const values = figures.flatMap((figure) => {
        const compared = result?.figures[figure];
        if (compared === undefined) return [DASH, DASH];
        return [`${short(compared.ours.median)} : ${short(compared.theirs.median)}`, withQuartiles(compared.ratio)];
      });
      return [`\`${id}\``, against, ...values, String(result?.pairs ?? DASH)];
    });
    return table(['row', 'against', ...units.flatMap((unit) => [unit, 'ratio']), 'pairs'], 2, cells);
  });
  return tables.join('\n');
}

/** Faults down, contenders across. */
function proofTable({ proof }: Results): string {
  const all: Readonly<Record<string, Fault>> = { ...FAULTS, ...TREE_FAULTS, ...PAGE_FAULTS };
  const tables = [...Map.groupBy(proof, ({ shown }) => shown.join()).values()].map((group) => {
    const cells = (group[0]?.shown ?? []).map((id) => [
      all[id]?.what ?? id,
      ...group.map(({ seen }) => (seen.includes(id) ? 'seen' : DASH)),
    ]);
    return table(['fault', ...group.map(({ contender }) => contender)], 1 + group.length, cells);
  });
  return tables.join('\n');
}

const whereOf = ({ machine }: Occasion, peers: Occasion['peers']): string =>
  [machine, ...Object.entries(peers).map((one) => one.join(' '))].join(', ');

/** When and where rows were measured. The ids of rows are listed for all but the first machine. */
function environmentText(results: Results): string {
  const machines = Map.groupBy(Object.entries(results.rows), ([, { machine }]) => machine);
  const texts = [...machines.values()].map((rows, index) => {
    const days = rows.map(([, { date }]) => date).toSorted();
    const [first = '', last = ''] = [days[0], days.at(-1)];
    const ids = index === 0 ? '' : ` (${rows.map(([id]) => `\`${id}\``).join(', ')})`;
    const peers = Object.assign({}, ...rows.map(([, row]) => row.peers)) as Occasion['peers'];
    const where = rows[0] === undefined ? '' : whereOf(rows[0][1], peers);
    return `Measured ${first === last ? `on ${first}` : `from ${first} to ${last}`}${ids}: ${where}.\n`;
  });
  return texts.join('\n');
}

/** The charts that pages of the documentation show are among their assets. */
const SHOWN: Readonly<Record<string, string>> = { 'growth/pages': 'docs/assets', 'fleet/simulated': 'docs/assets' };
const chartFolder = ({ id }: Growth): string => path.join(ROOT, SHOWN[id] ?? 'test/bench/growth');

/** What is drawn and listed of one figure of a growth: of all that have it. */
function chartOf(growth: Growth, { points }: Grown, figure: Figure) {
  const names = [...new Set(points.flatMap(({ costs }) => Object.keys(costs)))];
  const lines = names
    .map((name) => ({ name, values: points.map(({ at, costs }) => ({ at, value: costs[name]?.[figure] ?? NaN })) }))
    .filter(({ values }) => values.some(({ value }) => !Number.isNaN(value)))
    .map((line) => ({ ...line, points: line.values.filter(({ value }) => value > 0) }));
  const sentences = lines.map((line) => {
    const ends = [...new Set([line.points[0], line.points.at(-1)])].flatMap((point) => point ?? []);
    return `${line.name}: ${ends.map(({ at, value }) => `${quantity(value, figure)} at ${number(at)}`).join(', ')}`;
  });
  const { name, chart } = FIGURES[figure];
  const { what } = growth;
  const title = `${growth.title}: ${name.replace(/^(wall|cpu)(?= a page|$)/, '$1 time')}`;
  const description = `By the number of ${what}. ${sentences.join('; ')}.`;
  const drawn = { title, description, what, steps: points.map(({ at }) => at), figure, lines };
  return { ...drawn, file: chart === null ? null : `${growth.charts}-${chart}.svg` };
}

/** The charts, then the same numbers in a table. `from`: the folder of the document. */
function growthPart(growth: Growth, grown: Grown, from: string): string {
  const charts = growth.figures.map((figure) => chartOf(growth, grown, figure));
  const folder = path.relative(from, chartFolder(growth));
  const shown = charts.map(({ file, title, description }) =>
    file === null ? '' : `![${title}. ${description}](${folder}/${file})\n`,
  );
  const columns = charts.flatMap(({ figure, lines }) => lines.map((line) => ({ figure, ...line })));
  const cells = grown.points.map(({ at }, index) => {
    const values = columns.map(({ figure, values: measured }) => quantity(measured[index]?.value ?? NaN, figure));
    return [number(at), ...values];
  });
  const head = [growth.what, ...columns.map(({ figure, name }) => `${FIGURES[figure].name}, ${name}`)];
  const how = grown.runs === 1 ? 'once' : `${grown.runs} times, of which these are the medians`;
  return `${shown.join('')}\n${table(head, 0, cells)}\nMeasured on ${grown.date}, ${how}: ${whereOf(grown, grown.peers)}.\n`;
}

/** All that is shown of results, by the names of the parts in README.md. */
export const partsOf = (results: Results, rows = ROWS): Readonly<Record<string, string>> => ({
  environment: environmentText(results),
  targets: targetTable(results, rows),
  rows: rowTables(results, rows),
  proof: proofTable(results),
  ...Object.fromEntries(
    GROWTHS.flatMap((growth) => {
      const grown = results.growth[growth.id];
      return grown === undefined ? [] : [[growth.id, growthPart(growth, grown, import.meta.dirname)]];
    }),
  ),
});

/** Throws where a document has no place for a part. */
function writeParts(file: string, parts: Readonly<Record<string, string>>): void {
  let whole = readFileSync(file, 'utf8');
  for (const [name, text] of Object.entries(parts)) {
    const pattern = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`);
    if (!pattern.test(whole)) throw new Error(`${file} has no place for ${name}`);
    whole = whole.replace(pattern, () => `<!-- ${name} -->\n${text}<!-- /${name} -->`);
  }
  writeFileSync(file, whole);
}

/** Four significant digits of a number, and a spread on one line, so that a diff shows what changed. */
const inJson = (results: Results): string =>
  `${JSON.stringify(results, (_, value: unknown) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value), 2).replaceAll(/\{\n\s+("median".*)\n\s+(.*)\n\s+(.*)\n\s+\}/g, '{ $1 $2 $3 }')}\n`;

/** Writes results.json with what was measured instead of what was before, the documents and the charts. */
export function writeDocuments(measured: Results): void {
  const before = jsonOf('results.json') as Results;
  const proof = new Map([...before.proof, ...measured.proof].map((one) => [one.contender, one]));
  const rows = { ...before.rows, ...measured.rows };
  const text = inJson({ rows, growth: { ...before.growth, ...measured.growth }, proof: [...proof.values()] });
  writeFileSync(fileHere('results.json'), text);
  const results = JSON.parse(text) as Results;
  writeParts(fileHere('README.md'), partsOf(results));
  const { targets = '', environment = '' } = partsOf(results);
  for (const language of LANGUAGES) {
    const page = path.join(ROOT, inLanguage('docs/performance.md', language));
    const [pages] = GROWTHS;
    const grown = results.growth['growth/pages'];
    const growth = pages === undefined || grown === undefined ? '' : growthPart(pages, grown, path.dirname(page));
    writeParts(page, {
      speed: inWords(`${targets}\n${environment}`, language),
      growth: inWords(growth, language),
    });
  }
  for (const growth of GROWTHS) {
    const grown = results.growth[growth.id];
    const charts = grown === undefined ? [] : growth.figures.map((figure) => chartOf(growth, grown, figure));
    for (const { file, ...chart } of charts)
      if (file !== null) writeFileSync(path.join(chartFolder(growth), file), drawChart(chart));
  }
}
