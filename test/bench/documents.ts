/**
 * What was measured last, in results.json, and the parts of the documents that are made of it, between `<!-- name -->`
 * and `<!-- /name -->`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { LANGUAGES } from '../../src/texts.ts';
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

function targetTable(results: Results): string {
  const cells = ROWS.flatMap((row) =>
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
function rowTables(results: Results): string {
  const tables = [...Map.groupBy(ROWS, ({ figures }) => figures.join()).values()].map((rows) => {
    const figures = rows[0]?.figures ?? [];
    const units = figures.map((figure) => [FIGURES[figure].name, FIGURES[figure].unit].filter(Boolean).join(', '));
    const cells = rows.map(({ id, against }) => {
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

const chartFile = ({ id }: Growth, figure: Figure): string => {
  const name = { 'fleet/simulated': 'fleet', 'fleet/checked': 'fleet-checked' }[id] ?? path.basename(id);
  return `${name}-${FIGURES[figure].chart}.svg`;
};

/** Each line from its first to its last point. */
function inSentences({ what }: Growth, { lines, figure }: Lines): string {
  const sentences = lines.map(({ name, points }) => {
    const ends = [...new Set([points[0], points.at(-1)])].flatMap((point) => point ?? []);
    return `${name}: ${ends.map(({ at, value }) => `${quantity(value, figure)} at ${number(at)}`).join(', ')}`;
  });
  return `By the number of ${what}. ${sentences.join('; ')}.`;
}

type Lines = ReturnType<typeof linesOf>;

/** The lines of a figure: of all that have it. */
function linesOf({ title }: Growth, { points }: Grown, figure: Figure) {
  const names = [...new Set(points.flatMap(({ costs }) => Object.keys(costs)))];
  const lines = names.flatMap((name) => {
    const measured = points.map(({ at, costs }) => ({ at, value: costs[name]?.[figure] ?? NaN }));
    if (measured.every(({ value }) => Number.isNaN(value))) return [];
    return [{ name, measured, points: measured.filter(({ value }) => value > 0) }];
  });
  const isTime = figure === 'cpuMs' || figure === 'wallMs' || figure === 'wallMsPerPage';
  const name = isTime ? FIGURES[figure].name.replace(/^\w+/, '$& time') : FIGURES[figure].name;
  return { title: `${title}: ${name}`, figure, lines };
}

/** The charts of a growth by their files. */
export function chartsOf(growth: Growth, grown: Grown): ReadonlyMap<string, string> {
  const steps = grown.points.map(({ at }) => at);
  return new Map(
    growth.figures
      .filter((figure) => FIGURES[figure].chart !== null)
      .map((figure) => {
        const lines = linesOf(growth, grown, figure);
        const { what } = growth;
        return [
          chartFile(growth, figure),
          drawChart({ ...lines, description: inSentences(growth, lines), what, steps }),
        ];
      }),
  );
}

/** The charts, then the same numbers in a table. */
function growthPart(growth: Growth, grown: Grown, folder = 'growth'): string {
  const all = growth.figures.map((figure) => linesOf(growth, grown, figure));
  const charts = all
    .filter(({ figure }) => FIGURES[figure].chart !== null)
    .map((one) => `![${one.title}. ${inSentences(growth, one)}](${folder}/${chartFile(growth, one.figure)})\n`);
  const columns = all.flatMap(({ figure, lines }) => lines.map((line) => ({ figure, ...line })));
  const cells = grown.points.map(({ at }, index) => [
    number(at),
    ...columns.map(({ figure, measured }) => {
      const { value = NaN } = measured[index] ?? {};
      return Number.isNaN(value) ? DASH : quantity(value, figure);
    }),
  ]);
  const head = [growth.what, ...columns.map(({ figure, name }) => `${FIGURES[figure].name}, ${name}`)];
  const how = grown.runs === 1 ? 'once' : `${grown.runs} times, of which these are the medians`;
  return `${charts.join('')}\n${table(head, 0, cells)}\nMeasured on ${grown.date}, ${how}: ${whereOf(grown, grown.peers)}.\n`;
}

/** All that is shown of results, by the names of the parts in README.md. */
export const partsOf = (results: Results): Readonly<Record<string, string>> => ({
  environment: environmentText(results),
  targets: targetTable(results),
  rows: rowTables(results),
  proof: proofTable(results),
  ...Object.fromEntries(
    GROWTHS.flatMap((growth) => {
      const grown = results.growth[growth.id];
      return grown === undefined ? [] : [[growth.id, growthPart(growth, grown)]];
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

const ROOT = fileHere('../..');
/** The charts that pages of the documentation show. */
const SHOWN = new Set(['growth/pages', 'fleet/simulated']);

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
  const [pages] = GROWTHS;
  for (const language of LANGUAGES) {
    const page = inLanguage('docs/performance.md', language);
    const assets = language === 'en' ? 'assets' : '../assets';
    const grown = results.growth['growth/pages'];
    const growth = pages === undefined || grown === undefined ? '' : growthPart(pages, grown, assets);
    writeParts(path.join(ROOT, page), {
      speed: inWords(`${targets}\n${environment}`, language),
      growth: inWords(growth, language),
    });
  }
  for (const growth of GROWTHS) {
    const grown = results.growth[growth.id];
    if (grown === undefined) continue;
    for (const [file, svg] of chartsOf(growth, grown)) {
      writeFileSync(fileHere(`growth/${file}`), svg);
      if (SHOWN.has(growth.id)) writeFileSync(path.join(ROOT, 'docs/assets', file), svg);
    }
  }
}
