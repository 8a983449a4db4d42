/** Reads YAML and JSON with the position of every key and value. Loaded only when there is such a file. */
import type { Document, Node, Pair, YAMLError } from 'yaml';
import { isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { parseJson } from '../parse/json.ts';
import { position } from '../parse/position.ts';
import {
  fileProblem,
  keyOf,
  type ConfigProblem,
  type Expected,
  type Path,
  type Position,
  type ReadSource,
  type Source,
} from './problem.ts';

/** Aliases may be followed this often; more is a bomb. */
const MOST_ALIASES = 10_000;

/** No more duplicate keys are reported. */
const MOST_DUPLICATES = 20;

/** What the parser's codes mean to a reader; the rest is `yaml-syntax`. */
const KINDS: Readonly<Record<string, Extract<Expected['kind'], `yaml-${string}`>>> = {
  TAB_AS_INDENT: 'yaml-tab',
  BAD_INDENT: 'yaml-indent',
  BLOCK_AS_IMPLICIT_KEY: 'yaml-colon',
  BAD_SCALAR_START: 'yaml-character',
  BAD_DQ_ESCAPE: 'yaml-character',
  MULTIPLE_DOCS: 'yaml-documents',
  BAD_DIRECTIVE: 'yaml-tag',
  TAG_RESOLVE_FAILED: 'yaml-tag',
};

/** Reads a YAML text. Of a broken one only the first fault is reported: the others mostly follow from it. Never throws. */
export function readYaml(file: string, text: string): ReadSource {
  try {
    const lines = new LineCounter();
    const document = parse(text, lines);
    const at = (offset: number): Position => placeAt(lines, offset);
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) return broken(file, faultOf(fault, document), at);
    const alias = badAlias(document);
    if (alias !== null) return broken(file, { kind: 'yaml-alias', offset: alias }, at);
    return located(file, document, document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {}, at);
  } catch (error) {
    // RangeError: nested deeper than the stack. ReferenceError: too many aliases.
    const kind = error instanceof ReferenceError ? 'yaml-alias' : 'yaml-deep';
    return { ok: false, problems: [fileProblem(file, { kind }, { line: 1, column: 1 })] };
  }
}

/** Reads a JSON text: strictly, with YAML's positions, since JSON is YAML as well. Never throws. */
export function readJson(file: string, text: string): ReadSource {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const { code, offset } = parsed.problem;
    return { ok: false, problems: [fileProblem(file, { kind: `json-${code}` }, position(text, offset))] };
  }
  try {
    const lines = new LineCounter();
    return located(file, parse(text, lines), parsed.value, (offset) => placeAt(lines, offset));
  } catch {
    return { ok: true, source: { file, value: parsed.value, locate: () => ({ line: 1, column: 1 }) } };
  }
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed {
  // Duplicate keys are looked for below, where their names are known.
  return parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
}

function placeAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function broken(
  file: string,
  fault: { readonly kind: Extract<Expected['kind'], `yaml-${string}`>; readonly offset: number },
  at: (offset: number) => Position,
): ReadSource {
  return { ok: false, problems: [fileProblem(file, { kind: fault.kind }, at(fault.offset))] };
}

function located(
  file: string,
  document: Document.Parsed,
  value: unknown,
  at: (offset: number) => Position,
): ReadSource {
  const locate: Source['locate'] = (path, part) => at(offsetOf(document, path, part));
  const source: Source = { file, value, locate };
  const problems = duplicateKeys(document).map(({ path, offset }): ConfigProblem => {
    const { line, column } = at(offset);
    return { file, line, column, key: keyOf(path), expected: { kind: 'duplicate-key', name: String(path.at(-1)) } };
  });
  return problems.length === 0 ? { ok: true, source } : { ok: false, problems };
}

function faultOf(error: YAMLError, document: Document.Parsed) {
  // Where the stack ended says nothing of the text.
  if (error.code === 'RESOURCE_EXHAUSTION') return { kind: 'yaml-deep', offset: 0 } as const;
  // The parser shows where the text ended; the reader wants the quote that was left open.
  const quote = error.code === 'MISSING_CHAR' && error.message.includes('quote') ? lastQuote(document) : undefined;
  if (quote !== undefined) return { kind: 'yaml-quote', offset: quote } as const;
  // `*/5 * * * *` begins as an alias, and goes on as none.
  const alias = aliasAround(document, error.pos[0]);
  if (alias !== undefined) return { kind: 'yaml-character', offset: alias } as const;
  if (error.message.startsWith('Flow ')) return { kind: 'yaml-bracket', offset: error.pos[0] } as const;
  return { kind: KINDS[error.code] ?? 'yaml-syntax', offset: error.pos[0] } as const;
}

/** The offset of the alias that the text at `offset` was taken for a part of. */
function aliasAround(document: Document.Parsed, offset: number): number | undefined {
  let around: number | undefined;
  visit(document, {
    Alias: (_, { range }) => {
      if (range && range[0] <= offset && offset < range[2]) around = range[0];
    },
  });
  return around;
}

function lastQuote(document: Document.Parsed): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar: (_, { type, range }) => {
      if (type?.startsWith('QUOTE_') === true) offset = range?.[0];
    },
  });
  return offset;
}

/** The offset of the first alias without an anchor before it, or inside its own anchor; `null` when there is none. */
function badAlias(document: Document.Parsed): number | null {
  let bad: number | null = null;
  // An alias means the last anchor of its name that stands before it.
  const anchored = new Map<string, unknown>();
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
    Alias: (_, alias, ancestors) => {
      const target = anchored.get(alias.source);
      if (target !== undefined && !ancestors.some((ancestor) => ancestor === target)) return undefined;
      bad = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return bad;
}

function duplicateKeys(document: Document.Parsed): { readonly path: Path; readonly offset: number }[] {
  const found: { path: Path; offset: number }[] = [];
  visit(document, {
    Map: (_, map, ancestors) => {
      const seen = new Set<string>();
      for (const pair of map.items) {
        const name = keyName(pair);
        if (seen.has(name) && found.length < MOST_DUPLICATES)
          found.push({ path: [...pathOf([...ancestors, map]), name], offset: startOf(pair.key) ?? 0 });
        seen.add(name);
      }
    },
  });
  return found;
}

/** The way from the top to the last of `ancestors`. */
function pathOf(ancestors: readonly unknown[]): Path {
  return ancestors.flatMap((ancestor, index): Path => {
    if (isPair(ancestor)) return [keyName(ancestor)];
    return isSeq(ancestor) && index + 1 < ancestors.length ? [ancestor.items.indexOf(ancestors[index + 1])] : [];
  });
}

/** The offset of a key or value; that of the nearest one above where it is not in the text. */
function offsetOf(document: Document.Parsed, path: Path, part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [index, step] of path.entries()) {
    const inside = isAlias(node) ? node.resolve(document) : node;
    const pair = isMap(inside) ? inside.items.findLast((item) => keyName(item) === String(step)) : undefined;
    node = isSeq(inside) ? inside.items[Number(step)] : pair?.value;
    const keyed = pair !== undefined && ((part === 'key' && index === path.length - 1) || startOf(node) === undefined);
    const start = startOf(keyed ? pair.key : node);
    if (start === undefined) break;
    offset = start;
  }
  return offset;
}

function keyName(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? (node as Node).range?.[0] : undefined;
}
