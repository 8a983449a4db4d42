/** The files of the product and what each imports, for the tests and figures of its structure. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '..');

export interface Import {
  /** Path of the importing file from the root. */
  readonly from: string;
  /** Path of the imported file from the root, or a package's name. */
  readonly to: string;
  /** Whether only types are imported: nothing is left of it at run time. */
  readonly typeOnly: boolean;
  /** Whether it is imported only when it is requested. */
  readonly lazy: boolean;
}

/** Static imports and re-exports begin a line (the formatter sees to it); dynamic ones and workers name their file as a literal. */
const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[\w*{}\s,$]+?\sfrom\s+)?'([^']+)'/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

function importsOf(from: string): Import[] {
  const source = readFileSync(path.join(ROOT, from), 'utf8');
  const resolve = (specifier: string): string =>
    specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : packageOf(specifier);
  return [
    ...[...source.matchAll(STATEMENT)].map(([, type, specifier = '']) => ({
      from,
      to: resolve(specifier),
      typeOnly: type !== undefined,
      lazy: false,
    })),
    ...[...source.matchAll(DYNAMIC)].map(([, specifier = '']) => {
      return { from, to: resolve(specifier), typeOnly: false, lazy: true };
    }),
  ];
}

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/** The source files of the product, as paths from the root: no tests, fixtures or generated files. */
export const files = globSync(['src/**/*.{ts,cts}', 'checks/**/*.ts', 'bin/*.js'], { cwd: ROOT })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !/\.test\.ts$|\/fixtures\/|^src\/generated\//.test(file))
  .toSorted();

export const imports: readonly Import[] = files.flatMap(importsOf);

/** The imports of one product file by another. */
export const inside: readonly Import[] = imports.filter(({ to }) => /^(?:src|checks)\//.test(to));

/** The text of a product file. */
export function sourceOf(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** A file and everything that it imports; `lazy`: also what is imported only when needed. */
export function closureOf(start: string, { lazy }: { readonly lazy: boolean }): string[] {
  const reached = new Set([start]);
  for (const file of reached) {
    for (const each of inside) if (each.from === file && !each.typeOnly && (lazy || !each.lazy)) reached.add(each.to);
  }
  return [...reached];
}
