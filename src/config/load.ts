/** Finds, reads and checks the configuration file. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConfigFile } from '../generated/config-file.ts';
import type { Config, MonitorPart } from './config.ts';
import { DEFAULT_CONFIG, normalise } from './normalise.ts';
import { fileProblem, type ConfigProblem, type Expected, type ReadSource } from './problem.ts';
import type { Known } from './rules.ts';
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
const EXTENSIONS: ReadonlySet<string> = new Set(['', '.yaml', '.yml', '.json', '.ts', '.js', '.mjs']);

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
  /** The parts for the monitor that are used, so that their variables have to be set; absent: all. */
  readonly needed?: readonly MonitorPart[] | undefined;
  /** A value that differs each time that a module has to run again instead of being taken from Node's cache. */
  readonly version?: string | undefined;
}

/** A configuration, or everything that is wrong with it, in the order of the text. */
export type Loaded =
  | {
      readonly ok: true;
      readonly config: Config;
      /** The file as found (relative to the folder) or given; `null`: none, everything is default. */
      readonly file: string | null;
      /** The text of the file; `null`: none. */
      readonly text: string | null;
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Loads the configuration. Without a file this only lists a folder. Never rejects because of what a file contains;
 * nothing is fetched.
 */
export async function loadConfig({ cwd, file, env, known, needed, version }: LoadOptions): Promise<Loaded> {
  const read = file === undefined ? await readFirst(cwd) : await readConfig(file, cwd, version);
  if (read === null) return { ok: true, config: DEFAULT_CONFIG, file: null, text: null };
  if (!read.ok) return read;
  const [{ inspect }, { readMonitor }] = await Promise.all([
    import('./inspect.ts'),
    import('../monitor/read-settings.ts'),
  ]);
  const { problems, value, schemas } = await inspect(read.source, env, known, needed);
  if (problems.length > 0) return { ok: false, problems };
  // It was validated, so it has the type of the file.
  const content = value as ConfigFile;
  const config = normalise(content, schemas);
  const monitor = await readMonitor(content, config, schemas);
  return { ok: true, config: { ...config, monitor }, file: read.source.file, text: read.text };
}

type ReadFile = (Extract<ReadSource, { ok: true }> & { readonly text: string }) | Extract<ReadSource, { ok: false }>;

/** The first file that exists, in the documented order; `null`: none. */
async function readFirst(cwd: string): Promise<ReadFile | null> {
  // A folder that cannot be listed contains no configuration that could be read.
  const names = await readdir(cwd).catch((): string[] => []);
  for (const file of CONFIG_FILES.filter((name) => names.includes(name))) {
    const read = await readConfig(file, cwd, undefined);
    // A symbolic link that leads nowhere is listed too.
    if (read.ok || read.problems[0]?.expected.kind !== 'not-found') return read;
  }
  return null;
}

async function readConfig(file: string, cwd: string, version: string | undefined): Promise<ReadFile> {
  if (!EXTENSIONS.has(path.extname(file))) return failure(file, { kind: 'file-type' });
  try {
    const text = (await readFile(path.resolve(cwd, file), 'utf8')).replace(/^\uFEFF/, '');
    if (text.length > LONGEST) return failure(file, { kind: 'too-large', most: '1MiB' });
    const read = await parse(file, cwd, text, version);
    return read.ok ? { ...read, text } : read;
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return failure(file, code === 'ENOENT' ? { kind: 'not-found' } : { kind: 'unreadable', code });
  }
}

async function parse(file: string, cwd: string, text: string, version: string | undefined): Promise<ReadSource> {
  if (isModule(file)) return (await import('./module.ts')).readModule(file, cwd, version);
  const { readJson, readYaml } = await import('./yaml.ts');
  return path.extname(file) === '.json' ? readJson(file, text) : readYaml(file, text);
}

function failure(file: string, expected: Expected): ReadFile {
  return { ok: false, problems: [fileProblem(file, expected)] };
}
