/** The mistakes of meaning in the monitor's sites. */
import type { CronReader } from '../cron.ts';
import type { Environment } from '../environment.ts';
import type { Known } from '../known.ts';
import { checkingMistakes, codesOf, itemsOf, mistake, named, urlMistakes, type Codes } from '../meaning.ts';
import { ownMistakes } from '../own-mistakes.ts';
import type { Mistake, Path } from '../problem.ts';
import { valueAt } from '../shape.ts';
import { has, maintenanceMistakes, watchingMistakes } from './schedule-mistakes.ts';

/** What the mistakes of a site depend on beside it. */
export interface Surroundings {
  readonly env: Environment;
  readonly known: Known;
  readonly cron: CronReader;
}

/** The mistakes in `sites`. */
export function siteMistakes(value: unknown, around: Surroundings): Mistake[] {
  const { env, known, cron } = around;
  const routes = idsOf(value, ['alerts']);
  const builtIn = Object.keys(known.builtIn);
  const taken = idsOf(value, ['checks']);
  const fileCodes = codesOf(value, known);
  return itemsOf(valueAt(value, ['sites'])).flatMap((site, index) => {
    const at: Path = ['sites', index];
    const checks: Path = [...at, 'checks'];
    const codes = valueAt(site, ['checks']) === undefined ? fileCodes : codesOf(value, known, checks);
    return [
      ...urlMistakes(value, [...at, 'url'], env),
      ...watchingMistakes(value, at, cron),
      ...maintenanceMistakes(value, [...at, 'maintenance'], cron),
      ...routeMistakes(value, [...at, 'alerts'], routes),
      ...checkingMistakes(value, at, { env, codes }),
      ...ownMistakes(value, checks, { builtIn, taken }),
      ...quickMistakes(value, at, { codes, full: known.full }),
    ];
  });
}

/** The mistakes of ids that stand a second time in a list. */
export function idMistakes(value: unknown, list: Path, kind: 'site-twice' | 'route-twice'): Mistake[] {
  const seen = new Set<string>();
  return itemsOf(valueAt(value, list)).flatMap((item, index): Mistake[] => {
    const name = valueAt(item, ['id']);
    if (typeof name !== 'string') return [];
    const isTwice = seen.has(name);
    seen.add(name);
    return isTwice ? [mistake([...list, index, 'id'], { kind, name })] : [];
  });
}

function routeMistakes(value: unknown, list: Path, routes: readonly string[]): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((name, index) =>
    typeof name !== 'string' || name === '' || routes.includes(name)
      ? []
      : [mistake([...list, index], { kind: 'unknown-route', ...named(name, routes) })],
  );
}

/** A site of which nothing but its links is looked at, once an hour, is not watched. */
function quickMistakes(
  value: unknown,
  at: Path,
  { codes, full }: { readonly codes: Codes; readonly full: readonly string[] | undefined },
): Mistake[] {
  if (full === undefined) return [];
  const [only, skip] = ['only', 'skip'].map((key) => {
    const path = has(value, [...at, key]) ? [...at, key] : [key];
    return { path, ids: itemsOf(valueAt(value, path)) };
  });
  if (only === undefined || skip === undefined) return [];
  // A name that is none is told as such.
  if ([...only.ids, ...skip.ids].some((id) => typeof id !== 'string' || !codes.has(id))) return [];
  const chosen = only.ids.length === 0 ? [...codes.keys()] : only.ids;
  const isLeft = chosen.some((id) => !full.includes(String(id)) && !skip.ids.includes(id));
  return isLeft ? [] : [mistake((only.ids.length === 0 ? skip : only).path, { kind: 'no-quick-check' })];
}

/** The ids of the items of a list. */
function idsOf(value: unknown, list: Path): string[] {
  return itemsOf(valueAt(value, list)).flatMap((item) => {
    const id = valueAt(item, ['id']);
    return typeof id === 'string' ? [id] : [];
  });
}
