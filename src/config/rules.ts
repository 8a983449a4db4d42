/**
 * What the schema cannot say about a configuration: names that must exist, keys that depend on each other. The form of the
 * file may be wrong too, so no value is used before its type is known.
 */
import { CHANNELS, loadChannel } from '../monitor/alerts/channels/index.ts';
import { withNearest } from './nearest.ts';
import { isMapping, itemsOf, keyMistake, membersOf, mistake, valueAt, type Mistake, type Path } from './problem.ts';
import { parseTime } from './values.ts';

/** The checks that a configuration may name. */
export interface Known {
  /** The built-in checks and their rules. */
  readonly builtIn: Readonly<Record<string, readonly string[]>>;
  /** The rules of your own checks. */
  readonly own: readonly string[];
  /** The built-in checks that only the full check runs. */
  readonly full: readonly string[];
}

/** The checks of a site and their rules. */
type Rules = ReadonlyMap<string, readonly string[]>;

/** The mistakes in a file. `expanded`: its value with variables; `isWrong`: whether a mistake is known at or in a path. */
export async function ruleMistakes(
  value: unknown,
  expanded: unknown,
  known: Known,
  isWrong: (path: Path) => boolean,
): Promise<Mistake[]> {
  const rules = rulesOf(value, known);
  return [
    ...checkingMistakes(value, [], rules),
    ...ownMistakes(value, ['checks'], known, []),
    ...siteMistakes(value, known, rules),
    ...membersOf(valueAt(value, ['monitor', 'probe', 'modules'])).flatMap(([name]): Mistake[] => {
      const path: Path = ['monitor', 'probe', 'modules', name];
      const isBuiltIn = ['core', 'five', 'full'].includes(name);
      const mistakes = checkingMistakes(value, path, rules);
      return isBuiltIn ? [keyMistake(path, { kind: 'module-built-in', name }), ...mistakes] : mistakes;
    }),
    ...(await channelMistakes(expanded, isWrong)),
  ];
}

/** The built-in checks, those of the file, and those of a site's list of own checks. */
function rulesOf(value: unknown, known: Known, list: Path = ['checks']): Rules {
  const own = [...idsOf(value, ['checks']), ...idsOf(value, list)];
  return new Map([...own.map((id) => [id, known.own] as const), ...Object.entries(known.builtIn)]);
}

function idsOf(value: unknown, list: Path): string[] {
  return itemsOf(valueAt(value, list)).flatMap((item) => {
    const id = valueAt(item, ['id']);
    return typeof id === 'string' ? [id] : [];
  });
}

/** Mistakes in how a site is checked: by the file, a site or a module of probes. */
function checkingMistakes(value: unknown, at: Path, rules: Rules): Mistake[] {
  const ids = [...rules.keys()];
  return [
    ...['only', 'skip'].flatMap((key) => unknownNames(value, [...at, key], ids, 'unknown-check')),
    ...membersOf(valueAt(value, [...at, 'rules'])).flatMap(([key]): Mistake[] => {
      const [check = '', rule, ...rest] = key.split('/');
      if (rule === undefined || rest.length > 0) return [];
      const path = [...at, 'rules', key];
      const known = rules.get(check);
      if (known === undefined) return [keyMistake(path, { kind: 'unknown-check', ...withNearest(check, ids) })];
      if (known.includes(rule)) return [];
      return [keyMistake(path, { kind: 'unknown-code', check, ...withNearest(rule, known) })];
    }),
  ];
}

type UnknownKind = 'unknown-check' | 'unknown-route' | 'unknown-location';

function unknownNames(value: unknown, list: Path, known: readonly string[], kind: UnknownKind): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((name, index) => {
    if (typeof name !== 'string' || name === '' || known.includes(name)) return [];
    return [mistake([...list, index], { kind, ...withNearest(name, known) })];
  });
}

/** Mistakes in the ids of a list of own checks. `taken`: the ids of the site's other own checks. */
function ownMistakes(value: unknown, list: Path, { builtIn }: Known, taken: readonly string[]): Mistake[] {
  const ids = new Set(taken);
  return itemsOf(valueAt(value, list)).flatMap((check, index): Mistake[] => {
    const name = valueAt(check, ['id']);
    if (typeof name !== 'string') return [];
    const path = [...list, index, 'id'];
    const isTwice = ids.has(name);
    ids.add(name);
    // `common` and `own` are pages of texts, which a check of that name would replace.
    if (Object.hasOwn(builtIn, name) || name === 'common' || name === 'own') {
      return [mistake(path, { kind: 'id-built-in', name })];
    }
    return isTwice ? [mistake(path, { kind: 'id-twice', name })] : [];
  });
}

function siteMistakes(value: unknown, known: Known, ofFile: Rules): Mistake[] {
  const routes = idsOf(value, ['alerts']);
  const locations = itemsOf(valueAt(value, ['monitor', 'locations'])).map((item) =>
    String(valueAt(item, ['id']) ?? item),
  );
  const taken = idsOf(value, ['checks']);
  return itemsOf(valueAt(value, ['sites'])).flatMap((site, index) => {
    const at: Path = ['sites', index];
    const checks: Path = [...at, 'checks'];
    const rules = valueAt(site, ['checks']) === undefined ? ofFile : rulesOf(value, known, checks);
    return [
      ...itemsOf(valueAt(site, ['maintenance'])).flatMap((window, nth) =>
        maintenanceMistakes(window, [...at, 'maintenance', nth]),
      ),
      ...unknownNames(value, [...at, 'alerts'], routes, 'unknown-route'),
      ...unknownNames(value, [...at, 'locations'], locations, 'unknown-location'),
      ...checkingMistakes(value, at, rules),
      ...ownMistakes(value, checks, known, taken),
      ...unwatchedMistakes(value, at, rules, known.full),
    ];
  });
}

/** A maintenance window is once (`from`, `to`) or repeated (`cron`, `for`). */
function maintenanceMistakes(window: unknown, at: Path): Mistake[] {
  if (!isMapping(window)) return [];
  const { from, to } = window;
  const missing = (keys: readonly string[]): Mistake[] =>
    keys.filter((key) => window[key] === undefined).map((name) => mistake(at, { kind: 'missing-key', name }));
  const firstSet = (...keys: readonly string[]): string | undefined => keys.find((key) => window[key] !== undefined);
  const [once, repeated] = [firstSet('from', 'to'), firstSet('cron', 'for')];
  if (once !== undefined && repeated !== undefined) {
    return [keyMistake([...at, repeated], { kind: 'both-keys', name: repeated, other: once })];
  }
  if (repeated !== undefined) return missing(['cron', 'for']);
  if (once === undefined) return [mistake(at, { kind: 'one-key', values: ['from', 'cron'] })];
  const [begin, end] = [from, to].map((text) => (typeof text === 'string' ? parseTime(text) : undefined));
  const isReversed = begin !== undefined && end !== undefined && end <= begin;
  return [...missing(['from', 'to']), ...(isReversed ? [mistake([...at, 'to'], { kind: 'time-order' }, to)] : [])];
}

/** A site of which only the full check is left, once an hour, is not watched. */
function unwatchedMistakes(value: unknown, at: Path, rules: Rules, full: readonly string[]): Mistake[] {
  const lists = ['only', 'skip'].map((key) => {
    const path = valueAt(value, [...at, key]) === undefined ? [key] : [...at, key];
    return { path, ids: itemsOf(valueAt(value, path)) };
  });
  const [only, skip] = lists;
  // Unknown names are reported as such.
  if (only === undefined || skip === undefined || lists.some(({ ids }) => ids.some((id) => !rules.has(String(id))))) {
    return [];
  }
  const chosen = only.ids.length === 0 ? [...rules.keys()] : only.ids;
  const isLeft = chosen.some((id) => !full.includes(String(id)) && !skip.ids.includes(id));
  return isLeft ? [] : [mistake((only.ids.length === 0 ? skip : only).path, { kind: 'no-quick-check' })];
}

/** What channels check themselves, where nothing else is wrong with their settings. */
async function channelMistakes(expanded: unknown, isWrong: (path: Path) => boolean): Promise<Mistake[]> {
  const mistakes: Mistake[] = [];
  for (const [index, route] of itemsOf(valueAt(expanded, ['alerts'])).entries()) {
    for (const channel of CHANNELS) {
      const at: Path = ['alerts', index, channel.key];
      const settings = valueAt(route, [channel.key]);
      if (settings === undefined || isWrong(at)) continue;
      // The settings fit the schema of this channel.
      const { mistakes: find = () => [] } = await loadChannel(channel);
      mistakes.push(...find(settings).map(({ path, expected }) => mistake([...at, ...path], expected)));
    }
  }
  return mistakes;
}
