/** Reads single values of a file that has no mistakes any more. */
import type { Limits } from '../limits.ts';
import type { Config } from './config.ts';
import { parseDuration, type DurationBounds } from './duration.ts';
import { expand, type Environment } from './environment.ts';
import type { LimitsFile } from './file.ts';
import { parseSize } from './size.ts';
import { parseVersionFrom } from './version-from.ts';

/** A text with its variables in it. */
export function expanded(text: string, env: Environment): string {
  const result = expand(text, env);
  return result.ok ? result.text : '';
}

/** Only the limits that are set. */
export function limitsOf(file: LimitsFile): Partial<Limits> {
  const { timeout, deadline, retries, body, parse, rate, pages, depth } = file;
  const size = parseSize(String(body ?? ''));
  const limits = {
    timeoutMs: milliseconds(timeout),
    deadlineMs: milliseconds(deadline),
    retries,
    bodyBytes: size.ok ? size.bytes : undefined,
    parseMs: milliseconds(parse),
    rate,
    pages,
    depth,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** A duration; `undefined` where there is none. */
export function milliseconds(text: string | undefined, bounds?: DurationBounds): number | undefined {
  const parsed = parseDuration(text ?? '', bounds);
  return parsed.ok ? parsed.ms : undefined;
}

/** Where a version is told; `null` where that is not said. */
export function placeOf(text: string | undefined): Config['versionFrom'] {
  const parsed = text === undefined ? null : parseVersionFrom(text);
  return parsed?.ok ? parsed.place : null;
}

/** Request headers with their variables, as a mapping without a prototype: any name that is a token can be a key. */
export function headersOf(
  headers: Readonly<Record<string, string>>,
  env: Environment,
): Readonly<Record<string, string>> {
  const all = Object.create(null) as Record<string, string>;
  for (const [name, text] of Object.entries(headers)) all[name] = expanded(text, env);
  return all;
}
