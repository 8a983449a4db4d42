/** XML 1.0 that is well-formed for any input. Pure. */
import { withoutCommands } from '../printable.ts';

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
