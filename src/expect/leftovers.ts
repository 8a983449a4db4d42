/** Recognises what version control leaves in a text file. Pure. */
import type { RawFinding } from '../check.ts';

/** What version control leaves behind: a pointer in place of the file, or both sides of a merge. */
export function leftover(text: string): RawFinding<'git-lfs-pointer' | 'merge-conflict'> | null {
  if (/^version https:\/\/git-lfs\.github\.com\/spec\/v\d+\r?\noid sha256:/.test(text)) {
    return { rule: 'git-lfs-pointer', evidence: { line: 1, text: text.slice(0, 60).split(/\r?\n/)[0] ?? '' } };
  }
  const line = conflictLine(text);
  return line === null ? null : { rule: 'merge-conflict', evidence: { line } };
}

/** CommonMark 0.31.2, section 4.5. */
const OPENING_FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** The line of the first whole set of conflict markers (`<<<<<<<`, `=======`, `>>>>>>>`) outside code fences, or `null`. */
function conflictLine(text: string): number | null {
  // Most texts have none, and splitting a long one costs many times its size.
  if (!text.includes('<<<<<<<') || !text.includes('>>>>>>>')) return null;
  let opened: number | null = null;
  let divided = false;
  for (const [number, line] of unfencedLines(text)) {
    if (/^<{7}(?: |$)/.test(line)) [opened, divided] = [number, false];
    else if (opened !== null && /^={7}$/.test(line)) divided = true;
    else if (divided && /^>{7}(?: |$)/.test(line)) return opened;
  }
  return null;
}

/** The lines outside code fences with their numbers, from 1. */
function* unfencedLines(text: string): Generator<readonly [number: number, line: string]> {
  let fence = '';
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (fence === '') fence = OPENING_FENCE.exec(line)?.[1] ?? '';
    else if (CLOSING_FENCE.exec(line)?.[1]?.startsWith(fence) === true) fence = '';
    if (fence === '') yield [index + 1, line];
  }
}
