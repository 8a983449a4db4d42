/**
 * `npm run build`: makes `src/generated/` and `dist/` from the sources. Nothing that it writes is committed.
 * First the words, which the sources import and the next steps with them; then what else they import; then what is
 * published. A build that is up to date ends at once. A step that fails reports each mistake in one line; the exit
 * status is 1.
 */
import path from 'node:path';
import { parse } from 'yaml';
import examples from '../monitor/examples/examples.json' with { type: 'json' };
import { bundleAction, bundlePackage, declareLibrary } from './bundle.ts';
import { digestOfSources, isBuiltFrom, saveDigest } from './digest.ts';
import { BuildError, emptyDist, readSource, textsIn, together, writeOutput } from './output.ts';
import { englishName } from '../report/texts.ts';
import { LANGUAGES } from '../locales/language.ts';
import { buildLocales, buildTexts } from './texts.ts';

function report(failure: unknown): void {
  if (failure instanceof AggregateError) for (const inner of failure.errors) report(inner);
  else if (failure instanceof BuildError) console.error(`build: ${failure.message}`);
  else console.error('build:', failure);
}

const pack = (name: string, value: object): Promise<void> =>
  writeOutput(`src/generated/${name}.json`, JSON.stringify(value));

/** Writes modules for the bundles: templates by their names without `.tmpl`, examples, a script as text, stylesheets, SQL, the help, the API. */
async function packModules(): Promise<void> {
  const templates: Record<string, string> = {};
  for (const folder of ['src/cli/templates', 'src/hosting/templates', 'src/init/templates']) {
    for (const [name, text] of await textsIn(folder)) templates[path.basename(name, '.tmpl')] = text;
  }
  await pack('templates', templates);
  await pack('examples', await examplesByName());
  await pack('hosting-guide', await hostingGuide());
  const metrics = parse(await readSource('src/locales/metrics.yaml')) as Record<string, { en: string; type?: string }>;
  const packed = Object.entries(metrics).map(([name, { en, type = 'gauge' }]) => [name, { help: en, type }] as const);
  await pack('metrics', Object.fromEntries(packed));
  await pack('commands', parse(await readSource('src/cli/commands.yaml')) as object);
  const script = (await readSource('src/browser/in-page.js')).replace(/^\s*\/\*[^]*?\*\/\s*/, '').replace(/;\s*$/, '');
  await pack('in-page', { script });
  const migrations = async (store: string): Promise<string[]> =>
    (await textsIn(`src/monitor/store/${store}/migrations`)).map(([, sql]) => sql);
  await pack('sql', {
    sqlite: await migrations('sqlite'),
    postgres: await migrations('postgres'),
    runnerFunctions: await readSource('src/monitor/fleet/runner-functions.sql'),
  });
  const api = parse(await readSource('src/monitor/server/openapi.yaml'), { merge: true }) as object;
  await pack('openapi', { ...api, 'x-shared': undefined });
  await pack('styles', {
    report: await styles('src/report/html/report.css'),
    page: await styles('src/monitor/page/page.css'),
  });
}

/** The sections of the hosting guide: by language, then by the English name of the host. Links stay as their text. */
async function hostingGuide(): Promise<object> {
  const sections = LANGUAGES.map(async (language) => {
    const folder = language === 'en' ? '' : `${language}/`;
    const [, ...parts] = (await readSource(`docs/${folder}guides/hosting.md`)).split(/^## /m);
    const entries = parts.map((part) => {
      const [heading = ''] = part.split('\n', 1);
      return [englishName(heading), `# ${part.trim().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')}\n`];
    });
    return [language, Object.fromEntries(entries) as object] as const;
  });
  return Object.fromEntries(await Promise.all(sections));
}

/** The examples for a monitor's operation: by name, their files as `{ name, text }`. */
async function examplesByName(): Promise<object> {
  const read = async (file: string): Promise<object> => {
    return { name: path.basename(file), text: await readSource(`src/monitor/examples/${file}`) };
  };
  const byName: Record<string, object> = {};
  for (const [name, files] of Object.entries(examples)) byName[name] = await Promise.all(files.map(read));
  return byName;
}

/** The stylesheet of a page after the one that all share, without comments and indentation. */
async function styles(file: string): Promise<string> {
  const both = `${await readSource('src/report/html/shared.css')}${await readSource(file)}`;
  return both
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trimStart();
}

async function build(): Promise<void> {
  await buildLocales();
  const { buildSchemas } = await import('./schemas.ts');
  await emptyDist();
  await together<unknown>([buildTexts(), buildSchemas(), packModules()]);
  await together<unknown>([bundlePackage(), bundleAction(), declareLibrary(), publishApi()]);
}

/** The description of the API, as a monitor returns it in English. */
async function publishApi(): Promise<void> {
  const { apiDocument } = await import('../monitor/server/api.ts');
  await writeOutput('dist/schema/api.json', `${JSON.stringify(apiDocument('en'), null, 2)}\n`);
}

const started = performance.now();
try {
  const digest = await digestOfSources();
  if (await isBuiltFrom(digest)) {
    console.log('dist is up to date');
  } else {
    await build();
    await saveDigest(digest);
    console.log(`built dist in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
} catch (failure) {
  report(failure);
  process.exitCode = 1;
}
