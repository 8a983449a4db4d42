/**
 * Makes scripts of the command line's modules, which `bin/load.js` loads: of scripts, unlike modules, Node can keep what
 * has been compiled by the end of a run.
 */
import { createHash } from 'node:crypto';
import { transform } from 'esbuild';
import type { Files } from './facades.ts';

/** What a script is called with: names that esbuild's CommonJS uses, and the URL of its file. */
const PARAMETERS = 'exports,require,module,url';

/** The same files as scripts, each a function. Their names end in `.cjs`. */
export async function asScripts(files: Files): Promise<Files> {
  const scripts = [...files].map(async ([name, text]) => [renamed(name), await asScript(withRequires(text, files))]);
  return new Map((await Promise.all(scripts)) as [string, string][]);
}

const renamed = (name: string): string => name.replace(/\.js$/, '.cjs');

/** Files that import each other by their new names, at once: that they are loaded late is all that is asked for. */
function withRequires(text: string, files: Files): string {
  return [...files.keys()].reduce(
    (linked, name) =>
      linked
        .replaceAll(`import("./${name}")`, `Promise.resolve().then(()=>require("./${renamed(name)}"))`)
        .replaceAll(`"./${name}"`, `"./${renamed(name)}"`),
    text,
  );
}

async function asScript(text: string): Promise<string> {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    minify: true,
    charset: 'ascii',
    define: { 'import.meta.url': 'url' },
  });
  const script = `(function(${PARAMETERS}){"use strict";${code}})`;
  return `/*${createHash('sha256').update(script).digest('hex').slice(0, 16)}*/${script}\n`;
}
