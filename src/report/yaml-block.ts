/** YAML 1.2 in block style, as even small parsers of TAP read it. Pure. */
import type { Json } from '../answer.ts';
import { printable } from '../printable.ts';
import { cutText } from './cut.ts';

const LONGEST_TEXT = 1_000;
/** An implicit key has to be shorter than 1,024 characters (YAML 1.2.2, section 7.4.2), quotes and escapes included. */
const LONGEST_NAME = 200;
/** What lies deeper is written as text: nobody reads it, and parsers have limits. */
const DEEPEST = 10;

/** Names that need no quotes and are no other word of YAML, not even of YAML 1.1. */
const PLAIN_NAME = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w-]*$/i;

/** The lines of a mapping. Every text is one printable line in quotes, so that nothing in it can end the block. */
export function yamlMapping(members: { readonly [name: string]: Json }, depth = 0): string[] {
  const taken = new Set<string>();
  return Object.entries(members).flatMap(([name, value]) => {
    // Two names may look alike once they are printable or cut.
    const shown = cutText(printable(name), LONGEST_NAME);
    const unique = taken.has(shown) ? `${shown} (${taken.size})` : shown;
    taken.add(unique);
    return member(PLAIN_NAME.test(unique) ? unique : JSON.stringify(unique), value, depth);
  });
}

function member(name: string, value: Json, depth: number): string[] {
  if (!isNested(value)) return [`${name}: ${scalar(value)}`];
  if (depth === DEEPEST) return [`${name}: ${text(JSON.stringify(value))}`];
  return [`${name}:`, ...nested(value, depth + 1).map((line) => `  ${line}`)];
}

function nested(value: Nested, depth: number): string[] {
  return Array.isArray(value)
    ? value.flatMap((item: Json) => listItem(item, depth))
    : yamlMapping(value as { readonly [name: string]: Json }, depth);
}

function listItem(item: Json, depth: number): string[] {
  if (!isNested(item)) return [`- ${scalar(item)}`];
  if (depth === DEEPEST || Array.isArray(item)) return [`- ${text(JSON.stringify(item))}`];
  return nested(item, depth + 1).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

type Nested = Extract<Json, object>;

/** Whether a value has members to write below its name. */
function isNested(value: Json): value is Nested {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: Json): string {
  if (typeof value === 'string') return text(value);
  // What is left has no members: `null`, `[]`, `{}`, numbers and booleans are the same in YAML 1.2 as in JSON.
  return JSON.stringify(value);
}

/** In quotes: JSON's escapes are YAML's (YAML 1.2.2, section 5.7), and no control is left to escape. */
function text(value: string): string {
  return JSON.stringify(cutText(printable(value), LONGEST_TEXT));
}
