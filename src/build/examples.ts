/** Packs files that the sources are not written in: examples for users, templates, scripts and style sheets of pages. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import examples from '../monitor/examples/examples.json' with { type: 'json' };
import { readSource, ROOT, writeOutput } from './output.ts';

/** The examples for a monitor's operation: by name, their files as `{ name, text }`. */
async function examplesByName(): Promise<object> {
  const read = async (file: string): Promise<object> => {
    return { name: path.basename(file), text: await readSource(`src/monitor/examples/${file}`) };
  };
  const found = Object.entries(examples).map(
    async ([name, files]) => [name, await Promise.all(files.map(read))] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

/** Writes modules for the bundles: templates by their names without `.tmpl`, examples, a script as text, style sheets, SQL, the help, the API. */
export async function packModules(): Promise<void> {
  const write = (name: string, value: object): Promise<void> =>
    writeOutput(`src/generated/${name}.json`, JSON.stringify(value));
  const templates: Record<string, string> = {};
  for (const folder of ['src/cli/templates', 'src/hosting/templates', 'src/init/templates']) {
    for (const [name, text] of await textsIn(folder)) templates[path.basename(name, '.tmpl')] = text;
  }
  await write('templates', templates);
  await write('examples', await examplesByName());
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
