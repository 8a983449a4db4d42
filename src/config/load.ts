import { readdirSync } from 'node:fs';
import path from 'node:path';
import { DEFAULT_CONFIG, type Config } from './config.ts';
import type { Environment } from './environment.ts';
import type { ConfigFile } from './file.ts';
import type { Known } from './known.ts';
import type { MonitorPart } from './monitor/parts.ts';
import { isModule, SEARCH_PLACES } from './places.ts';
import type { ConfigProblem, Expected } from './problem.ts';
import { fileProblem, type ReadSource } from './source.ts';

/** Most UTF-16 code units of a file. */
const LONGEST = 1 << 20;

export interface LoadOptions {
  /** The folder that is searched; its parents are not. */
  readonly cwd: string;
  /** `--config`: this file and no other, relative to `cwd`. */
  readonly file?: string | undefined;
  readonly env: Environment;
  /** The checks that the file may name; without it any code of the five is taken. */
  readonly known: Known;
  /** What of the monitor's parts is used, so that its variables have to be set; absent: everything. */
  readonly needed?: readonly MonitorPart[] | undefined;
  /** Another one each time that a module is to be run anew, and not to be taken from what was imported before. */
  readonly version?: string | undefined;
}

/** A configuration, or everything that is wrong with it, in the order of the text. */
export type Loaded =
  | {
      readonly ok: true;
      readonly config: Config;
      /** The file as found (relative to the folder) or given; `null`: there is none, all defaults. */
      readonly file: string | null;
      /** What the file held; `null`: there is none. */
      readonly text: string | null;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Finds, reads and checks the configuration. Without a file nothing but a directory listing is done.
 * Never rejects over what a file holds; nothing is ever fetched.
 */
export async function loadConfig({ cwd, file, env, known, needed, version }: LoadOptions): Promise<Loaded> {
  const read = await (file === undefined ? readFound(cwd) : readGiven(cwd, file, version));
  if (read === null) return { ok: true, config: DEFAULT_CONFIG, file: null, text: null };
  if (!read.ok) return read;
  const [{ inspect }, { normalise }] = await Promise.all([import('./inspect.ts'), import('./normalise.ts')]);
  const { problems, schemas } = await inspect(read.source, env, known, needed);
  if (problems.length > 0) return { ok: false, problems };
  // The validator has seen it: the value has the form of the file's type.
  const config = normalise(read.source.value as ConfigFile, env, schemas);
  return { ok: true, config, file: read.source.file, text: read.text };
}

/** What was read, with its text; or what stood in the way. */
type ReadFile = (Extract<ReadSource, { ok: true }> & { readonly text: string }) | Extract<ReadSource, { ok: false }>;

async function readFound(cwd: string): Promise<ReadFile | null> {
  const [first] = existing(cwd);
  if (first === undefined) return null;
  const { searchFile } = await import('./find.ts');
  try {
    const found = await searchFile(path.resolve(cwd));
    return found === null ? null : await readText(path.basename(found.path), cwd, found.text);
  } catch (error) {
    return failed(first, error);
  }
}

/** A folder that cannot be listed holds no configuration that could be read. */
function existing(cwd: string): string[] {
  try {
    const names = readdirSync(cwd);
    return SEARCH_PLACES.filter((place) => names.includes(place));
  } catch {
    return [];
  }
}

async function readGiven(cwd: string, file: string, version: string | undefined): Promise<ReadFile> {
  const { isReadable, readFile } = await import('./find.ts');
  if (!isReadable(file)) return failing(file, { kind: 'file-type' });
  try {
    return await readText(file, cwd, await readFile(path.resolve(cwd, file)), version);
  } catch (error) {
    return failed(file, error);
  }
}

async function readText(file: string, cwd: string, text: string, version?: string): Promise<ReadFile> {
  if (text.length > LONGEST) return failing(file, { kind: 'too-large', most: '1MiB' });
  const read = await sourceOf(file, cwd, text, version);
  return read.ok ? { ...read, text } : read;
}

async function sourceOf(file: string, cwd: string, text: string, version: string | undefined): Promise<ReadSource> {
  if (isModule(file)) return (await import('./module.ts')).readModule(file, cwd, version);
  const { readJson, readYaml } = await import('./yaml.ts');
  return path.extname(file) === '.json' ? readJson(file, text) : readYaml(file, text);
}

function failed(file: string, error: unknown): ReadFile {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return failing(file, code === 'ENOENT' ? { kind: 'not-found' } : { kind: 'unreadable', code });
}

function failing(file: string, expected: Expected): ReadFile {
  return { ok: false, problems: [fileProblem(file, expected)] };
}
