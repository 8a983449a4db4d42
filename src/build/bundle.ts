/**
 * Bundles the command line, its worker, and the Action. The command line is split along its dynamic imports, so that a
 * run reads and compiles only what it uses. The Action is one file.
 */
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { BuildError } from './errors.ts';
import { readSource, ROOT, writeOutput } from './output.ts';
import { licensesOf } from './licenses.ts';
import { LANGUAGES } from '../texts.ts';

/** The options that differ between the bundles. */
type Options = Omit<BuildOptions, keyof typeof OPTIONS>;

const COMMAND_LINE: Options = {
  entryPoints: { cli: 'src/cli/main.ts' },
  outdir: 'dist',
  splitting: true,
  // What every check of a site needs is loaded at the start. As each chunk counts on it, esbuild puts it into one file
  // instead of one for each combination of chunks that use it: finding a file takes longer than reading it.
  inject: ['src/cli/check.ts', 'src/cli/program.ts'],
  // Beside the entries: files that are found relative to a module are found from any of them.
  chunkNames: 'cli-[name]-[hash]',
};

/** Beside it, and without anything that it needs no more: a thread starts with as little as possible. */
const WORKER: Options = { entryPoints: ['src/parse/markdown-worker.ts'], outdir: 'dist' };

/** `.mjs`: there is no package.json beside it. */
const ACTION: Options = { entryPoints: ['src/action/main.ts'], outfile: 'dist/action/index.mjs' };

interface Bundle {
  /** The files it wrote, as paths from the root. */
  readonly files: readonly string[];
  readonly metafile: Metafile;
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  // The names of chunks depend on the paths of what is in them: those inside the project, wherever packages really lie.
  preserveSymlinks: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  minify: true,
  charset: 'utf8',
  // The bundled CommonJS packages `require` Node's own modules and nothing else that is not bundled.
  banner: { js: 'const require = process.getBuiltinModule;' },
  // The licences of what is bundled are in THIRD-PARTY-LICENSES.txt.
  legalComments: 'none',
  // `module` first: jsonc-parser's `main` is UMD, which cannot be bundled.
  mainFields: ['module', 'main'],
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Returns the files it wrote, as paths from the root. @throws BuildError with esbuild's messages. */
export async function bundleCommandLine(): Promise<string[]> {
  const { files, metafile } = await bundle({ ...COMMAND_LINE, define: await defines() });
  const worker = await bundle(WORKER);
  const licenses = await licensesOf(Object.keys(metafile.inputs));
  return [...files, ...worker.files, await writeOutput('dist/THIRD-PARTY-LICENSES.txt', licenses)];
}

/**
 * Bundles the Action: one file, which the texts of all languages are in, and which starts its own threads. The texts
 * have to be built. Returns the files it wrote, as paths from the root. @throws BuildError with esbuild's messages.
 */
export async function bundleAction(): Promise<string[]> {
  const texts = await Promise.all(
    LANGUAGES.map(async (language) => [language, await readSource(`dist/texts/${language}.json`)]),
  );
  const define = {
    ...(await defines()),
    DOCVITALS_TEXTS: JSON.stringify(Object.fromEntries(texts)),
    DOCVITALS_ONE_FILE: 'true',
  };
  const { files, metafile } = await bundle({ ...ACTION, define });
  const licenses = await licensesOf(Object.keys(metafile.inputs));
  return [...files, await writeOutput('dist/action/THIRD-PARTY-LICENSES.txt', licenses)];
}

async function defines(): Promise<Record<string, string>> {
  const { version } = JSON.parse(await readSource('package.json')) as { version: string };
  // undici leaves out its experimental parser where `esbuildDetection` is defined.
  return { DOCVITALS_VERSION: JSON.stringify(version), esbuildDetection: 'true' };
}

async function bundle(options: Options): Promise<Bundle> {
  const result = await build({ ...OPTIONS, ...options }).catch((error: unknown) => {
    throw new BuildError(`esbuild: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const { text, location } of result.warnings) {
    console.warn(`build: ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
  }
  for (const { imports } of Object.values(result.metafile.outputs)) {
    const missing = imports.find((imported) => imported.external === true && !isBuiltin(imported.path));
    if (missing !== undefined) throw new BuildError(`esbuild: ${missing.path} is imported, but is not bundled`);
  }
  const files = result.outputFiles.map(({ path: file, text }) => writeOutput(path.relative(ROOT, file), text));
  return { files: await Promise.all(files), metafile: result.metafile };
}
