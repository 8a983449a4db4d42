/** The settings of a configuration: how they are made of a file that has no mistakes and whose variables are expanded. */
import type { Expectation, HeaderExpectation, OwnDefinition } from '../../checks/own/definition.ts';
import type { CheckFile, ConfigFile, LimitsFile } from '../generated/config-file.ts';
import type { Limits } from '../core/limits.ts';
import type { ResolveRule } from '../http/connect.ts';
import { DEFAULT_MONITOR, DEFAULT_RENDERING, type MonitorSettings } from '../monitor/settings.ts';
import {
  mediaTypeOf,
  parseOriginPattern,
  parseResolve,
  parseVersionFrom,
  readHeaderExpectation,
  relativePath,
} from './formats.ts';
import type { Schemas } from './user-schema.ts';
import { milliseconds, parseSize } from './values.ts';

/** Where the schema of the configuration is published, for editors. */
export const SCHEMA_URL = 'https://cdn.jsdelivr.net/npm/docvitals@0/dist/schema/config.json';

/**
 * The parts of a file that only the monitor uses. A command that checks one site does not need their secrets: the
 * variables of a part must be set only where it is used. `heartbeat` is apart from the rest of `monitor`, which names the
 * database.
 */
export const MONITOR_PARTS = ['sites', 'alerts', 'monitor', 'heartbeat'] as const;

export type MonitorPart = (typeof MONITOR_PARTS)[number];

/** A part whose variables have to be set, or of the sites a single one. */
export type NeededPart = MonitorPart | `sites[${number}]`;

export type FileConfig = Readonly<ReturnType<typeof normalise>>;

export type BrowserSettings = Readonly<FileConfig['browser']>;

/** A configuration with its defaults, ready for use. Options of the command line override it. */
export interface Config extends FileConfig {
  /** The settings of `docvitals monitor`; without `sites` in the file it watches the one of `url`. */
  readonly monitor: MonitorSettings;
}

/** The settings of the file's own site. `null`: not set. */
export function normalise(file: ConfigFile, schemas: Schemas) {
  return {
    /** May contain credentials, so it is never printed as it is. */
    url: file.url ?? null,
    language: file.language ?? null,
    /** Ids of the checks to run; empty: all. */
    only: file.only ?? [],
    skip: file.skip ?? [],
    full: file.full ?? false,
    external: file.external ?? false,
    host: file.host ?? null,
    negotiation: file.negotiation ?? null,
    engine: file.engine ?? null,
    ...ofOneSite(file, schemas),
    browser: browserOf(file.browser),
    strict: file.strict ?? false,
    /** Only those that are set. */
    limits: limitsOf(file.limits),
    rules: new Map(Object.entries(file.rules ?? {})),
  };
}

type SiteKey = 'source' | 'versionFrom' | 'headers' | 'headersFor' | 'resolve' | 'checks';

/** What is of one site, and of no other: of the file's own, or of one that the monitor watches. */
export function ofOneSite(file: Pick<ConfigFile, SiteKey>, schemas: Schemas) {
  const version = file.versionFrom === undefined ? null : parseVersionFrom(file.versionFrom);
  const resolve: readonly ResolveRule[] = (file.resolve ?? []).flatMap((entry) => parseResolve(entry) ?? []);
  const checks: readonly OwnDefinition[] = (file.checks ?? []).map((check) => ownDefinition(check, schemas));
  return {
    source: file.source ?? null,
    versionFrom: version?.ok ? version.place : null,
    /** Names as written; values are secret. */
    headers: file.headers ?? {},
    /** Origins besides that of its URL that its settings apply to. */
    headersFor: (file.headersFor ?? []).map(parseOriginPattern).filter((pattern) => typeof pattern !== 'string'),
    resolve,
    checks,
  };
}

export function pick<File extends object, Key extends keyof File>(
  file: File,
  keys: readonly Key[],
): { [K in Key]?: Exclude<File[K], undefined> } {
  const set = keys.filter((key) => file[key] !== undefined).map((key) => [key, file[key]]);
  return Object.fromEntries(set) as { [K in Key]?: Exclude<File[K], undefined> };
}

export function limitsOf(file: LimitsFile = {}): Partial<Limits> {
  const size = parseSize(String(file.body ?? ''));
  const limits = {
    timeoutMs: milliseconds(file.timeout),
    deadlineMs: milliseconds(file.deadline),
    bodyBytes: size.ok ? size.bytes : undefined,
    parseMs: milliseconds(file.parse),
    ...pick(file, ['retries', 'rate', 'maxPages', 'maxDepth']),
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** The address is secret: it may hold a token. `Infinity` routes: all. */
function browserOf({ routes = DEFAULT_RENDERING.routes, slow, ...file }: NonNullable<ConfigFile['browser']> = {}) {
  return {
    ...DEFAULT_RENDERING,
    ...pick(file, ['enabled', 'path', 'address', 'sandbox']),
    routes: routes === 'all' ? Infinity : routes,
    slowMs: milliseconds(slow) ?? DEFAULT_RENDERING.slowMs,
  };
}

function ownDefinition({ id, title, path, accept, expect, fix }: CheckFile, schemas: Schemas) {
  const texts = typeof fix === 'string' ? { en: fix } : fix;
  return {
    id,
    title,
    path: relativePath(path),
    accept: accept ?? '*/*',
    expect: expectation(expect ?? {}, schemas),
    fix: texts === undefined ? null : { ro: texts.en, fr: texts.en, ...texts },
  };
}

function expectation(expect: NonNullable<CheckFile['expect']>, schemas: Schemas): Expectation {
  const compiled = typeof expect.json === 'object' ? schemas.get(JSON.stringify(expect.json.schema)) : undefined;
  return {
    status: [expect.status ?? 200].flat(),
    mediaTypes: [expect.mediaType ?? []].flat().flatMap((text) => mediaTypeOf(text) ?? []),
    json: expect.json === undefined ? null : { schema: compiled?.ok ? compiled.validate : null },
    markdown: expect.markdown ?? false,
    contains: [expect.contains ?? []].flat(),
    notContains: [expect.notContains ?? []].flat(),
    headers: Object.entries(expect.headers ?? {}).map(([name, text]): HeaderExpectation => ({
      name,
      value: readHeaderExpectation(text) ?? text,
    })),
    maxDurationMs: milliseconds(expect.maxDuration) ?? null,
  };
}

export const DEFAULT_CONFIG: Config = { ...normalise({}, new Map()), monitor: DEFAULT_MONITOR };
