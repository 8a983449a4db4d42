import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_CONFIG, type Config } from './config.ts';
import type { Environment } from './environment.ts';
import type { ConfigFile } from './file.ts';
import type { Known } from './known.ts';
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
}

/** A configuration, or everything that is wrong with it, in the order of the text. */
export type Loaded =
  | {
      readonly ok: true;
      readonly config: Config;
      /** The file as found (relative to the folder) or given; `null`: there is none, all defaults. */
      readonly file: string | null;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Finds, reads and checks the configuration. Without a file nothing but a directory listing is done.
 * Never rejects over what a file holds; nothing is ever fetched.
 */
export async function loadConfig({ cwd, file, env, known }: LoadOptions): Promise<Loaded> {
  const read = await (file === undefined ? readFound(cwd) : readGiven(cwd, file));
  if (read === null) return { ok: true, config: DEFAULT_CONFIG, file: null };
  if (!read.ok) return read;
  const [{ inspect }, { normalise }] = await Promise.all([import('./inspect.ts'), import('./normalise.ts')]);
  const { problems, schemas } = await inspect(read.source, env, known);
  if (problems.length > 0) return { ok: false, problems };
  // The validator has seen it: the value has the form of the file's type.
  return { ok: true, config: normalise(read.source.value as ConfigFile, env, schemas), file: read.source.file };
}

async function readFound(cwd: string): Promise<ReadSource | null> {
  const [first] = await existing(cwd);
  if (first === undefined) return null;
  const { lilconfig } = await import('lilconfig');
  const folder = path.resolve(cwd);
  const options = { searchPlaces: SEARCH_PLACES, stopDir: folder, loaders: LOADERS, ...PLAIN };
  try {
    const found = await lilconfig('docvitals', options).search(folder);
    return found === null ? null : await readText(path.basename(found.filepath), cwd, textOf(found.config));
  } catch (error) {
    return failed(first, error);
  }
}

/** A folder that cannot be listed holds no configuration that could be read. */
async function existing(cwd: string): Promise<string[]> {
  const names = await readdir(cwd).catch((): string[] => []);
  return SEARCH_PLACES.filter((place) => names.includes(place));
}

async function readGiven(cwd: string, file: string): Promise<ReadSource> {
  const { lilconfig } = await import('lilconfig');
  if (!Object.hasOwn(LOADERS, path.extname(file) || 'noExt')) return failing(file, { kind: 'file-type' });
  try {
    const found = await lilconfig('docvitals', { loaders: LOADERS, ...PLAIN }).load(path.resolve(cwd, file));
    return await readText(file, cwd, textOf(found?.config));
  } catch (error) {
    return failed(file, error);
  }
}

/** lilconfig finds and reads; what the text means is decided here, where its positions are known. */
const keep = (_: string, content: string): string => content;
const LOADERS = {
  '.yaml': keep,
  '.yml': keep,
  '.json': keep,
  '.ts': keep,
  '.js': keep,
  '.mjs': keep,
  // A file without an extension, as a shell's process substitution gives, is YAML.
  noExt: keep,
};
const PLAIN = { cache: false, ignoreEmptySearchPlaces: false };

function textOf(content: unknown): string {
  return typeof content === 'string' ? content.replace(/^\uFEFF/, '') : '';
}

async function readText(file: string, cwd: string, text: string): Promise<ReadSource> {
  if (text.length > LONGEST) return failing(file, { kind: 'too-large', most: '1MiB' });
  if (isModule(file)) return (await import('./module.ts')).readModule(file, cwd);
  const { readJson, readYaml } = await import('./yaml.ts');
  return path.extname(file) === '.json' ? readJson(file, text) : readYaml(file, text);
}

function failed(file: string, error: unknown): ReadSource {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
  return failing(file, code === 'ENOENT' ? { kind: 'not-found' } : { kind: 'unreadable', code });
}

function failing(file: string, expected: Expected): ReadSource {
  return { ok: false, problems: [fileProblem(file, expected)] };
}
