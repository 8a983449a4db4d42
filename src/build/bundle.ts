/** Bundles the command line, its worker and the Action, each with all that it needs in one file, so that it starts quickly. */
import { build, type BuildOptions, type Metafile } from 'esbuild';
import packageJson from '../../package.json' with { type: 'json' };
import { BuildError } from './errors.ts';
import { readSource, ROOT, writeOutput } from './output.ts';
import { licensesOf } from './licenses.ts';
import { LANGUAGES } from '../texts.ts';

const ENTRIES: Readonly<Record<string, string>> = {
  'dist/cli.js': 'src/cli/main.ts',
  'dist/markdown-worker.js': 'src/parse/markdown-worker.ts',
};

/** `.mjs`: beside it there is nothing that says what kind of module it is. */
const ACTION = { outfile: 'dist/action/index.mjs', entry: 'src/action/main.ts' };

interface Bundle {
  readonly outfile: string;
  readonly metafile: Metafile;
}

const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node22',
  format: 'esm',
  // One file: what is imported dynamically is in it too, but is evaluated only when it is asked for.
  splitting: false,
  minify: true,
  charset: 'utf8',
  // The licences of what is bundled are in THIRD-PARTY-LICENSES.txt.
  legalComments: 'none',
  // `module` first: jsonc-parser's `main` is UMD, which cannot be bundled.
  mainFields: ['module', 'main'],
  // The CommonJS packages among the dependencies `require` Node's own modules.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  define: { DOCVITALS_VERSION: JSON.stringify(packageJson.version) },
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Returns the files it wrote, as paths from the root. @throws BuildError with esbuild's messages. */
export async function bundleCommandLine(): Promise<string[]> {
  const define = await versionDefine();
  const bundles = await Promise.all(
    Object.entries(ENTRIES).map(async ([outfile, entry]) =>
      bundle({ ...OPTIONS, define, entryPoints: [entry], outfile }),
    ),
  );
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const licenses = await writeOutput('dist/THIRD-PARTY-LICENSES.txt', await licensesOf(inputs));
  return [...bundles.map(({ outfile }) => outfile), licenses];
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
  const { outfile, metafile } = await bundle({
    ...OPTIONS,
    define,
    entryPoints: [ACTION.entry],
    outfile: ACTION.outfile,
  });
  const licenses = await licensesOf(Object.keys(metafile.inputs));
  return [outfile, await writeOutput('dist/action/THIRD-PARTY-LICENSES.txt', licenses)];
}

async function versionDefine(): Promise<{ readonly DOCVITALS_VERSION: string }> {
  const { version } = JSON.parse(await readSource('package.json')) as { version: string };
  return { DOCVITALS_VERSION: JSON.stringify(version) };
}

async function bundle(options: typeof OPTIONS & BuildOptions & { outfile: string }): Promise<Bundle> {
  const result = await build(options).catch((error: unknown) => {
    throw new BuildError(`esbuild: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const { text, location } of result.warnings) {
    console.warn(`build: ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
  }
  const [output] = result.outputFiles;
  if (!output) throw new BuildError(`esbuild: nothing came out for ${options.outfile}`);
  return { outfile: await writeOutput(options.outfile, output.text), metafile: result.metafile };
}
