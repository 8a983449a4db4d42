/** Sites that go up and down again and again: one incident that stays open, not one after another. Pure. */
import { within } from './window.ts';

/** Openings and endings within this time count. */
const FLAPPING_WITHIN_MS = 10 * 60_000;
/** The third opening is one too many: it is the fifth change. */
const FLAPPING_CHANGES = 5;
/** How long a site that flaps has to be well before its incident ends: longer than it can be between such openings. */
export const STABLE_MS = 5 * 60_000;

/** The changes that still count, with one more. */
export function withChange(changes: readonly number[], now: number): readonly number[] {
  return [...within(changes, FLAPPING_WITHIN_MS, now), now];
}

/** Whether a site flaps that has changed at these times lately, the last one included. */
export function isFlapping(changes: readonly number[]): boolean {
  return changes.length >= FLAPPING_CHANGES;
}
