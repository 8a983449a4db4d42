/** HTML that is safe to send: made from our own templates, with everything that is put into them escaped. */
import { printable, withoutCommands } from '../../printable.ts';

export interface Markup {
  readonly html: string;
}

/** What may be put into a template: text is escaped, markup is not, `null`, `undefined` and `false` are nothing. */
export type Part = Markup | string | number | null | undefined | false | readonly Part[];

export const NOTHING: Markup = { html: '' };

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Signs for controls are in few fonts: they are shown as JavaScript writes them. */
const CONTROLS: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * Joins a template with what is put into it, between tags or in quoted attributes. Whatever comes as text is shown as it
 * is: no markup, no control or bidi character, no line break and no half of a surrogate pair is left in it.
 */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const rest = parts.map((part, index) => `${rendered(part)}${strings[index + 1] ?? ''}`).join('');
  return { html: `${strings[0] ?? ''}${rest}` };
}

/** A constant of ours as it is. Never for anything that comes from elsewhere. */
export function verbatim(html: string): Markup {
  return { html };
}

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  return 'html' in part ? part.html : part.map(rendered).join('');
}

const hexadecimal = (control: string): string => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;

function escaped(text: string): string {
  const shown = text.replaceAll(/\p{Cc}/gu, (control) => CONTROLS[control] ?? hexadecimal(control));
  const encoded = printable(shown).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  // For a CI service that prints the page.
  return withoutCommands(encoded, '&#91;');
}

/** A paragraph of the texts, and the items for kinds of hosts below it: no Markdown but code in backticks. */
export function proseOf(text: string): Markup {
  const lines = text.split('\n').map((line) => line.replace(/^- /, '• '));
  return markup`${lines.map((line, index) => [index > 0 && verbatim('<br>'), lineOf(line)])}`;
}

/** What is between backticks has the odd indexes. */
function lineOf(text: string): readonly Part[] {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part));
}

/** Servers and browsers cut longer ones. */
const LONGEST_URL = 2000;

/**
 * A link to the checked site, without a referrer; the label alone where the URL is not http
 * or https, has userinfo, or is of another origin.
 */
export function linkTo(text: string, site: string, label: Markup, kind = 'live'): Markup {
  const url = text.length > LONGEST_URL ? null : URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && /^https?:/i.test(text);
  const isOwn = isWeb && url.origin === URL.parse(site)?.origin && url.username === '' && url.password === '';
  return isOwn ? markup`<a class="${kind}" href="${url.href}" rel="noreferrer noopener">${label}</a>` : label;
}
