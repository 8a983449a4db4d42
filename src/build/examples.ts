/** Packs files that the command writes for users, and the styles of its pages. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { EXAMPLES } from '../monitor/examples/examples.ts';
import { BuildError, readSource, ROOT, writeOutput } from './output.ts';

/**
 * Packs the examples for a monitor's operation into `dist/examples`, so that they are not in the bundle. Returns the
 * files it wrote, as paths from the root. @throws BuildError for a file that is declared and not there.
 */
export async function packExamples(): Promise<string[]> {
  return Promise.all(
    Object.values(EXAMPLES)
      .flat()
      .map(async (file) => {
        const text = await readSource(`src/monitor/examples/${file}`).catch(() => {
          throw new BuildError(`examples: src/monitor/examples/${file} is declared, but is not there`);
        });
        return writeOutput(`dist/examples/${file}`, text);
      }),
  );
}

/** Collects the templates of workflows and of hosts' configuration in one module, by their names without `.tmpl`. */
export async function packTemplates(): Promise<void> {
  const files = await Promise.all(
    ['src/hosting/templates', 'src/init/templates'].map(async (folder) =>
      (await readdir(path.join(ROOT, folder))).toSorted().map((name) => `${folder}/${name}`),
    ),
  );
  const entries = files.flat().map(async (file) => [path.basename(file, '.tmpl'), await readSource(file)] as const);
  await writeOutput('src/generated/templates.json', JSON.stringify(Object.fromEntries(await Promise.all(entries))));
}

/** Packs what runs in the pages of a browser, as the text of a function. */
export async function packInPage(): Promise<void> {
  const code = await readSource('src/browser/in-page.js');
  const script = code.replace(/^\s*\/\*[^]*?\*\/\s*/, '').replace(/;\s*$/, '');
  await writeOutput('src/generated/in-page.json', JSON.stringify({ script }));
}

/** Collects the style sheets of the HTML report and of the status page, without comments and indentation. */
export async function packStyles(): Promise<void> {
  const [shared = '', report = '', page = ''] = await Promise.all(
    ['src/report/html/shared.css', 'src/report/html/report.css', 'src/monitor/page/page.css'].map(readSource),
  );
  const packed = (own: string): string =>
    `${shared}${own}`
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/\s*\n\s*/g, '\n')
      .trimStart();
  await writeOutput('src/generated/styles.json', JSON.stringify({ report: packed(report), page: packed(page) }));
}
