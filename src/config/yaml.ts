/** Reads YAML and JSON with the position of every key and value. Loaded only when there is such a file. */
import type { Document, Node, Pair, Range, YAMLError } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { parseJson } from '../parse/json.ts';
import { position, type Position } from '../parse/position.ts';
import { ConfigError, fileError, keyOf, type Expected, type Path, type Source } from './problem.ts';

/** Aliases may be followed this often; more is a bomb. */
const MOST_ALIASES = 10_000;

const MOST_DUPLICATES = 20;

type YamlKind = Extract<Expected['kind'], `yaml-${string}`>;

/** What the parser's codes mean to a reader; the rest is `yaml-syntax`. */
const KINDS: Readonly<Record<string, YamlKind>> = {
  TAB_AS_INDENT: 'yaml-tab',
  BAD_INDENT: 'yaml-indent',
  BLOCK_AS_IMPLICIT_KEY: 'yaml-colon',
  BAD_SCALAR_START: 'yaml-character',
  BAD_DQ_ESCAPE: 'yaml-character',
  MULTIPLE_DOCS: 'yaml-documents',
  BAD_DIRECTIVE: 'yaml-tag',
  TAG_RESOLVE_FAILED: 'yaml-tag',
};

/**
 * Reads a YAML text. Throws a `ConfigError`; of a broken text it has only the first fault: the others mostly follow from it.
 */
export function readYaml(file: string, text: string): Source {
  const lines = new LineCounter();
  const broken = ({ kind, offset }: Fault): ConfigError => fileError(file, { kind }, positionAt(lines, offset));
  try {
    const document = parse(text, lines);
    const error = document.errors[0] ?? document.warnings[0];
    const fault = error === undefined ? badAlias(document) : faultOf(error, document);
    if (fault !== null) throw broken(fault);
    return located(file, document, document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {}, lines);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // RangeError: nested deeper than the stack. ReferenceError: too many aliases.
    throw broken({ kind: error instanceof ReferenceError ? 'yaml-alias' : 'yaml-deep', offset: 0 });
  }
}

/** Reads a JSON text: strictly, with YAML's positions, since JSON is YAML as well. Throws a `ConfigError`. */
export function readJson(file: string, text: string): Source {
  const parsed = parseJson(text);
  if (!parsed.ok) {
    const { code, offset } = parsed.problem;
    throw fileError(file, { kind: `json-${code}` }, position(text, offset));
  }
  try {
    const lines = new LineCounter();
    return located(file, parse(text, lines), parsed.value, lines);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return { file, value: parsed.value, locate: () => ({ line: 1, column: 1 }) };
  }
}

function parse(text: string, lineCounter: LineCounter): Document.Parsed {
  return parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    uniqueKeys: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

function located(file: string, document: Document.Parsed, value: unknown, lines: LineCounter): Source {
  const problems = duplicateKeys(document.contents, []).map(({ path, offset }) => ({
    file,
    ...positionAt(lines, offset),
    key: keyOf(path),
    expected: { kind: 'duplicate-key' as const, name: String(path.at(-1)) },
  }));
  if (problems.length > 0) throw new ConfigError(problems.slice(0, MOST_DUPLICATES));
  return { file, value, locate: (path, part) => positionAt(lines, offsetOf(document, path, part)) };
}

interface Fault {
  readonly kind: YamlKind;
  readonly offset: number;
}

function faultOf({ code, message, pos: [offset] }: YAMLError, document: Document.Parsed): Fault {
  // Where the stack ended says nothing of the text.
  if (code === 'RESOURCE_EXHAUSTION') return { kind: 'yaml-deep', offset: 0 };
  // The parser shows where the text ended; the reader wants the quote that was left open.
  const isQuoted = (node: Node): boolean => isScalar(node) && node.type?.startsWith('QUOTE_') === true;
  const quote = code === 'MISSING_CHAR' && message.includes('quote') ? lastOffset(document, isQuoted) : undefined;
  if (quote !== undefined) return { kind: 'yaml-quote', offset: quote };
  // `*/5 * * * *` begins like an alias, but is not one.
  const isAround = ([start, , end]: Range): boolean => start <= offset && offset < end;
  const alias = lastOffset(document, (node) => isAlias(node) && isAround(node.range ?? [0, 0, 0]));
  if (alias !== undefined) return { kind: 'yaml-character', offset: alias };
  return { kind: message.startsWith('Flow ') ? 'yaml-bracket' : (KINDS[code] ?? 'yaml-syntax'), offset };
}

function lastOffset(document: Document.Parsed, isMeant: (node: Node) => boolean): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Node: (_, node) => {
      if (isMeant(node)) offset = node.range?.[0];
    },
  });
  return offset;
}

/** The first alias without an anchor before it, or inside its own anchor. */
function badAlias(document: Document.Parsed): Fault | null {
  let bad: Fault | null = null;
  // An alias means the last anchor of its name before it.
  const anchored = new Map<string, unknown>();
  visit(document, {
    Value: (_, node) => {
      if (node.anchor !== undefined) anchored.set(node.anchor, node);
    },
    Alias: (_, alias, ancestors) => {
      const target = anchored.get(alias.source);
      if (target !== undefined && !ancestors.some((ancestor) => ancestor === target)) return undefined;
      bad = { kind: 'yaml-alias', offset: alias.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return bad;
}

function duplicateKeys(node: unknown, path: Path): { readonly path: Path; readonly offset: number }[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => duplicateKeys(item, [...path, index]));
  if (!isMap(node)) return [];
  const names = new Set<string>();
  const own = node.items.flatMap((pair) => {
    const name = keyName(pair);
    const isTwice = names.has(name);
    names.add(name);
    return isTwice ? [{ path: [...path, name], offset: startOf(pair.key) ?? 0 }] : [];
  });
  return [...own, ...node.items.flatMap((pair) => duplicateKeys(pair.value, [...path, keyName(pair)]))];
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
