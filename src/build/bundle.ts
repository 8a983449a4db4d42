/**
 * Bundles the command line, the library with its types, the worker of both, and the Action. The command line is split along its dynamic imports, so that a
 * run reads and compiles only what it uses. The Action is one file, and one for uploads.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, type InputOptions, type OutputOptions } from 'rolldown';
import { BuildError, readSource, ROOT, writeOutput } from './output.ts';
import { LANGUAGES } from '../locales/language.ts';

interface Target {
  readonly input: NonNullable<InputOptions['input']>;
  readonly folder: string;
  readonly define?: Readonly<Record<string, string>>;
  readonly alias?: typeof HTTP_1_ONLY;
  readonly output: OutputOptions;
}

/**
 * CommonJS: an ES module that imports one of Node's own modules gets all its exports evaluated, `process.stdin` and the
 * streams of `node:fs` included, which takes a fifth of the time of a one-shot command.
 */
const COMMAND_LINE: Target = {
  input: { cli: 'src/cli/main.ts' },
  folder: 'dist',
  output: {
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'cli-[name]-[hash].cjs',
    // What each check of a site needs is one file, and what its report does is another: finding a file takes longer than
    // reading it.
    codeSplitting: {
      groups: [
        { name: 'core', test: /[\\/]src[\\/]cli[\\/](?:main|check|program)\.ts$/ },
        { name: 'pretty', test: /[\\/]src[\\/]report[\\/]pretty\.ts$/ },
      ],
    },
  },
};

function oneFile(input: string, file: string): Target {
  const { dir: folder, name, ext } = path.parse(file);
  const output: OutputOptions = { format: 'esm', entryFileNames: `[name]${ext}`, codeSplitting: false };
  return { input: { [name]: input }, folder, output };
}

/** Separate, without anything else that the command line needs: a thread starts with as little as possible. */
const WORKER = oneFile('src/parse/worker.ts', 'dist/worker.js');

/** The thread that ends a blocked monitor. */
const WATCHDOG = oneFile('src/monitor/engine/watchdog-thread.ts', 'dist/watchdog-thread.js');

/** One file with everything in it, so that who installs docvitals installs no other package. */
const LIBRARY = oneFile('src/index.ts', 'dist/index.js');

/** `.mjs`: no package.json is beside it. */
const ACTION = oneFile('src/action/main.ts', 'dist/action/index.mjs');

/** GitHub's client is nearly as large as the rest of the Action, and most jobs upload nothing. */
const ARTIFACT = oneFile('src/action/artifact-worker.ts', 'dist/action/artifact.mjs');

/** docvitals' own client speaks no HTTP/2, for which undici loads `node:http2`: a tenth of the time of a check. */
const HTTP_1_ONLY = { './client-h2.js': false } as const;

/** @throws BuildError with rolldown's messages */
export async function bundlePackage(): Promise<void> {
  const define = await defines();
  const targets = [COMMAND_LINE, LIBRARY, WORKER, WATCHDOG].map((target) => ({
    ...target,
    define,
    alias: HTTP_1_ONLY,
  }));
  await bundleAll('dist', targets);
}

/**
 * Bundles the Action: one file with the texts of all languages, which have to be built, that starts its own threads, and
 * the file of the thread that uploads artifacts. @throws BuildError with rolldown's messages
 */
export async function bundleAction(): Promise<void> {
  const texts = await Promise.all(
    LANGUAGES.map(async (language) => [language, await readSource(`dist/texts/${language}.json`)]),
  );
  const define = {
    ...(await defines()),
    DOCVITALS_TEXTS: JSON.stringify(Object.fromEntries(texts)),
    DOCVITALS_ONE_FILE: 'true',
  };
  await bundleAll('dist/action', [{ ...ACTION, define, alias: HTTP_1_ONLY }, ARTIFACT]);
  await Promise.all(BESIDE_ACTION.map(copyPackage));
}

/** Bundles several targets, and writes the licences of what is in them beside them. */
async function bundleAll(folder: string, targets: readonly Target[]): Promise<void> {
  const files = await Promise.all(targets.map(bundle));
  await writeOutput(`${folder}/THIRD-PARTY-LICENSES.txt`, await licensesOf(files.flat()));
}

/** What the Action has beside its file, because no package is installed for it: without documentation and tools. */
const BESIDE_ACTION = ['playwright-core', 'axe-core'];
const NOT_USED = /^(?:types|lib\/vite|lib\/tools|locales|doc)(?:\/|$)|\.(?:d\.ts|map)$|^axe\.js$/;

async function copyPackage(name: string): Promise<void> {
  const source = path.join(ROOT, 'node_modules', name);
  const target = `dist/action/node_modules/${name}`;
  const isUsed = (file: string): boolean => !NOT_USED.test(path.relative(source, file).replaceAll(path.sep, '/'));
  await cp(source, path.join(ROOT, target), { recursive: true, filter: isUsed });
}

async function defines(): Promise<Record<string, string>> {
  const { version, homepage, repository } = JSON.parse(await readSource('package.json')) as Record<string, unknown>;
  // undici leaves out its experimental parser where `esbuildDetection` is defined.
  return { DOCVITALS_PACKAGE: JSON.stringify({ version, homepage, repository }), esbuildDetection: 'true' };
}

/**
 * Bundles an entry and everything it imports. Returns the files that the bundle was made of, as paths from the root with
 * forward slashes. @throws BuildError with rolldown's messages
 */
async function bundle({ input, folder, define = {}, alias, output }: Target): Promise<readonly string[]> {
  const bundled = await build({
    input,
    // Optional: it is loaded where it is installed beside docvitals and needed.
    external: ['playwright-core'],
    cwd: ROOT,
    platform: 'node',
    resolve: {
      // `module` first: jsonc-parser's `main` is UMD, which cannot be bundled.
      mainFields: ['module', 'main'],
      symlinks: false,
      ...(alias && { alias }),
    },
    transform: { define: { ...define }, target: 'node22' },
    onLog(level, { message }) {
      // Such as an import that leads to no file, which would fail where docvitals is installed.
      if (level === 'warn') throw new BuildError(message);
    },
    output: { ...output, minify: true, comments: false },
    write: false,
  }).catch((error: unknown) => {
    throw new BuildError(`rolldown: ${error instanceof Error ? error.message : String(error)}`);
  });
  const chunks = bundled.output.filter((file) => file.type === 'chunk');
  await Promise.all(chunks.map(({ fileName, code }) => writeOutput(`${folder}/${fileName}`, code)));
  // What rolldown puts in itself is named with a null byte.
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => !id.startsWith('\0'));
  return modules.map((file) => path.relative(ROOT, file).replaceAll(path.sep, '/'));
}

/** The notices of every package that has a file in the bundle: most licences ask that theirs goes with every copy. */
async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const notices = await Promise.all([...new Set(folders)].toSorted().map(notice));
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}

async function notice(folder: string): Promise<string> {
  const manifest = JSON.parse(await readSource(`${folder}/package.json`)) as Partial<Record<string, string>>;
  const { name, version, license = 'see its package' } = manifest;
  const file = (await readdir(path.join(ROOT, folder))).find((entry) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(entry));
  const text = file === undefined ? '' : `\n${(await readSource(`${folder}/${file}`)).trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');
const IMPORTED = /(?:from |import\()['"](\.[^'"]+)['"]/g;

/** Declares the library (`dist/types`): what tsc emits of the sources, as far as `src/index.ts` exports it. @throws BuildError with tsc's own lines */
export async function declareLibrary(): Promise<void> {
  const emitted = await mkdtemp(path.join(ROOT, 'node_modules/.declarations-'));
  try {
    const args = [TSC, '-p', 'tsconfig.build.json', '--outDir', emitted, '--pretty', 'false'];
    await promisify(execFile)(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 26 }).catch(
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
        throw new BuildError(`tsc:\n${stdout}${stderr}`);
      },
    );
    const reached = new Set(['src/index.d.ts']);
    // What is added meanwhile is visited, too.
    for (const file of reached) {
      const text = await readFile(path.join(emitted, file), 'utf8');
      await writeOutput(`dist/types/${file}`, text);
      for (const [, specifier = ''] of text.matchAll(IMPORTED)) {
        const imported = path.posix.join(path.posix.dirname(file), specifier);
        reached.add(imported.replace(/(?:\.d)?\.[cm]?[jt]s$/, '.d.ts'));
      }
    }
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}
