/**
 * Bundles the command line with its worker, and the Action. The command line is split along its dynamic imports: a run
 * reads and compiles what it uses and no more. The Action is one file.
 */
import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { BuildError } from './errors.ts';
import { readSource, ROOT, writeOutput } from './output.ts';
import { licensesOf } from './licenses.ts';
import { LANGUAGES } from '../texts.ts';

/** What is not the same in all bundles. */
type Options = Omit<BuildOptions, keyof typeof OPTIONS>;

const COMMAND_LINE: Options = {
  entryPoints: { cli: 'src/cli/main.ts', 'markdown-worker': 'src/parse/markdown-worker.ts' },
  outdir: 'dist',
  splitting: true,
  // Beside the entries: what finds files by its own place finds them from anywhere.
  chunkNames: 'cli-[name]-[hash]',
};

/** `.mjs`: beside it there is nothing that says what kind of module it is. */
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
  // The licences of what is bundled are in THIRD-PARTY-LICENSES.txt.
  legalComments: 'none',
  // `module` first: jsonc-parser's `main` is UMD, which cannot be bundled.
  mainFields: ['module', 'main'],
  // The CommonJS packages among the dependencies `require` Node's own modules.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Returns the files it wrote, as paths from the root. @throws BuildError with esbuild's messages. */
export async function bundleCommandLine(): Promise<string[]> {
  const { files, metafile } = await bundle({ ...COMMAND_LINE, define: await versionDefine() });
  const licenses = await licensesOf(Object.keys(metafile.inputs));
  return [...files, await writeOutput('dist/THIRD-PARTY-LICENSES.txt', licenses)];
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
    ...(await versionDefine()),
    DOCVITALS_TEXTS: JSON.stringify(Object.fromEntries(texts)),
    DOCVITALS_ONE_FILE: 'true',
  };
  const { files, metafile } = await bundle({ ...ACTION, define });
  const licenses = await licensesOf(Object.keys(metafile.inputs));
  return [...files, await writeOutput('dist/action/THIRD-PARTY-LICENSES.txt', licenses)];
}

async function versionDefine(): Promise<{ readonly DOCVITALS_VERSION: string }> {
  const { version } = JSON.parse(await readSource('package.json')) as { version: string };
  return { DOCVITALS_VERSION: JSON.stringify(version) };
}

async function bundle(options: Options): Promise<Bundle> {
  const result = await build({ ...OPTIONS, ...options }).catch((error: unknown) => {
    throw new BuildError(`esbuild: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const { text, location } of result.warnings) {
    console.warn(`build: ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
  }
  const files = result.outputFiles.map(({ path: file, text }) => writeOutput(path.relative(ROOT, file), text));
  return { files: await Promise.all(files), metafile: result.metafile };
}
