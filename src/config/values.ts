/** Durations, sizes, times and environment variables, as a configuration writes them. Pure; nothing here throws. */

import type { Expected } from './problem.ts';

/** The range of a duration, in milliseconds. */
export interface DurationBounds {
  /** 0: no time at all is allowed. */
  readonly least: number;
  readonly most: number;
}

/** The range where none is given. */
export const UP_TO_A_DAY: DurationBounds = { least: 1, most: 24 * 60 * 60 * 1000 };

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whether a duration in this range may be written in days. */
export function takesDays({ most }: DurationBounds): boolean {
  return most > UNITS.d;
}

/**
 * Reads a duration with its unit: `500ms`, `1.5s`, `2m`, `1h`; `7d` where the range exceeds a day. White space around it
 * and before the unit is ignored. A number without a unit is refused (`no-unit`), because `10` means seconds to one
 * reader and milliseconds to another. The result is a whole number of milliseconds.
 */
export function parseDuration(text: string, bounds: DurationBounds = UP_TO_A_DAY) {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { ok: false, problem: 'no-unit' } as const;
  const match = /^(\d{1,15}(?:\.\d{1,15})?)\s*(ms|s|m|h|d)$/.exec(trimmed);
  if (match === null || (match[2] === 'd' && !takesDays(bounds))) return { ok: false, problem: 'syntax' } as const;
  const ms = Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]);
  if (ms > bounds.most) return { ok: false, problem: 'too-long' } as const;
  if (ms < bounds.least) return { ok: false, problem: 'too-short' } as const;
  return { ok: true, ms } as const;
}

/** Milliseconds of a duration that was validated; `undefined`: it is not set. */
export function milliseconds(text: string | undefined): number | undefined {
  const parsed = parseDuration(text ?? '', { least: 0, most: Infinity });
  return parsed.ok ? parsed.ms : undefined;
}

/** In the largest unit that divides it: `90s`, `2h`, `14d`. */
export function renderDuration(ms: number): string {
  const fitting = Object.entries(UNITS).findLast(([, size]) => ms % size === 0 && ms >= size);
  return fitting === undefined ? `${ms}ms` : `${ms / fitting[1]}${fitting[0]}`;
}

/** Most pages that a browser opens in a run. */
export const MOST_ROUTES = 500;

/** Text of more than 512 MiB does not fit into a string. */
export const MAX_SIZE_BYTES = 256 * 1024 ** 2;

/**
 * Reads a size: `10MiB`, `512KiB`, `5MB` (decimal), `100B`, or a number of bytes as text. Letter case is ignored. `10M` is
 * refused, because it is decimal to one reader and binary to another. The result is a whole number of bytes from 1.
 */
export function parseSize(text: string) {
  const match = /^(\d{1,15}|\d{1,15}\.\d{1,15}(?=\s*[a-z]))\s*(?:(?:([kmg])(i)?)?b)?$/i.exec(text.trim());
  if (match === null) return { ok: false, problem: 'syntax' } as const;
  const [, amount, prefix = '', binary] = match;
  const factor = (binary === undefined ? 1000 : 1024) ** ['', 'k', 'm', 'g'].indexOf(prefix.toLowerCase());
  const bytes = Math.floor(Number(amount) * factor);
  if (bytes < 1 || bytes > MAX_SIZE_BYTES) return { ok: false, problem: 'range' } as const;
  return { ok: true, bytes } as const;
}

/** ISO 8601: a day, or a time with its zone or without; as Git writes it, too (`2026-03-01 12:00:00 +0100`). */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Milliseconds since 1970 of a time: `2026-12-01T22:00:00Z`, `2026-12-01 23:00+01:00`. Without a `usualZone`, a time or a
 * day without a zone is refused: on a machine in another zone it would be another time. `undefined` for anything else,
 * 30 February included.
 */
export function parseTime(text: string, usualZone?: 'Z'): number | undefined {
  const [, day, clock = '00:00', zone = usualZone] = TIME.exec(text.trim()) ?? [];
  if (day === undefined || zone === undefined) return undefined;
  const time = Date.parse(`${day}T${clock}${zone.toUpperCase().replace(/^(...)(\d\d)$/, '$1:$2')}`);
  // V8 reads 30 February as 1 or 2 March.
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) ?? false;
  return Number.isNaN(time) || !isDay ? undefined : time;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a configuration that is only proposed: its variables are not read. */
export const WITHHELD: Environment = Object.freeze({});

/** Why a variable cannot be expanded. Names only, never values. */
type ExpandProblem = Extract<Expected, { readonly kind: `env-${string}` }>;

/**
 * Replaces `${NAME}` with environment variables; `$$` becomes a dollar sign, any other dollar sign is kept. A variable
 * that is unset, or empty (as a CI secret that this job may not read), is a problem: then the text is empty. Expanded text
 * is not expanded again.
 */
export function expand(text: string, env: Environment) {
  const problems: ExpandProblem[] = [];
  const expanded = text.replaceAll(/\$\$|\$\{([^}]*)(\}?)/g, (whole, name: string | undefined, end: string) => {
    if (whole === '$$') return '$';
    if (name === undefined || end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
      problems.push({ kind: 'env-syntax' });
      return '';
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (env === WITHHELD) problems.push({ kind: 'env-withheld', name });
    else if (value === undefined || value === '') problems.push({ kind: 'env-missing', name });
    return value ?? '';
  });
  return { text: problems.length === 0 ? expanded : '', problems };
}
