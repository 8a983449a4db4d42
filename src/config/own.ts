/** What the checks of the user's own come to, once they hold no mistakes. */
import { MIMEType } from 'whatwg-mimetype';
import type { Expectation, HeaderExpectation, OwnDefinition, SchemaValidator } from '../../checks/own/definition.ts';
import { parseDuration } from './duration.ts';
import type { CheckFile, ExpectFile } from './file.ts';
import { relativePath } from './site-path.ts';

/** The compiled JSON Schemas of the user's own checks, by the key of their check: `checks[0]`, `sites[2].checks[0]`. */
export type Schemas = ReadonlyMap<string, SchemaValidator>;

/** A check that has no mistakes, normalised. */
export function ownDefinition(check: CheckFile, schema: SchemaValidator | null): OwnDefinition {
  const { fix } = check;
  const { en, ro, fr } =
    typeof fix === 'string' ? { en: fix, ro: undefined, fr: undefined } : { ro: undefined, fr: undefined, ...fix };
  return {
    id: check.id,
    title: check.title,
    path: relativePath(check.path),
    accept: check.accept ?? '*/*',
    expect: expectation(check.expect ?? {}, schema),
    fix: en === undefined ? null : { en, ro: ro ?? en, fr: fr ?? en },
  };
}

function expectation(expect: ExpectFile, schema: SchemaValidator | null): Expectation {
  const duration = parseDuration(expect.maxDuration ?? '');
  return {
    status: listOf(expect.status ?? 200),
    mediaTypes: listOf(expect.mediaType).flatMap((text) => mediaTypeEssence(text) ?? []),
    json: expect.json === undefined ? null : { schema },
    markdown: expect.markdown ?? false,
    contains: listOf(expect.contains),
    notContains: listOf(expect.notContains),
    headers: Object.entries(expect.headers ?? {}).map(([name, text]): HeaderExpectation => ({
      name,
      value: readHeaderExpectation(text) ?? text,
    })),
    maxDurationMs: duration.ok ? duration.ms : null,
  };
}

function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** An exact value, or the regular expression of `/source/flags`; `null` for one that does not compile. */
export function readHeaderExpectation(text: string): string | RegExp | null {
  const match = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text);
  if (match === null) return text;
  const [, source = '', flags = ''] = match;
  // g and y would make the expression remember where it stopped; d has no use here.
  if (/[dgy]/.test(flags)) return null;
  try {
    return new RegExp(source, flags);
  } catch {
    return null;
  }
}

/** The essence of a media type in lower case, without parameters; `null` for what is none, or holds a wildcard. */
export function mediaTypeEssence(text: string): string | null {
  const parsed = MIMEType.parse(text);
  return parsed === null || parsed.essence.includes('*') ? null : parsed.essence;
}
