/** Finds and reads files of configuration. Loaded only when there is such a file, or one was given. */
import path from 'node:path';
import { lilconfig } from 'lilconfig';
import { SEARCH_PLACES } from './places.ts';

/** lilconfig finds and reads; what the text means is decided here, where its positions are known. */
const keep = (_: string, content: string): string => content;
const LOADERS = {
  '.yaml': keep,
  '.yml': keep,
  '.json': keep,
  '.ts': keep,
  '.js': keep,
  '.mjs': keep,
  // A file without an extension, as a shell's process substitution gives, is YAML.
  noExt: keep,
};
const PLAIN = { cache: false, ignoreEmptySearchPlaces: false };

/** A file that was found. */
interface FoundFile {
  readonly path: string;
  readonly text: string;
}

/** The first of the places in a folder; `null`: none is there. Rejects when it cannot be read. */
export async function searchFile(folder: string): Promise<FoundFile | null> {
  const options = { searchPlaces: SEARCH_PLACES, stopDir: folder, loaders: LOADERS, ...PLAIN };
  const found = await lilconfig('docvitals', options).search(folder);
  return found === null ? null : { path: found.filepath, text: textOf(found.config) };
}

/** Whether files of this name are configuration that can be read. */
export function isReadable(file: string): boolean {
  return Object.hasOwn(LOADERS, path.extname(file) || 'noExt');
}

/** The text of a file. Rejects when it cannot be read. */
export async function readFile(file: string): Promise<string> {
  const found = await lilconfig('docvitals', { loaders: LOADERS, ...PLAIN }).load(file);
  return textOf(found?.config);
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content.replace(/^\uFEFF/, '') : '';
}
