/**
 * Packs `checks/<id>/<language>.md` into `dist/texts/<language>.json`, so that the command reads no Markdown when it
 * starts, and one language only.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { LANGUAGES, packed, type Page } from '../texts.ts';
import { BuildError } from './errors.ts';
import { readSource, ROOT, writeOutput } from './output.ts';
import { readPage, TextError } from './page.ts';

/** Reads every page of every language and writes one JSON file a language. Returns the files it wrote into `dist`. */
export async function buildTexts(): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, 'checks'), { withFileTypes: true });
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  const mistakes: string[] = [];
  const written = await Promise.all(
    LANGUAGES.map(async (language) => {
      const pages = await Promise.all(folders.map((id) => readFolder(id, language, mistakes)));
      return writeOutput(`dist/texts/${language}.json`, packed(pages.flatMap((page) => (page ? [page] : []))));
    }),
  );
  if (mistakes.length > 0) throw new BuildError(`texts:\n${mistakes.toSorted().join('\n')}`);
  return written;
}

async function readFolder(id: string, language: string, mistakes: string[]): Promise<[string, Page] | undefined> {
  const file = `checks/${id}/${language}.md`;
  if (!existsSync(path.join(ROOT, file))) {
    mistakes.push(`${file}: missing; every folder of checks/ has its texts in ${LANGUAGES.join(', ')}`);
    return undefined;
  }
  try {
    return [id, readPage(await readSource(file), { degraded: id !== 'common' })];
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    mistakes.push(...error.mistakes.map(({ line, message }) => `${file}:${line}: ${message}`));
    return undefined;
  }
}
