import { markup, type Markup } from './markup.ts';

/** One line of the texts, which have no Markdown but code in backticks. */
export function proseOf(text: string): Markup {
  // What stands between backticks has the odd indexes.
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part));
  return markup`${parts}`;
}
