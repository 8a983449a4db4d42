/** HTML that is safe to send: made from templates of ours, with everything that is put into them escaped. */
import { withoutCommands } from '../../ci-log.ts';
import { printable } from '../../printable.ts';

/** A piece of HTML that was made by {@link markup}, and so by our own templates only. */
export interface Markup {
  readonly html: string;
}

/** What may be put into a template: text is escaped, markup is not, `null` is nothing. */
export type Part = Markup | string | number | null | readonly Part[];

/** Signs for controls are in few fonts: they are reported as JSON writes them. */
const CONTROLS: Readonly<Record<string, string>> = {
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
};

export const NOTHING: Markup = { html: '' };

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

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
  if (part === null) return '';
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
