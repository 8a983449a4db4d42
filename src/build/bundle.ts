/**
 * Bundles the command line, its worker, and the Action. The command line is split along its dynamic imports: a run
 * reads and compiles what it uses and no more. The Action is one file.
 */
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { build, type BuildOptions, type Loader, type Metafile, type Plugin } from 'esbuild';
import { withoutBuiltinImports } from './builtins.ts';
import { BuildError } from './errors.ts';
import { withoutFacades } from './facades.ts';
import { footingsOf, type Footings, type Layers } from './layers.ts';
import { readSource, ROOT, writeOutput } from './output.ts';
import { asScripts } from './scripts.ts';
import { licensesOf } from './licenses.ts';
import { LANGUAGES } from '../texts.ts';
import { undiciStandIns } from './undici.ts';

/** What is not the same in all bundles. */
type Options = Omit<BuildOptions, keyof typeof OPTIONS | 'plugins'>;

const COMMAND_LINE: Options = {
  entryPoints: { cli: 'src/cli/main.ts' },
  outdir: 'dist',
  splitting: true,
  // Beside the entries: what finds files by its own place finds them from anywhere.
  chunkNames: 'cli-[name]-[hash]',
};

/** The CommonJS packages among the dependencies `require` Node's own modules, and nothing else that is not bundled. */
const IN_MODULES: Options = { banner: { js: 'const require = globalThis.process.getBuiltinModule;' } };

/** Beside it, and whole in itself: a thread starts with as little as can be. */
const WORKER: Options = { ...IN_MODULES, entryPoints: ['src/parse/markdown-worker.ts'], outdir: 'dist' };

/** What every command begins with; then what checks the five files of a site. */
const LAYERS: Layers = [['src/cli/main.ts'], ['src/cli/check.ts']];

/** `.mjs`: beside it there is nothing that says what kind of module it is. */
const ACTION: Options = { ...IN_MODULES, entryPoints: ['src/action/main.ts'], outfile: 'dist/action/index.mjs' };

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
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Returns the files it wrote, as paths from the root. @throws BuildError with esbuild's messages. */
export async function bundleCommandLine(): Promise<string[]> {
  const options = { ...COMMAND_LINE, define: await defines() };
  const { metafile: loose } = await built(options);
  const { files, metafile } = await bundle(options, footingsOf(loose, LAYERS));
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
  // The last one tells undici that it is built into a program.
  return { DOCVITALS_VERSION: JSON.stringify(version), esbuildDetection: 'true' };
}

async function bundle(options: Options, footings: Footings = new Map()): Promise<Bundle> {
  const result = await built(options, footings);
  for (const { text, location } of result.warnings) {
    console.warn(`build: ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
  }
  for (const { imports } of Object.values(result.metafile.outputs)) {
    const missing = imports.find((imported) => imported.external === true && !isBuiltin(imported.path));
    if (missing !== undefined) throw new BuildError(`esbuild: ${missing.path} is imported, but is not bundled`);
  }
  const texts = new Map(result.outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
  const folder = path.relative(ROOT, path.dirname(result.outputFiles[0]?.path ?? ROOT));
  const shaped = options.splitting === true ? await asScripts(withoutFacades(texts, 'cli.js')) : texts;
  const files = [...shaped].map(([name, text]) => writeOutput(`${folder}/${name}`, text));
  return { files: await Promise.all(files), metafile: result.metafile };
}

function built(options: Options, footings: Footings = new Map()) {
  return build({ ...OPTIONS, ...options, plugins: [undiciStandIns, sources(footings)] }).catch((error: unknown) => {
    throw new BuildError(`esbuild: ${error instanceof Error ? error.message : String(error)}`);
  });
}

/** Hands modules to esbuild as they are to be bundled. */
function sources(footings: Footings): Plugin {
  return {
    name: 'sources',
    setup(bundling) {
      bundling.onLoad({ filter: /\.(?:ts|m?js)$/ }, async ({ path: file }) => {
        const footing = footings.get(path.relative(ROOT, file).replaceAll(path.sep, '/')) ?? '';
        const loader: Loader = file.endsWith('.ts') ? 'ts' : 'js';
        const source = await readFile(file, 'utf8');
        return { contents: footing + withoutBuiltinImports(withBundledRequires(source)), loader };
      });
    },
  };
}

/** What is loaded within a call is in the bundle, too, and set up by the call. */
function withBundledRequires(source: string): string {
  return source.replaceAll("createRequire(import.meta.url)('./", "require('./");
}
