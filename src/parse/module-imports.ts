/** Reads which other modules a built JavaScript module loads. Pure. */

export interface ModuleImports {
  /** URLs of the imports at its head, without those that an import map resolves: the module does not run without them. */
  readonly first: readonly string[];
  /** Chunks that it loads later, as builds name them: relative, with a hash. */
  readonly later: readonly string[];
}

const MOST = 500;

const BETWEEN = /(?:[\s;\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/|(?:"use strict"|'use strict')(?=[\s;]))/y;
const STATEMENT =
  /(?:import|export)\s{0,50}(?:[^"'`;()=<>[\]]{1,50000}?from\s{0,50})?(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')/y;
const LATER =
  /\bimport\(\s{0,20}(?:"(\.{1,2}\/[\w./@-]{1,300}\.m?js)"|'(\.{1,2}\/[\w./@-]{1,300}\.m?js)'|`(\.{1,2}\/[\w./@-]{1,300}\.m?js)`)\s{0,20}\)/g;
/** `index-BX3kd9Qa.js`, `chunk.4f2a91c0.js`: what a build makes, and no sample of code in a text. */
const HASHED = /[-.](?=[\w-]*[\dA-Z])[\w-]{8,64}\.m?js$/;

/**
 * The imports at a module's head (ES2025, 16.2.2), which bundlers put first, and the hashed chunks of its `import()`.
 * Not a parser: what stands after the first other statement is not looked at, so that no text is taken for code. Linear.
 */
export function moduleImports(text: string): ModuleImports {
  const later = new Set<string>();
  for (const [, ...urls] of text.matchAll(LATER)) {
    const url = urls.find((part) => part !== undefined);
    if (url !== undefined && HASHED.test(url) && later.size < MOST) later.add(url);
  }
  return { first: headOf(text), later: [...later] };
}

function headOf(text: string): readonly string[] {
  const found: string[] = [];
  const between = new RegExp(BETWEEN);
  const statement = new RegExp(STATEMENT);
  for (let at = 0; found.length < MOST; at = statement.lastIndex) {
    between.lastIndex = at;
    for (let skip = between.exec(text); skip !== null; skip = between.exec(text)) at = between.lastIndex;
    statement.lastIndex = at;
    const [, double, single] = statement.exec(text) ?? [];
    const specifier = double ?? single;
    if (specifier === undefined) break;
    found.push(specifier);
  }
  return [...new Set(found)].filter((specifier) => /^(?:\.{0,2}\/|https?:)/.test(specifier));
}
