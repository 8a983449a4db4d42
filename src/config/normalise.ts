import type { SchemaValidator } from '../../checks/own/definition.ts';
import type { Limits } from '../limits.ts';
import { DEFAULT_CONFIG, type Config } from './config.ts';
import { parseDuration } from './duration.ts';
import { expand, type Environment } from './environment.ts';
import type { ConfigFile, LimitsFile } from './file.ts';
import { ownDefinition } from './own.ts';
import { parseResolve } from './resolve.ts';
import { parseSize } from './size.ts';
import { parseVersionFrom } from './version-from.ts';

/** A file without mistakes, normalised. `schemas` holds the compiled schemas by the index of their check. */
export function normalise(file: ConfigFile, env: Environment, schemas: ReadonlyMap<number, SchemaValidator>): Config {
  return {
    url: file.url === undefined ? null : expanded(file.url, env),
    language: file.language ?? DEFAULT_CONFIG.language,
    only: file.only ?? [],
    skip: file.skip ?? [],
    full: file.full ?? DEFAULT_CONFIG.full,
    external: file.external ?? DEFAULT_CONFIG.external,
    host: file.host ?? DEFAULT_CONFIG.host,
    source: file.source ?? DEFAULT_CONFIG.source,
    versionFrom: placeOf(file.versionFrom),
    strict: file.strict ?? DEFAULT_CONFIG.strict,
    limits: limitsOf(file.limits ?? {}),
    headers: headersOf(file.headers ?? {}, env),
    rules: new Map(Object.entries(file.rules ?? {})),
    resolve: (file.resolve ?? []).flatMap((entry) => parseResolve(entry) ?? []),
    checks: (file.checks ?? []).map((check, index) => ownDefinition(check, schemas.get(index) ?? null)),
  };
}

function limitsOf({ timeout, deadline, retries, body, parse, rate, pages, depth }: LimitsFile): Partial<Limits> {
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

function milliseconds(text: string | undefined): number | undefined {
  const parsed = parseDuration(text ?? '');
  return parsed.ok ? parsed.ms : undefined;
}

function placeOf(text: string | undefined): Config['versionFrom'] {
  const parsed = text === undefined ? null : parseVersionFrom(text);
  return parsed?.ok ? parsed.place : null;
}

function headersOf(headers: Readonly<Record<string, string>>, env: Environment): Readonly<Record<string, string>> {
  // Without a prototype, so that any name that is a token can be a key.
  const all = Object.create(null) as Record<string, string>;
  for (const [name, text] of Object.entries(headers)) all[name] = expanded(text, env);
  return all;
}

function expanded(text: string, env: Environment): string {
  const result = expand(text, env);
  return result.ok ? result.text : '';
}
