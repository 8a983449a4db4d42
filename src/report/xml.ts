/** XML 1.0 that is well-formed for any input. Pure. */
import { printable, withoutCommands } from '../printable.ts';
import type { Json } from '../answer.ts';
import { cutText, shortJson } from './cut.ts';

/** A whole element: gives its text when it is reported how far it is indented. */
export type Xml = (indent: string) => string;

export type Attributes = Readonly<Record<string, string | number | null>>;

/** Everything that XML 1.0 cannot hold, not even as a character reference (section 2.2): most controls, half pairs, … */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Not needed but in `]]>`, which text must not contain (section 2.4).
  '>': '&gt;',
  '"': '&quot;',
  // A parser makes spaces of these in attributes (section 3.3.3), and line feeds of returns anywhere (section 2.11).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** An element with elements in it, each on its own line. */
export function element(name: string, attributes: Attributes, children: readonly Xml[] = []): Xml {
  const tag = `${name}${attributesOf(attributes)}`;
  if (children.length === 0) return (indent) => `${indent}<${tag}/>`;
  return (indent) => {
    const inside = children.map((child) => `${child(`${indent}  `)}\n`).join('');
    return `${indent}<${tag}>\n${inside}${indent}</${name}>`;
  };
}

/** An element with text in it, to which nothing is added. */
export function textElement(name: string, attributes: Attributes, text: string): Xml {
  return (indent) => `${indent}<${name}${attributesOf(attributes)}>${escaped(text, /[&<>\r]/g)}</${name}>`;
}

function attributesOf(attributes: Attributes): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== null);
  return given.map(([name, value]) => ` ${name}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`).join('');
}

/** A text without what XML cannot hold, written so that a CI service that prints it takes nothing of it for a command. */
function escaped(text: string, characters: RegExp): string {
  const possible = text.replaceAll(IMPOSSIBLE, '\ufffd');
  const inText = possible.replaceAll(characters, (character) => ESCAPES[character] ?? '');
  return withoutCommands(inText, '&#91;').replaceAll(/((?:^|\n)(?:[^\S\n]|\u0085)*):(?=:)/g, '$1&#58;');
}

/* YAML 1.2 in block style, as even small parsers of TAP read it. Pure. */

const LONGEST_TEXT = 1_000;
/** An implicit key has to be shorter than 1,024 characters (YAML 1.2.2, section 7.4.2), quotes and escapes included. */
const LONGEST_NAME = 200;
/** Deeper values are written as text: no one reads them, and parsers have limits. */
const DEEPEST = 10;

/** Names that need no quotes and are no other word of YAML, not even of YAML 1.1. */
const PLAIN_NAME = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w-]*$/i;

/** Lines of one block, so that what has parts in common with itself in many ways is not written in all of them. */
const MOST_LINES = 20_000;

/** The lines of a mapping. Every text is one printable line in quotes, so that nothing in it can end the block. */
export function yamlMapping(members: { readonly [name: string]: Json }): string[] {
  let room = MOST_LINES;
  /** The lines of what has room, and a comment that shows how much has none. */
  const written = <T>(items: readonly T[], write: (item: T) => string[]): string[] => {
    const lines: string[] = [];
    for (const [index, item] of items.entries()) {
      if (room <= 0) return [...lines, `# … +${items.length - index}`];
      for (const line of write(item)) lines.push(line);
    }
    return lines;
  };
  const mapping = (value: { readonly [name: string]: Json }, depth: number): string[] => {
    const taken = new Set<string>();
    return written(Object.keys(value), (name) => member(uniqueName(name, taken), value[name] ?? null, depth));
  };
  const member = (name: string, value: Json, depth: number): string[] => {
    room -= 1;
    if (!isNested(value) || depth === DEEPEST) return [`${name}: ${inline(value)}`];
    const lines = isList(value) ? written(value, (item) => listItem(item, depth + 1)) : mapping(value, depth + 1);
    return [`${name}:`, ...lines.map((line) => `  ${line}`)];
  };
  const listItem = (item: Json, depth: number): string[] => {
    if (isNested(item) && !isList(item) && depth < DEEPEST) {
      return mapping(item, depth + 1).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
    }
    room -= 1;
    // Perl's `TAP::Parser` takes an item whose first word ends with a colon for a member, quotes or not.
    return [`- ${inline(item).replace(/^(\S+\s*):(?=\s)/, String.raw`$1\x3a`)}`];
  };
  return mapping(members, 0);
}

/**
 * A name as allowed before a colon, also where Perl's `TAP::Parser` reads it: without blanks. Two may look alike once
 * they are printable or cut.
 */
function uniqueName(name: string, taken: Set<string>): string {
  const shown = cutText(printable(name), LONGEST_NAME);
  let unique = shown;
  for (let number = taken.size; taken.has(unique); number++) unique = `${shown} (${number})`;
  taken.add(unique);
  return PLAIN_NAME.test(unique) ? unique : quoted(unique).replaceAll(' ', String.raw`\x20`);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Whether a value has members to write below its name. */
function isNested(value: Json): value is Extract<Json, object> {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** A value on one line: of what has members, the beginning of its JSON as a text. */
function inline(value: Json): string {
  // `null`, `[]`, `{}`, numbers and booleans are the same in YAML 1.2 as in JSON.
  if (typeof value !== 'string' && !isNested(value)) return JSON.stringify(value);
  const text = typeof value === 'string' ? value : shortJson(value, LONGEST_TEXT);
  return quoted(cutText(printable(text), LONGEST_TEXT));
}

/**
 * In quotes: JSON's escapes are YAML's (YAML 1.2.2, section 5.7), and no control is left to escape. What would be a
 * command to a CI service that prints it is written otherwise.
 */
function quoted(printed: string): string {
  return withoutCommands(JSON.stringify(printed), String.raw`\u005b`);
}
