const MOST = 500;

const BETWEEN = /(?:[\s;\uFEFF]+|\/\/[^\n]*|\/\*[^]*?\*\/|(?:"use strict"|'use strict')(?=[\s;]))/y;
const STATEMENT =
  /(?:import|export)\s{0,50}(?:[^"'`;()=<>[\]]{1,50000}?from\s{0,50})?(?:"([^"\\\n]{1,2000})"|'([^'\\\n]{1,2000})')/y;
const LATER =
  /\bimport\(\s{0,20}(?:"(\.{1,2}\/[\w./@-]{1,300}\.m?js)"|'(\.{1,2}\/[\w./@-]{1,300}\.m?js)'|`(\.{1,2}\/[\w./@-]{1,300}\.m?js)`)\s{0,20}\)/g;
/** `index-BX3kd9Qa.js`, `chunk.4f2a91c0.js`: what a build makes, and no sample of code in a text. */
const HASHED = /[-.](?=[\w-]*[\dA-Z])[\w-]{8,64}\.m?js$/;

/** The strings of a list; what else a list may hold (an expression that gives an address) makes it none. */
const LIST = String.raw`\[((?:["'\x60][^"'\x60\\\n]{1,1000}["'\x60][\s,]{0,5}){0,5000})\]`;
/** Vite 5.2 and later: `const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=[…])))=>i.map(i=>d[i]);` and its forerunner. */
const MAP_CONSTANT = new RegExp(
  String.raw`(?:const|let|var)\s{1,5}__vite__(?:mapDeps|fileDeps)\s{0,5}=[^[;"'{}]{0,100}${LIST}[^;"'{}]{0,150};`,
  'y',
);
/** Vite 5.0 and 5.1, at the head or at the end: `function __vite__mapDeps(indexes) { if (!__vite__mapDeps.viteFileDeps) … }`. */
const MAP_FUNCTION = new RegExp(
  String.raw`function __vite__mapDeps\([\w$]{1,20}\)\s{0,5}\{[^["']{0,200}${LIST}[^"']{0,200}?__vite__mapDeps\.viteFileDeps\[[\w$]{1,20}\][\s);]{0,10}\}`,
  'y',
);

export type ModuleImports = ReturnType<typeof moduleImports>;

/**
 * The imports at a module's head (ES2025, 16.2.2), which bundlers put first, and the hashed chunks of its `import()`.
 * Not a parser: anything after the first other statement is not checked, so that no text is taken for code. Linear.
 */
export function moduleImports(text: string) {
  const later = new Set<string>();
  for (const [, ...urls] of text.matchAll(LATER)) {
    const url = urls.find((part) => part !== undefined);
    if (url !== undefined && HASHED.test(url) && later.size < MOST) later.add(url);
  }
  const start = gapAfter(text, 0);
  const map = mapAt(text, start) ?? mapAtEnd(text);
  const head = map !== null && map.start === start ? map.end : start;
  const [first, mapped] = [headOf(text, head), map?.files ?? []];
  const cut = first.length === MOST || later.size === MOST || mapped.length === MOST;
  return {
    /** URLs of the imports at its head, without those that an import map resolves: the module does not run without them. */
    first: [...new Set(first)].filter((specifier) => /^(?:\.{0,2}\/|https?:)/.test(specifier)),
    /** Chunks that it loads later, as builds name them: relative, with a hash. */
    later: [...later],
    /** Preloaded by Vite: relative to the module where they begin with a dot, otherwise to the base path of the build. */
    mapped,
    ...(cut ? { cut } : {}),
  };
}

function gapAfter(text: string, at: number): number {
  let end = at;
  BETWEEN.lastIndex = at;
  while (BETWEEN.test(text)) end = BETWEEN.lastIndex;
  return end;
}

function mapAtEnd(text: string): ReturnType<typeof mapAt> {
  const map = mapAt(text, Math.max(0, text.lastIndexOf('function __vite__mapDeps(')));
  return map !== null && gapAfter(text, map.end) === text.length ? map : null;
}

function mapAt(text: string, at: number) {
  for (const form of [MAP_CONSTANT, MAP_FUNCTION]) {
    form.lastIndex = at;
    const [whole, list] = form.exec(text) ?? [];
    if (whole === undefined || list === undefined) continue;
    const files = [...list.matchAll(/["'`]([^"'`]+)["'`]/g)].map(([, file = '']) => file);
    return { start: at, end: at + whole.length, files: [...new Set(files)].slice(0, MOST) };
  }
  return null;
}

function headOf(text: string, start: number): readonly string[] {
  const found: string[] = [];
  for (let at = start; found.length < MOST; at = STATEMENT.lastIndex) {
    STATEMENT.lastIndex = gapAfter(text, at);
    const [, double, single] = STATEMENT.exec(text) ?? [];
    const specifier = double ?? single;
    if (specifier === undefined) break;
    found.push(specifier);
  }
  return found;
}
