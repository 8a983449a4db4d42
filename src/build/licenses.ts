/** The licences of bundled packages: most of them ask that their notice goes with every copy. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './output.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * The notices of every package that has a file in the bundle, in the order of their names.
 *
 * @param inputs the bundled files, as paths from the root with forward slashes
 */
export async function licensesOf(inputs: readonly string[]): Promise<string> {
  const folders = inputs.flatMap((file) => {
    const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
    return folder === undefined ? [] : [folder];
  });
  const notices = await Promise.all([...new Set(folders)].toSorted().map(notice));
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}

async function notice(folder: string): Promise<string> {
  const full = path.join(ROOT, folder);
  const manifest = JSON.parse(await readFile(path.join(full, 'package.json'), 'utf8')) as Manifest;
  const file = (await readdir(full)).find((name) => /^licen[cs]e(?:\.(?:md|txt))?$/i.test(name));
  const text = file === undefined ? '' : `\n${(await readFile(path.join(full, file), 'utf8')).trim()}\n`;
  return `${manifest.name} ${manifest.version} (${manifest.license ?? 'see its package'})\n${text}`;
}
