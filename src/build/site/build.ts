/** Makes the documentation site: `docs/`, the engine from its package, and the pages that the code is the source of. */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES } from '../../texts.ts';
import { ROOT } from '../output.ts';
import { generatedPages } from './pages.ts';
import { withAbsoluteLinks, withIndex } from './links.ts';

/** What a browser loads of docsify, by its name in the folder `vendor` of the site. */
const VENDOR: Readonly<Record<string, string>> = {
  'docsify.min.js': 'dist/docsify.min.js',
  'search.min.js': 'dist/plugins/search.min.js',
  'core.min.css': 'dist/themes/core.min.css',
  'core-dark.min.css': 'dist/themes/addons/core-dark.min.css',
  LICENSE: 'LICENSE',
};

/**
 * Replaces `target` with the site; until it is complete, what was there before stays. `url`: where it will be, for links
 * that agents can follow from a copy of a page; without it the site works at any address.
 */
export async function buildSite(target: string, url: URL | null = null): Promise<void> {
  const part = `${target}.${process.pid}.part`;
  await rm(part, { recursive: true, force: true });
  await cp(path.join(ROOT, 'docs'), part, { recursive: true });
  for (const [name, file] of Object.entries(VENDOR)) {
    await cp(path.join(ROOT, 'node_modules/docsify', file), path.join(part, 'vendor', name));
  }
  for (const language of LANGUAGES) {
    for (const [name, text] of await generatedPages(language)) {
      const file = path.join(part, language === 'en' ? '' : language, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
  await completePages(part, url);
  await rm(target, { recursive: true, force: true });
  await mkdir(path.dirname(target), { recursive: true });
  await rename(part, target);
}

async function completePages(folder: string, url: URL | null): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const pages = names
    .map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => name === 'llms.txt' || (name.endsWith('.md') && !/(?:^|\/)navigation\.md$/.test(name)));
  for (const page of pages) {
    const file = path.join(folder, page);
    const text = await readFile(file, 'utf8');
    const linked = url === null ? text : withAbsoluteLinks(text, new URL(page, url));
    await writeFile(file, page === 'llms.txt' ? linked : withIndex(page, linked));
  }
}
