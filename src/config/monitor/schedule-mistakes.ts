/** The mistakes of meaning in what says when: intervals, cron expressions, time zones, maintenance. */
import { isTimeZone, timeZones, type CronReader } from '../cron.ts';
import { parseDuration } from '../duration.ts';
import { boundsAt } from '../expectations.ts';
import { durationMistakes, itemsOf, mistake, named } from '../meaning.ts';
import type { Mistake, Path } from '../problem.ts';
import { valueAt } from '../shape.ts';
import { parseTime } from '../time.ts';

/** The mistakes in how a site, or all of them, is watched. */
export function watchingMistakes(value: unknown, at: Path, cron: CronReader): Mistake[] {
  return [
    ...scheduleMistakes(value, at, cron),
    ...scheduleMistakes(value, [...at, 'full'], cron),
    ...durationMistakes(value, [...at, 'objective']),
    ...durationMistakes(value, [...at, 'confirm', 'after']),
  ];
}

function scheduleMistakes(value: unknown, at: Path, cron: CronReader): Mistake[] {
  const both = has(value, [...at, 'every']) && has(value, [...at, 'cron']);
  return [
    ...(both ? [twoKeys([...at, 'cron'], 'every')] : []),
    ...durationMistakes(value, [...at, 'every']),
    ...cronMistakes(value, [...at, 'cron'], cron),
    ...zoneMistakes(value, [...at, 'timeZone']),
    ...durationMistakes(value, [...at, 'jitter']),
    ...longerThan(value, [...at, 'jitter'], [...at, 'every']),
  ];
}

/** The mistakes in a site's maintenance. */
export function maintenanceMistakes(value: unknown, list: Path, cron: CronReader): Mistake[] {
  return itemsOf(valueAt(value, list)).flatMap((_, index) => windowMistakes(value, [...list, index], cron));
}

function windowMistakes(value: unknown, at: Path, cron: CronReader): Mistake[] {
  return [
    ...kindMistakes(value, at),
    ...timeMistakes(value, at),
    ...cronMistakes(value, [...at, 'cron'], cron),
    ...zoneMistakes(value, [...at, 'timeZone']),
    ...durationMistakes(value, [...at, 'for']),
  ];
}

/** A window is either of two kinds, and has both keys of it. */
function kindMistakes(value: unknown, at: Path): Mistake[] {
  const given = (key: string): boolean => has(value, [...at, key]);
  const [once, recurring] = [
    ['from', 'to'],
    ['cron', 'for'],
  ];
  const [first, other] = [once, recurring].map((keys) => keys?.find((key) => given(key)));
  if (first !== undefined && other !== undefined) return [twoKeys([...at, other], first)];
  const kind = first === undefined ? recurring : once;
  if (first === undefined && other === undefined) {
    return isMapping(valueAt(value, at)) ? [mistake(at, { kind: 'one-key', values: ['from', 'cron'] })] : [];
  }
  return (kind ?? []).filter((key) => !given(key)).map((name) => mistake(at, { kind: 'missing-key', name }));
}

function timeMistakes(value: unknown, at: Path): Mistake[] {
  const [from, to] = ['from', 'to'].map((key) => valueAt(value, [...at, key]));
  const bad = ['from', 'to'].flatMap((key) => {
    const text = valueAt(value, [...at, key]);
    return typeof text !== 'string' || parseTime(text) !== undefined
      ? []
      : [mistake([...at, key], { kind: 'time' }, text)];
  });
  if (bad.length > 0 || typeof from !== 'string' || typeof to !== 'string') return bad;
  return (parseTime(to) ?? 0) > (parseTime(from) ?? 0) ? [] : [mistake([...at, 'to'], { kind: 'time-order' }, to)];
}

function cronMistakes(value: unknown, path: Path, cron: CronReader): Mistake[] {
  const text = valueAt(value, path);
  const kind = typeof text === 'string' ? cron(text) : undefined;
  return kind === undefined ? [] : [mistake(path, { kind }, text)];
}

function zoneMistakes(value: unknown, path: Path): Mistake[] {
  const name = valueAt(value, path);
  if (typeof name !== 'string' || name === '' || isTimeZone(name)) return [];
  return [mistake(path, { kind: 'time-zone', ...named(name, timeZones()) })];
}

/** The mistake of a duration that exceeds the one at `other`, where both are said. */
export function longerThan(value: unknown, path: Path, other: Path): Mistake[] {
  const [one, limit] = [path, other].map((at) => {
    const text = valueAt(value, at);
    const parsed = parseDuration(typeof text === 'string' ? text : '', boundsAt(at));
    return parsed.ok ? parsed.ms : undefined;
  });
  if (one === undefined || limit === undefined || one <= limit) return [];
  return [mistake(path, { kind: 'longer-than', name: String(other.at(-1)) }, valueAt(value, path))];
}

/** Two keys of which only one may stand; told at the one at `path`. */
export function twoKeys(path: Path, other: string): Mistake {
  return { path, at: 'key', expected: { kind: 'both-keys', name: String(path.at(-1)), other } };
}

/** Whether something stands at `path`. */
export function has(value: unknown, path: Path): boolean {
  return valueAt(value, path) !== undefined;
}

/** Whether it is a mapping: of anything else the schema tells. */
export function isMapping(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
