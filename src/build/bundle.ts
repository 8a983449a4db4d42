/** Bundles the command line and its worker, each with all that it needs in one file, so that it starts quickly. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { build, type BuildOptions, type Metafile } from 'esbuild';
import { BuildError } from './errors.ts';
import { ROOT, writeOutput } from './output.ts';
import { licensesOf } from './licenses.ts';

const ENTRIES: Readonly<Record<string, string>> = {
  'dist/cli.js': 'src/cli/main.ts',
  'dist/markdown-worker.js': 'src/parse/markdown-worker.ts',
};

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
  metafile: true,
  write: false,
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** Returns the files it wrote, as paths from the root. @throws BuildError with a line for each of esbuild's messages. */
export async function bundleCommandLine(): Promise<string[]> {
  const bundles = await Promise.all(
    Object.entries(ENTRIES).map(async ([outfile, entry]) => {
      if (!existsSync(path.join(ROOT, entry))) {
        console.log(`build: ${entry} is not there yet; ${outfile} is not built`);
        return undefined;
      }
      return bundle(entry, outfile);
    }),
  );
  const made = bundles.filter((result) => result !== undefined);
  const inputs = made.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const licenses = await writeOutput('dist/THIRD-PARTY-LICENSES.txt', await licensesOf(inputs));
  return [...made.map(({ outfile }) => outfile), licenses];
}

async function bundle(entry: string, outfile: string): Promise<{ outfile: string; metafile: Metafile }> {
  const result = await build({ ...OPTIONS, entryPoints: [entry], outfile }).catch((error: unknown) => {
    throw new BuildError(`esbuild: ${error instanceof Error ? error.message : String(error)}`);
  });
  for (const { text, location } of result.warnings) {
    console.warn(`build: ${location ? `${location.file}:${location.line}: ` : ''}${text}`);
  }
  const [output] = result.outputFiles;
  if (!output) throw new BuildError(`esbuild: ${entry} gave no output`);
  return { outfile: await writeOutput(outfile, output.text), metafile: result.metafile };
}
