/** The examples as they lie in the project. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../src/monitor/examples/', import.meta.url));

/** The text of a file, by its path in the folder of the examples. */
export const textOf = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');

/** All that is no code of ours, with forward slashes. */
export const files = globSync('*/**', { cwd: FOLDER, withFileTypes: true })
  .filter((entry) => entry.isFile() && !entry.name.endsWith('.ts'))
  .map((entry) => path.relative(FOLDER, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
  .toSorted();

/** What JSON can carry. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };
export type Mapping = { readonly [key: string]: Value };

/** The documents of a YAML file; throws where it is none, or a key is there twice. */
export function documentsOf(file: string): readonly Mapping[] {
  return parseAllDocuments(textOf(file), { version: '1.1', uniqueKeys: true }).map((document) => {
    const [mistake] = document.errors;
    if (mistake !== undefined) throw mistake;
    return document.toJS() as Mapping;
  });
}

/** What lies at a path of a value; `undefined` where there is nothing. */
export function at(value: Value | undefined, ...keys: readonly (string | number)[]): Value | undefined {
  return keys.reduce<Value | undefined>((inner, key) => (inner as Mapping | undefined)?.[String(key)], value);
}
