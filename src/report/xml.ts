/** XML 1.0 that is well-formed for any input. Pure. */
import { withoutCommands } from '../text/printable.ts';

/** The text of an element with this indentation. */
export type Xml = (indent: string) => string;

export type Attributes = Readonly<Record<string, string | number | null>>;

/** Characters that XML 1.0 does not allow, not even as references (section 2.2). */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Required in `]]>` (section 2.4).
  '>': '&gt;',
  '"': '&quot;',
  // A parser changes these in attributes (section 3.3.3), and returns anywhere (section 2.11).
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export function element(name: string, attributes: Attributes, children: readonly Xml[] = []): Xml {
  const tag = `${name}${attributesOf(attributes)}`;
  if (children.length === 0) return (indent) => `${indent}<${tag}/>`;
  return (indent) => {
    const inside = children.map((child) => `${child(`${indent}  `)}\n`).join('');
    return `${indent}<${tag}>\n${inside}${indent}</${name}>`;
  };
}

/** An element with exactly this text. */
export function textElement(name: string, attributes: Attributes, text: string): Xml {
  return (indent) => `${indent}<${name}${attributesOf(attributes)}>${escaped(text, /[&<>\r]/g)}</${name}>`;
}

function attributesOf(attributes: Attributes): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== null);
  return given.map(([name, value]) => ` ${name}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`).join('');
}

/** A text as XML that no CI service takes for a command. */
function escaped(text: string, characters: RegExp): string {
  const possible = text.replaceAll(IMPOSSIBLE, '\ufffd');
  const inText = possible.replaceAll(characters, (character) => ESCAPES[character] ?? '');
  return withoutCommands(inText, '&#91;').replaceAll(/((?:^|\n)(?:[^\S\n]|\u0085)*):(?=:)/g, '$1&#58;');
}
