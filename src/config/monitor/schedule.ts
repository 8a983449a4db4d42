/** When something happens: what is said nearest holds. */
import type { Schedule } from '../../monitor/settings.ts';
import { milliseconds } from '../values.ts';
import { BOUNDS } from './durations.ts';
import type { ScheduleFile } from './file.ts';

/** Where a time zone may be said. */
export type Zoned = Pick<ScheduleFile, 'timeZone'>;

/**
 * The first of the places, nearest first, that says `every` or `cron` says when. `jitter` and `timeZone` may be said
 * elsewhere: what is nearest holds; `zones` are where a time zone is looked for. `otherwise` is where none says when.
 */
export function scheduleOf(
  places: readonly ScheduleFile[],
  otherwise: Schedule,
  zones: readonly Zoned[] = places,
): Schedule {
  const when = places.find(({ every, cron }) => every !== undefined || cron !== undefined);
  const jitterMs = milliseconds(nearestOf(places, 'jitter'), BOUNDS.jitter) ?? otherwise.jitterMs;
  if (when?.cron !== undefined) {
    return { kind: 'cron', pattern: patternOf(when.cron), timeZone: zoneOf(zones), jitterMs };
  }
  if (when === undefined) return { ...otherwise, jitterMs };
  return { kind: 'every', everyMs: milliseconds(when.every, BOUNDS.every) ?? 0, jitterMs };
}

/** The time zone that is said nearest; `null`: that of the machine. */
export function zoneOf(places: readonly Zoned[]): string | null {
  return places.find(({ timeZone }) => timeZone !== undefined)?.timeZone ?? null;
}

/** A cron expression with one space between its fields. */
export function patternOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function nearestOf(places: readonly ScheduleFile[], key: keyof ScheduleFile): string | undefined {
  return places.find((place) => place[key] !== undefined)?.[key];
}
