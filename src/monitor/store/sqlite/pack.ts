/** Runs in few bytes: one row a run, some forty bytes for the core checks, and never more than is bounded here. */
import type { Status, Verdict } from '../../../check.ts';
import type { Scope } from '../../incident/incident.ts';
import type { CheckRecord, RunRecord } from '../store.ts';

/* Whole numbers from 0 on in as few bytes as they need: seven bits a byte, the lowest first, the eighth says that more come. */

export class VarintWriter {
  #bytes = Buffer.allocUnsafe(128);
  #length = 0;

  /** Negative numbers, and invalid numbers, count as 0. */
  write(value: number): void {
    if (this.#length + 10 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let rest = value > 0 ? Math.min(Math.round(value), Number.MAX_SAFE_INTEGER) : 0;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }
}

/** Reads them again. Behind the end, which is where a damaged file may lead, there are zeros. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  read(): number {
    let value = 0;
    for (let factor = 1; factor <= Number.MAX_SAFE_INTEGER; factor *= 128) {
      const byte = this.#bytes[this.#at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  }
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

const writer = new VarintWriter();

/** The form of what follows; then of each check its id, its status and how many codes there are, two numbers, the codes. */
export function packChecks(checks: readonly CheckRecord[], words: Numbered): Uint8Array {
  writer.clear();
  writer.write(1);
  for (const { id, status, codes, httpStatus, durationMs } of checks.slice(0, MOST_CHECKS)) {
    const kept = codes.slice(0, MOST_CODES);
    writer.write(words.idOf(id));
    writer.write(STATUSES.indexOf(status) + kept.length * STATUSES.length);
    writer.write(httpStatus === null ? 0 : httpStatus + 1);
    writer.write(durationMs === null ? 0 : Math.round(durationMs) + 1);
    for (const code of kept) writer.write(words.idOf(code));
  }
  return writer.bytes();
}

export function unpackChecks(bytes: Uint8Array, words: Numbered): CheckRecord[] {
  const reader = new VarintReader(bytes);
  const checks: CheckRecord[] = [];
  if (reader.read() !== 1) return checks;
  while (!reader.atEnd && checks.length < MOST_CHECKS) {
    const id = words.nameOf(reader.read());
    const state = reader.read();
    const [httpStatus, duration] = [reader.read(), reader.read()];
    const count = Math.min(Math.floor(state / STATUSES.length), MOST_CODES);
    const codes = Array.from({ length: count }, () => words.nameOf(reader.read())).filter((code) => code !== undefined);
    const status = STATUSES[state % STATUSES.length] ?? 'unknown';
    if (id === undefined) continue;
    checks.push({
      id,
      status,
      codes,
      httpStatus: httpStatus === 0 ? null : httpStatus - 1,
      durationMs: duration === 0 ? null : duration - 1,
    });
  }
  return checks;
}
