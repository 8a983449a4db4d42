import { slug } from 'github-slugger';

/** The generated parts of a page, by their name in its template. */
export type Parts = Readonly<Record<string, string>>;

/** A table without the columns that are empty in all rows; an empty text without rows. Cells are Markdown of one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const kept = head.map((_, index) => rows.some((row) => row[index] !== ''));
  const line = (cells: readonly string[]): string => {
    const shown = cells.filter((_, index) => kept[index]);
    return `| ${shown.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  };
  return [line(head), line(head.map(() => ':---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return fence === '`' ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Flags, addresses, variables, file names and placeholders: what a sentence of the code has without backticks. */
const CODE = new RegExp(
  [
    String.raw`--[a-z][a-z-]*(?![\w-])`,
    String.raw`(?:https?|wss?|smtps?):\/\/(?:[^\s,;)]*[^\s,;).])?`,
    String.raw`\$\{\w+\}`,
    String.raw`\*(?:\.[a-z]+)+`,
    String.raw`\[::1?\](?::\d+)?`,
    String.raw`<path>#<[^>]+>`,
    String.raw`(?:docvitals explain )?<check id>\/<rule>`,
    String.raw`\bhost:port(?::address)?\b`,
    String.raw`\b(?:LANG|PATH)\b`,
    String.raw`<meta>`,
    String.raw`\b[A-Z]+(?:_[A-Z]+)+(?:=\d)?`,
    String.raw`\[dir\]`,
    String.raw`\b[\w.]*[a-z]_[a-z][\w.]*\w`,
  ].join('|'),
  'g',
);

/** A sentence of the code as Markdown of one line. What is in backticks stays as it is. */
export function prose(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

function escaped(text: string): string {
  let done = 0;
  const parts: string[] = [];
  for (const match of text.matchAll(CODE)) {
    parts.push(plain(text.slice(done, match.index)), code(match[0]));
    done = match.index + match[0].length;
  }
  return [...parts, plain(text.slice(done))].join('');
}

function plain(text: string): string {
  return text.replaceAll(/[*_[\]\\]/g, String.raw`\$&`).replaceAll('<', '&lt;');
}

/** A sentence and the default that it ends with, in the words of any of the languages. */
export function withoutDefault(text: string): { readonly text: string; readonly preset: string } {
  const inParentheses = /^(?<text>.*?)\s*\((?:default|implicit|par défaut)\s?: (?<preset>.+)\)$/s.exec(text)?.groups;
  const asSentence = /^(?<text>.*?)\s*(?:Default|Implicit|Par défaut)\s?: (?<preset>(?:(?!\. \p{Lu}).)+)\.$/su.exec(
    text,
  )?.groups;
  const { text: rest = text, preset = '' } = inParentheses ?? asSentence ?? {};
  return { text: rest, preset };
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading: string): string {
  return slug(heading.replaceAll('`', ''));
}
