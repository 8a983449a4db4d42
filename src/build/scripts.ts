/**
 * Makes scripts of the command line's modules, which `bin/docvitals.js` loads: of scripts, unlike modules, Node can keep
 * what has been compiled by the end of a run.
 */
import { createHash } from 'node:crypto';
import { transform } from 'esbuild';
import { BuildError } from './errors.ts';
import type { Files } from './facades.ts';

/**
 * What a module's function is called with: names that esbuild's CommonJS uses, the URL of its file, and what imports
 * from elsewhere. (A script may import by itself, but Node calls that experimental on standard error.)
 */
const PARAMETERS = 'exports,require,module,url,bring';

/** As esbuild writes what a file imports at its start, and what it exports. */
const STATIC_IMPORT = /(?:^|;)import(?:\{[^}]*\}from)?"\.\/([\w.-]+)"/g;
const EXPORTS = /export\{([^}]+)\};\n$/;

/** What is shorter is sooner read with what imports it than found, in UTF-16 code units. */
const SHORT = 2_048;

/**
 * The same files as scripts, whose names end in `.cjs`. Each is an object of functions by the paths of the modules that
 * they were: the file's own, and those of short files that it imports at its start.
 */
export async function asScripts(files: Files): Promise<Files> {
  const scripts = [...files].map(async ([name, text]) => {
    const short = importedBy(text).filter((imported) => (files.get(imported)?.length ?? SHORT) < SHORT);
    const functions = await Promise.all([name, ...short].map(async (one) => asFunction(one, files)));
    return [renamed(name), asScript(functions)] as const;
  });
  return new Map(await Promise.all(scripts));
}

const importedBy = (text: string): readonly string[] => [...text.matchAll(STATIC_IMPORT)].map(([, name = '']) => name);

const renamed = (name: string): string => name.replace(/\.js$/, '.cjs');

function asScript(functions: readonly string[]): string {
  const script = `({${functions.join(',')}})`;
  return `/*${createHash('sha256').update(script).digest('hex').slice(0, 16)}*/${script}\n`;
}

async function asFunction(name: string, files: Files): Promise<string> {
  const { code } = await transform(withExports(withRequires(files.get(name) ?? '', files)), {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify: true,
    charset: 'ascii',
    define: { 'import.meta.url': 'url' },
  });
  if (/\bimport\(/.test(code)) throw new BuildError(`${name} imports what is not in the bundle`);
  return `"./${renamed(name)}":function(${PARAMETERS}){"use strict";${code}}`;
}

/** With other files by their new names. A dynamic import loads at once: that it is late is all that is asked of it. */
function withRequires(text: string, files: Files): string {
  const linked = [...files.keys()].reduce(
    (left, name) =>
      left
        .replaceAll(`import("./${name}")`, `Promise.resolve().then(()=>require("./${renamed(name)}"))`)
        .replaceAll(`"./${name}"`, `"./${renamed(name)}"`),
    text,
  );
  return linked.replaceAll(/\bimport\((?!")/g, 'bring(');
}

/** With its exports as getters of one object: esbuild would define each of them twice. */
function withExports(text: string): string {
  const names = EXPORTS.exec(text)?.[1]?.split(',') ?? [];
  const getters = names.map((pair) => {
    const [local = '', name = local] = pair.split(' as ');
    return `get ${name}(){return ${local}}`;
  });
  return `module.exports={${getters.join(',')}};${text.replace(EXPORTS, '')}`;
}
