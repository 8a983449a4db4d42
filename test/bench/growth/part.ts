/** What the documents show of something that grows. */
import { machine } from '../environment.ts';
import { table } from '../table.ts';
import { drawChart } from './chart.ts';
import type { Grown, Growth, Panel, Point } from './growth.ts';
import { number, quantity } from './quantity.ts';

const valueAt = ({ costs }: Point, name: string, { figure }: Panel): number => costs[name]?.[figure] ?? NaN;

/** Its pictures by their ids. */
export function picturesOf({ what, panels }: Growth, { points }: Grown): ReadonlyMap<string, string> {
  return new Map(
    panels.filter(isDrawn).map((panel) => {
      const lines = panel.lines.map(({ name, isPeer = false }) => ({
        name,
        isPeer,
        points: points.flatMap((point) => {
          const value = valueAt(point, name, panel);
          return value > 0 ? [{ at: point.at, value }] : [];
        }),
      }));
      const { title, figure } = panel;
      const steps = points.map(({ at }) => at);
      return [panel.id, drawChart({ title, description: inWords(what, panel, points), what, steps, figure, lines })];
    }),
  );
}

/** The pictures, then the same numbers in a table. `pathOf`: the path of a picture, as the document has it. */
export function partOf(
  { what, panels }: Growth,
  { date, runs, environment, points }: Grown,
  pathOf = (id: string): string => `${id}.svg`,
): string {
  const shown = panels
    .filter(isDrawn)
    .map((panel) => `![${panel.title}. ${inWords(what, panel, points)}](${pathOf(panel.id)})`);
  const columns = panels.flatMap((panel) => panel.lines.map(({ name }) => ({ panel, name })));
  const rows = points.map((point) => [
    number(point.at),
    ...columns.map(({ panel, name }) => told(valueAt(point, name, panel), panel)),
  ]);
  const head = [what, ...columns.map(({ panel, name }) => `${panel.short}, ${name}`)];
  const how = runs === 1 ? 'once' : `${runs} times, of which these are the medians`;
  const when = `Measured on ${date}, ${how}: ${machine(environment)}.`;
  return `${shown.join('\n')}\n\n${table(head, 0, rows)}\n${when}\n`;
}

const isDrawn = ({ isTableOnly }: Panel): boolean => isTableOnly !== true;

const told = (value: number, { figure }: Panel): string => (value >= 0 ? quantity(value, figure) : '–');

/** Each line from its begin to its end. */
function inWords(what: string, panel: Panel, points: readonly Point[]): string {
  const sentences = panel.lines.flatMap(({ name }) => {
    const seen = points.filter((point) => valueAt(point, name, panel) > 0);
    const [first, last] = [seen[0], seen.at(-1)];
    if (first === undefined || last === undefined) return [];
    const at = (point: Point): string => `${told(valueAt(point, name, panel), panel)} at ${number(point.at)}`;
    return [`${name}: ${[...new Set([first, last])].map(at).join(', ')}`];
  });
  return `By the number of ${what}. ${sentences.join('; ')}.`;
}
