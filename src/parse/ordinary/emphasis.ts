/** Emphasis (CommonMark, section 6.2), as micromark finds it: what is needed is only which marks are no text. */
import { isDigit, isSpace, runEnd, SPACE } from './characters.ts';
import { notOrdinary } from './not-ordinary.ts';

/** A run of `*` or `_`. */
export interface Run {
  readonly type: 'run';
  readonly start: number;
  readonly end: number;
  readonly marker: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** How many of its marks close emphasis, from its start on, and how many open some, up to its end. */
  closes: number;
  opens: number;
}

const WHITE = 1;
const PUNCTUATION = 2;

/** What a UTF-16 code unit is to a run beside it; 0: anything else. Half a surrogate pair is no punctuation. */
function kindOf(character: string): number {
  const code = character.charCodeAt(0);
  if (character === '' || isSpace(code)) return WHITE;
  if (isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return 0;
  if (code > SPACE && code < 0x7f) return PUNCTUATION;
  if (/\s/.test(character)) return WHITE;
  return /[\p{P}\p{S}]/u.test(character) ? PUNCTUATION : 0;
}

export function readRun(text: string, start: number): Run {
  const marker = text.charAt(start);
  const end = runEnd(text, start);
  const before = kindOf(text.charAt(start - 1));
  const after = kindOf(text.charAt(end));
  const open = after === 0 || (after === PUNCTUATION && before !== 0);
  const close = before === 0 || (before === PUNCTUATION && after !== 0);
  const isWord = marker === '_';
  return {
    type: 'run',
    start,
    end,
    marker,
    canOpen: isWord ? open && (before !== 0 || !close) : open,
    canClose: isWord ? close && (after !== 0 || !open) : close,
    closes: 0,
    opens: 0,
  };
}

/** How often a run that could close is compared with one before it, in all; a text that needs more is hostile. */
export interface Patience {
  left: number;
}

/** Finds which marks of the runs of one text are emphasis. */
export function resolveRuns(runs: readonly Run[], patience: Patience): void {
  const open: Run[] = [];
  for (const run of runs) {
    while (run.canClose && lengthOf(run) > 0) {
      const at = openerOf(run, open, patience);
      const opener = open[at];
      if (opener === undefined) break;
      const used = lengthOf(opener) > 1 && lengthOf(run) > 1 ? 2 : 1;
      opener.opens += used;
      run.closes += used;
      open.length = lengthOf(opener) > 0 ? at + 1 : at;
    }
    if (run.canOpen && lengthOf(run) > 0) open.push(run);
  }
}

function lengthOf({ start, end, closes, opens }: Run): number {
  return end - start - closes - opens;
}

function openerOf(closer: Run, open: readonly Run[], patience: Patience): number {
  const length = lengthOf(closer);
  for (let at = open.length - 1; at >= 0; at--) {
    const opener = open[at];
    if (--patience.left < 0) notOrdinary();
    if (opener === undefined || opener.marker !== closer.marker) continue;
    const isOdd = opener.canClose || closer.canOpen;
    if (!isOdd || length % 3 === 0 || (lengthOf(opener) + length) % 3 !== 0) return at;
  }
  return -1;
}
