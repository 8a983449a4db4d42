import { markup, verbatim, type Markup } from './markup.ts';

/** A paragraph of the texts, and the items for kinds of hosts below it: no Markdown but code in backticks. */
export function proseOf(text: string): Markup {
  const lines = text.split('\n').map((line) => line.replace(/^- /, '• '));
  return markup`${lines.map((line, index) => markup`${index === 0 ? null : verbatim('<br>')}${lineOf(line)}`)}`;
}

function lineOf(text: string): Markup {
  // What stands between backticks has the odd indexes.
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part));
  return markup`${parts}`;
}
