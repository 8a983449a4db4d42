/** Reads the version at the place that the user named. */
import type { Reply, VersionLocation } from '../../src/check.ts';
import { parseJson } from '../../src/parse/json.ts';
import { jsonLeaves } from './json-leaves.ts';
import { withinTime } from '../../src/parse/time-limit.ts';
import { textOf, versionTextsInFile, type VersionText } from './version-texts.ts';

/** Why there is no version at a place: what came is no text, no JSON, has no such member, does not match, or takes too long. */
export type LocationProblem = 'not-text' | 'not-json' | 'no-member' | 'no-match' | 'too-slow';

/** The user's own expression may go back and forth for ever. In milliseconds. */
const LONGEST_MATCH_MS = 250;
/** Deeper or further members are not checked. */
const LEAVES = { depth: 64, count: 100_000 };

/** What a file tells at a place, or why it shows nothing there. */
export function versionTextsAt(
  reply: Reply,
  { path, pick }: VersionLocation,
): readonly VersionText[] | LocationProblem {
  if (pick === null) {
    const texts = versionTextsInFile(reply, path);
    return texts.length === 0 ? 'not-text' : texts;
  }
  const text = textOf(reply);
  if (text === null) return 'not-text';
  const found = 'pointer' in pick ? memberAt(text, pick.pointer) : matchOf(text, pick.pattern);
  if (typeof found === 'string') return found;
  const where = 'pointer' in pick ? `${path}#${pick.pointer}` : `${path}#${pick.pattern.source}`;
  return [{ text: found.text, where, named: true }];
}

interface Found {
  readonly text: string;
}

function memberAt(text: string, pointer: string): Found | LocationProblem {
  if (!parseJson(text).ok) return 'not-json';
  // Of members with the same name the last one counts, as for `JSON.parse`.
  const leaf = jsonLeaves(text, LEAVES).findLast((one) => one.pointer === pointer);
  return leaf === undefined || leaf.text.trim() === '' ? 'no-member' : { text: leaf.text };
}

function matchOf(text: string, pattern: RegExp): Found | LocationProblem {
  const match = withinTime(LONGEST_MATCH_MS, () => pattern.exec(text));
  if (!match.done) return 'too-slow';
  const found = match.value?.[1] ?? match.value?.[0];
  return found === undefined || found.trim() === '' ? 'no-match' : { text: found };
}
