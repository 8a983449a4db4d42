/** Runs in few bytes: one row a run, some forty bytes for the core checks, and never more than is bounded here. */
import type { Status, Verdict } from '../../../check.ts';
import type { Scope } from '../../incident/incident.ts';
import type { CheckRecord, RunRecord } from '../store.ts';

/**
 * Whole numbers from 0 on in as few bytes as they need: seven bits a byte, the lowest first, the eighth says that more come.
 * Negative numbers, and invalid numbers, count as 0.
 */
export function packNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number > 0 ? Math.min(Math.round(number), Number.MAX_SAFE_INTEGER) : 0;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return new Uint8Array(bytes);
}

/** Reads them again. Bytes of a damaged file may end within a number, or go on with it for too long. */
export function unpackNumbers(bytes: Iterable<number>): number[] {
  const numbers: number[] = [];
  let [value, factor] = [0, 1];
  for (const byte of bytes) {
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128 && factor <= Number.MAX_SAFE_INTEGER) continue;
    numbers.push(value);
    [value, factor] = [0, 1];
  }
  return numbers;
}

/* Runs. */

const MOST_CHECKS = 256;
const MOST_CODES = 8;

/** By their numbers in the file: new ones are added at the end. */
const STATUSES = ['pass', 'warn', 'fail', 'skip', 'unknown'] as const satisfies readonly Status[];
const VERDICTS = ['healthy', 'degraded', 'down', 'stale', 'unknown'] as const satisfies readonly Verdict[];
/** The first bit is that of full checks; runs in the browser have one above any number of ticks. */
const SCOPE_BITS = { five: 0, full: 8, browser: 2 ** 40 } as const satisfies Record<Scope, number>;

export function scopeBits(scope: Scope): { readonly mask: number; readonly value: number } {
  return { mask: SCOPE_BITS.full + SCOPE_BITS.browser, value: SCOPE_BITS[scope] };
}

export interface Numbered {
  idOf(name: string): number;
  nameOf(id: number): string | undefined;
}

type Kind = Pick<RunRecord, 'verdict' | 'scope' | 'maintenance' | 'ticks'>;

/** Verdict (three bits), scope, maintenance; the ticks above. */
export function packKind({ verdict, scope, maintenance, ticks }: Kind): number {
  return VERDICTS.indexOf(verdict) + SCOPE_BITS[scope] + (maintenance ? 16 : 0) + ticks * 32;
}

export function unpackKind(kind: number): Kind {
  return {
    verdict: VERDICTS[kind % 8] ?? 'unknown',
    scope: scopeOf(kind),
    maintenance: Math.floor(kind / 16) % 2 === 1,
    ticks: Math.floor((kind % SCOPE_BITS.browser) / 32),
  };
}

function scopeOf(kind: number): Scope {
  if (kind >= SCOPE_BITS.browser) return 'browser';
  return Math.floor(kind / SCOPE_BITS.full) % 2 === 1 ? 'full' : 'five';
}

const FORM = 1;

/** The form of what follows; then of each check its id, its status and how many codes there are, two numbers, the codes. */
export function packChecks(checks: readonly CheckRecord[], words: Numbered): Uint8Array {
  const numbers = checks.slice(0, MOST_CHECKS).flatMap(({ id, status, codes, httpStatus, durationMs }) => {
    const kept = codes.slice(0, MOST_CODES);
    return [
      words.idOf(id),
      STATUSES.indexOf(status) + kept.length * STATUSES.length,
      httpStatus === null ? 0 : httpStatus + 1,
      durationMs === null ? 0 : Math.round(durationMs) + 1,
      ...kept.map((code) => words.idOf(code)),
    ];
  });
  return packNumbers([FORM, ...numbers]);
}

export function unpackChecks(bytes: Uint8Array, words: Numbered): CheckRecord[] {
  const checks: CheckRecord[] = [];
  const numbers = unpackNumbers(bytes);
  if (numbers[0] !== FORM) return checks;
  for (let at = 1; at < numbers.length && checks.length < MOST_CHECKS;) {
    const [word = 0, state = 0, httpStatus = 0, duration = 0] = numbers.slice(at, at + 4);
    const count = Math.min(Math.floor(state / STATUSES.length), MOST_CODES);
    const id = words.nameOf(word);
    const codes = numbers.slice(at + 4, at + 4 + count).flatMap((code) => words.nameOf(code) ?? []);
    at += 4 + count;
    if (id === undefined) continue;
    checks.push({
      id,
      status: STATUSES[state % STATUSES.length] ?? 'unknown',
      codes,
      httpStatus: httpStatus === 0 ? null : httpStatus - 1,
      durationMs: duration === 0 ? null : duration - 1,
    });
  }
  return checks;
}
