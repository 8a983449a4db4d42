import { DEFAULT_CONFIG, type Config } from './config.ts';
import type { Environment } from './environment.ts';
import type { ConfigFile } from './file.ts';
import { monitorSettings } from './monitor/normalise.ts';
import { ownDefinition, type Schemas } from './own.ts';
import { parseResolve } from './resolve.ts';
import { expanded, headersOf, limitsOf, placeOf } from './values.ts';

/** A file without mistakes, normalised. */
export function normalise(file: ConfigFile, env: Environment, schemas: Schemas): Config {
  const config: Omit<Config, 'monitor'> = {
    url: file.url === undefined ? null : expanded(file.url, env),
    language: file.language ?? DEFAULT_CONFIG.language,
    only: file.only ?? [],
    skip: file.skip ?? [],
    full: file.full ?? DEFAULT_CONFIG.full,
    external: file.external ?? DEFAULT_CONFIG.external,
    host: file.host ?? DEFAULT_CONFIG.host,
    source: file.source === undefined ? DEFAULT_CONFIG.source : expanded(file.source, env),
    versionFrom: placeOf(file.versionFrom),
    strict: file.strict ?? DEFAULT_CONFIG.strict,
    limits: limitsOf(file.limits ?? {}),
    headers: headersOf(file.headers ?? {}, env),
    rules: new Map(Object.entries(file.rules ?? {})),
    resolve: (file.resolve ?? []).flatMap((entry) => parseResolve(entry) ?? []),
    checks: (file.checks ?? []).map((check, index) => ownDefinition(check, schemas.get(`checks[${index}]`) ?? null)),
  };
  return { ...config, monitor: monitorSettings(file, config, { env, schemas }) };
}
