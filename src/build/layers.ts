/**
 * Which modules share a file of the command line. esbuild makes one for each set of modules that the same entries reach,
 * and every dynamic import is an entry: hundreds of small files, each of which takes longer to find than to read. What is
 * always loaded before an entry is therefore imported by it, which changes nothing when it runs, and puts all that the
 * same entries have below them into one file.
 */
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { ROOT } from './output.ts';

/** What is loaded one after the other, the first at start: the modules that a layer is all reached from. */
export type Layers = readonly (readonly string[])[];

/** The imports that are put before modules, by their path from the root. */
export type Footings = ReadonlyMap<string, string>;

/**
 * The footings of all that is imported dynamically.
 *
 * @param metafile of a build of the same entries without footings
 */
export function footingsOf({ inputs }: Metafile, layers: Layers): Footings {
  const reached = layers.map((roots) => closureOf(inputs, roots));
  const later = Object.values(inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external }) => kind === 'dynamic-import' && external !== true)
    .map(({ path: file }) => file);
  const footings = new Map<string, string>();
  for (const file of new Set([...later, ...layers.flat()])) {
    // An `import` would make another kind of module of it.
    if (inputs[file]?.format === 'cjs') continue;
    // What is in a layer itself stands on those below it, and beside what its own is reached from.
    const own = reached.findIndex((files) => files.has(file));
    const roots = (own === -1 ? layers : layers.slice(0, own + 1)).flat();
    footings.set(file, roots.map((root) => `import ${JSON.stringify(path.join(ROOT, root))};`).join(' '));
  }
  return footings;
}

/** All that some modules import statically, themselves included. */
function closureOf(inputs: Metafile['inputs'], roots: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [...roots];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { path: imported, kind } of inputs[file]?.imports ?? []) {
      if (kind !== 'dynamic-import' && inputs[imported] !== undefined) pending.push(imported);
    }
  }
  return reached;
}
