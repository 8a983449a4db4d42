/** Finds, reads and checks the configuration file. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ConfigFile } from '../generated/config-file.ts';
import { DEFAULT_CONFIG, MONITOR_PARTS, normalise, type NeededPart } from './config.ts';
import { ConfigError, fileError, shorten, type Source } from './problem.ts';
import type { Known } from './inspect.ts';
import type { Environment } from './values.ts';

export const CONFIG_FILES = [
  'docvitals.yaml',
  'docvitals.yml',
  'docvitals.json',
  'docvitals.config.ts',
  'docvitals.config.js',
  'docvitals.config.mjs',
];

/** A file without an extension, as a shell's process substitution provides, is YAML. */
const EXTENSIONS = new Set(['', ...CONFIG_FILES.map((file) => path.extname(file))]);

/** Most UTF-16 code units of a file. */
const LONGEST = 1 << 20;

export function isModule(file: string): boolean {
  return ['.ts', '.js', '.mjs'].includes(path.extname(file));
}

export interface LoadOptions {
  /** The folder that is searched; its parents are not. */
  readonly cwd: string;
  /** `--config`: this file and no other, relative to `cwd`. */
  readonly file?: string | undefined;
  readonly env: Environment;
  readonly known: Known;
  /** Throws a `ConfigError` for a file that may not be read. */
  readonly demand?: (file: string) => void;
  /** The parts for the monitor that are used, so that their variables have to be set; absent: all. */
  readonly needed?: readonly NeededPart[] | undefined;
  /** A value that differs each time that a module has to run again instead of being taken from Node's cache. */
  readonly version?: string | undefined;
}

/**
 * Loads the configuration. Without a file this only lists a folder. Rejects with a `ConfigError` that has everything that
 * is wrong with the file; nothing is fetched. `file`: as found (relative to the folder) or given; `null`: there is none,
 * everything is default. `hints`: what the file should write otherwise, though it is understood.
 */
export async function loadConfig({ cwd, file, env, known, demand, needed = MONITOR_PARTS, version }: LoadOptions) {
  if (file !== undefined) demand?.(file);
  const found = file === undefined ? await firstFile(cwd, demand) : { file, text: await textOf(file, cwd) };
  if (found === null) return { config: DEFAULT_CONFIG, file: null, text: null, hints: [] };
  if (found.text === null) throw fileError(found.file, { kind: 'not-found' });
  const source = await parse(found.file, cwd, found.text, version);
  const [{ inspect }, { readMonitor }] = await Promise.all([
    import('./inspect.ts'),
    import('../monitor/read-settings.ts'),
  ]);
  const { problems, hints, value, schemas } = await inspect(source, env, known, needed);
  if (problems.length > 0) throw new ConfigError(problems);
  // It was validated, so it has the type of the file.
  const content = value as ConfigFile;
  const own = normalise(content, schemas);
  return { config: { ...own, monitor: await readMonitor(content, own, schemas) }, ...found, hints };
}

/** The first file that exists, in the documented order; `null`: none. */
async function firstFile(cwd: string, demand: LoadOptions['demand']) {
  // A folder that cannot be listed contains no configuration that could be read.
  const names = await readdir(cwd).catch((): string[] => []);
  for (const file of CONFIG_FILES.filter((name) => names.includes(name))) {
    demand?.(file);
    const text = await textOf(file, cwd);
    // A symbolic link that leads nowhere is listed too.
    if (text !== null) return { file, text };
  }
  return null;
}

/** The text of a file, without a byte order mark; `null`: there is none. Rejects with a `ConfigError`. */
export async function textOf(file: string, cwd: string): Promise<string | null> {
  if (!EXTENSIONS.has(path.extname(file))) throw fileError(file, { kind: 'file-type' });
  try {
    const text = (await readFile(path.resolve(cwd, file), 'utf8')).replace(/^\uFEFF/, '');
    if (text.length <= LONGEST) return text;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw fileError(file, { kind: 'unreadable', code });
  }
  throw fileError(file, { kind: 'too-large', most: '1MiB' });
}

async function parse(file: string, cwd: string, text: string, version: string | undefined): Promise<Source> {
  if (isModule(file)) return readModule(file, cwd, version);
  const { readJson, readYaml } = await import('./yaml.ts');
  return path.extname(file) === '.json' ? readJson(file, text) : readYaml(file, text);
}

const LONGEST_DETAIL = 200;
const LONGEST_IMPORT_MS = 10_000;

/**
 * Imports a configuration module (Node strips the types of a `.ts` one) and takes its default export as plain data.
 * A module runs the user's own code; whatever it throws is one mistake. With another `version` it is run again, but not
 * what it imports. Rejects with a `ConfigError`.
 */
async function readModule(file: string, cwd: string, version?: string): Promise<Source> {
  const address = pathToFileURL(path.resolve(cwd, file));
  if (version !== undefined) {
    // ES modules are cached by their address, CommonJS ones by their path.
    delete createRequire(import.meta.url).cache[fileURLToPath(address)];
    address.searchParams.set('version', version);
  }
  const value = await withinLimit(exportOf(address.href)).catch((error: unknown) => {
    throw fileError(file, { kind: 'module', detail: detailOf(error) });
  });
  if (value === undefined) throw fileError(file, { kind: 'module-export' });
  return { file, value, locate: () => null };
}

/** Plain data: everything else (functions, symbols, NaN) becomes `null`, which no key accepts. `undefined`: not an object. */
async function exportOf(address: string): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ address)) as { readonly default?: unknown };
  const value = await module.default;
  if (typeof value !== 'object' || value === null) return undefined;
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'function' || typeof member === 'symbol' ? null : member,
  );
  return JSON.parse(text) as unknown;
}

/** A module that never exports must not leave the command waiting, or end it in silence. */
async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no export after ${LONGEST_IMPORT_MS / 1000} s`)),
    LONGEST_IMPORT_MS,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** The first line that says something: no stack, nothing of the code. */
function detailOf(error: unknown): string {
  let text: string;
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    text = 'Error';
  }
  return shorten(text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? 'Error', LONGEST_DETAIL);
}
