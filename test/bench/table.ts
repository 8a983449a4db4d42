/** The tables of the documents: pure functions of what was measured. */
import { FIGURES, type Compared, type Spread } from './measure.ts';
import type { Result } from './results.ts';
import type { Row, Target } from './row.ts';

const DASH = '–';

/** Three figures that mean something, no exponent. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return DASH;
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** The median, and in brackets the quartiles. */
const withQuartiles = (spread: Spread | undefined): string =>
  spread === undefined ? DASH : `${short(spread.median)} (${short(spread.low)}${DASH}${short(spread.high)})`;

/** The first `texts` columns are words, the others numbers. Nothing where there are no rows. */
export function table(head: readonly string[], texts: number, rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, column) => (column < texts ? ':---' : '---:'));
  return rows.length === 0 ? '' : [head, rule, ...rows].map(line).join('');
}

function demanded({ of, atMost, aim, figure }: Target): string {
  const unit = of === 'ours' ? ` ${FIGURES[figure].unit}` : '';
  return `≤ ${atMost}${unit}${aim === undefined ? '' : `, aim ${aim}`}`;
}

/** All targets: what is demanded, what was measured. */
export function targetTable(
  rows: readonly Row[],
  results: Readonly<Record<string, Result>>,
  targets: (id: string) => readonly Target[],
): string {
  const cells = rows.flatMap((row) =>
    targets(row.id).map((target) => {
      const measured = results[row.id]?.figures[target.figure]?.[target.of];
      const value = measured?.median ?? NaN;
      const verdict = value <= target.atMost ? 'yes' : '**no**';
      return [
        `${row.work}, ${FIGURES[target.figure].name}`,
        target.of === 'ours' ? 'itself' : row.against,
        demanded(target),
        withQuartiles(measured),
        Number.isFinite(value) ? verdict : 'not measured',
      ];
    }),
  );
  return table(['work', 'against', 'wanted', 'measured', 'met'], 2, cells);
}

/** All rows, those with the same figures in one table: what both took, ours first. */
export function rowTables(rows: readonly Row[], results: Readonly<Record<string, Result>>): string {
  const groups = Map.groupBy(rows, ({ figures }) => figures.join());
  return [...groups.values()].map((group) => rowTable(group, results)).join('\n');
}

function rowTable(rows: readonly Row[], results: Readonly<Record<string, Result>>): string {
  const figures = rows[0]?.figures ?? [];
  const head = ['row', 'against', ...figures.flatMap((figure) => [withUnit(FIGURES[figure]), 'ratio']), 'pairs'];
  const cells = rows.map(({ id, against }) => {
    const result = results[id];
    const values = figures.flatMap((figure) => figureCells(result?.figures[figure]));
    return [`\`${id}\``, against, ...values, String(result?.pairs ?? DASH)];
  });
  return table(head, 2, cells);
}

const withUnit = ({ name, unit }: { readonly name: string; readonly unit: string }): string =>
  unit === '' ? name : `${name}, ${unit}`;

function figureCells(compared: Compared | undefined): readonly string[] {
  if (compared === undefined) return [DASH, DASH];
  const { ours, theirs, ratio } = compared;
  return [
    [ours, theirs]
      .flatMap((one) => one ?? [])
      .map(({ median }) => short(median))
      .join(' : '),
    withQuartiles(ratio),
  ];
}

/** A row in one line, for whoever waits. */
export function resultLine({ id, against, figures }: Row, result: Result): string {
  const told = figures.map((figure) => `${FIGURES[figure].name} ${withQuartiles(result.figures[figure]?.ratio)}`);
  return `${id}, against ${against}: ${told.join(', ')}`;
}
