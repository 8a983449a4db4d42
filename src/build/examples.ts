/** Packs files that the sources are not written in: examples for users, templates, scripts and style sheets of pages. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { EXAMPLES } from '../monitor/examples/examples.ts';
import { readSource, ROOT, writeOutput } from './output.ts';

/** Packs the examples for a monitor's operation into `dist/examples`. */
export async function packExamples(): Promise<void> {
  const files = Object.values(EXAMPLES).flat();
  await Promise.all(
    files.map(async (file) => writeOutput(`dist/examples/${file}`, await readSource(`src/monitor/examples/${file}`))),
  );
}

/** Writes modules for the bundles: templates by their names without `.tmpl`, a script as text, style sheets, SQL, the help, the API. */
export async function packModules(): Promise<void> {
  const write = (name: string, value: object): Promise<void> =>
    writeOutput(`src/generated/${name}.json`, JSON.stringify(value));
  const templates: Record<string, string> = {};
  for (const folder of ['src/cli/templates', 'src/hosting/templates', 'src/init/templates']) {
    for (const [name, text] of await textsIn(folder)) templates[path.basename(name, '.tmpl')] = text;
  }
  await write('templates', templates);
  const metrics = parse(await readSource('src/locales/metrics.yaml')) as Readonly<
    Record<string, { readonly en: string }>
  >;
  await write('metrics', Object.fromEntries(Object.entries(metrics).map(([name, { en }]) => [name, en])));
  await write('commands', parse(await readSource('src/cli/commands.yaml')) as object);
  const script = (await readSource('src/browser/in-page.js')).replace(/^\s*\/\*[^]*?\*\/\s*/, '').replace(/;\s*$/, '');
  await write('in-page', { script });
  const migrations = async (store: string): Promise<string[]> =>
    (await textsIn(`src/monitor/store/${store}/migrations`)).map(([, sql]) => sql);
  await write('sql', {
    sqlite: await migrations('sqlite'),
    postgres: await migrations('postgres'),
    runnerPrivileges: await readSource('src/monitor/fleet/runner-privileges.sql'),
  });
  const shared = await readSource('src/report/html/shared.css');
  const styles = async (file: string): Promise<string> =>
    `${shared}${await readSource(file)}`
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s*\n\s*/g, '\n')
      .trimStart();
  const report = await styles('src/report/html/report.css');
  const api = parse(await readSource('src/monitor/server/openapi.yaml'), { merge: true }) as Record<string, unknown>;
  await write('openapi', { ...api, 'x-shared': undefined });
  await write('styles', { report, page: await styles('src/monitor/page/page.css') });
}

/** The files of a folder by their names, in order. */
async function textsIn(folder: string): Promise<readonly (readonly [name: string, text: string])[]> {
  const names = (await readdir(path.join(ROOT, folder))).toSorted();
  return Promise.all(names.map(async (name) => [name, await readSource(`${folder}/${name}`)] as const));
}
