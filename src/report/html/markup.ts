/** Safe HTML: our own templates, with everything that is put into them escaped. */
import { printable, unicodeEscapes, withoutCommands } from '../../text/printable.ts';

export interface Markup {
  readonly html: string;
}

/** Text is escaped, markup is not; `null`, `undefined` and `false` are nothing. */
export type Part = Markup | string | number | null | undefined | false | readonly Part[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Few fonts have signs for controls: they are shown as in JavaScript. */
const CONTROLS: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A template, for parts between tags or in quoted attributes. Text keeps no markup, control or bidi character. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rest = parts.map((part, index) => `${rendered(part)}${strings[index + 1] ?? ''}`).join('');
  return { html: `${strings[0] ?? ''}${rest}` };
}

/** Our own constant. Never for text from elsewhere. */
export function verbatim(html: string): Markup {
  return { html };
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'html' in part ? part.html : part.map(rendered).join('');
}

function escaped(text: string): string {
  const shown = text.replaceAll(/\p{Cc}/gu, (control) => CONTROLS[control] ?? unicodeEscapes(control));
  const encoded = printable(shown).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  // For a CI service that prints the page.
  return withoutCommands(encoded, '&#91;');
}

/** A paragraph of the texts with its items: no Markdown but code in backticks. */
export function proseOf(text: string): Markup {
  const lines = text.split('\n').map((line) => line.replace(/^- /, '• '));
  return markup`${lines.map((line, index) => [index > 0 && verbatim('<br>'), lineOf(line)])}`;
}

/** Code has the odd indexes. */
function lineOf(text: string): readonly Part[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part));
}

/** Servers and browsers cut longer ones. */
const LONGEST_URL = 2000;

/** A link to the checked site without a referrer; the label alone for any other URL. */
export function linkTo(text: string, site: string, label: Markup, kind = 'live'): Markup {
  const url = text.length > LONGEST_URL ? null : URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && /^https?:/i.test(text);
  const isOwn = isWeb && url.origin === URL.parse(site)?.origin && url.username === '' && url.password === '';
  return isOwn ? markup`<a class="${kind}" href="${url.href}" rel="noreferrer noopener">${label}</a>` : label;
}
