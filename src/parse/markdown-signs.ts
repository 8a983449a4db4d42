/** Blank where markup of a page keeps text that is not the page's own, so that a shell comment in `<pre>` is no heading. */
const RAW = /<!--[^]*?-->|<(pre|script|style|textarea)\b[^]*?<\/\1\s*>/gi;
/** Headings, list items, code fences, links and reference definitions (CommonMark 0.31.2). */
const STRONG =
  /^ {0,3}(?:#{1,6}[ \t]+\S|(?:[-*+]|\d{1,9}[.)])[ \t]+\S|`{3}|~{3})|\]\([^\s)]|\]\]|^ {0,3}\[[^\]\n]{1,200}\]:/m;
/** Quotations, tables, underlined headings, emphasis and code spans; and paragraphs, which error messages do not have. */
const WEAK = /^ {0,3}(?:>|\||={2,}[ \t]*$|-{2,}[ \t]*$)|\*\*\S|`[^`\n]+`|\S[ \t]*\r?\n[ \t]*\r?\n[ \t]*\S/m;
/** Markdown shows itself early. In UTF-16 code units; the bound also keeps unclosed elements cheap. */
const WINDOW = 8 * 1024;

/**
 * Whether a text that a host calls HTML is Markdown nevertheless. Markdown may begin with an HTML block, so that a text
 * that begins with a tag needs a sign that only Markdown has. One line of plain text is none: it may be an error message.
 */
export function looksLikeMarkdown(text: string): boolean {
  const beginning = text
    .slice(0, WINDOW)
    .replaceAll(RAW, ' ')
    .replace(/^[\s\uFEFF]+/, '');
  return STRONG.test(beginning) || (!/^<[a-z!/]/i.test(beginning) && WEAK.test(beginning));
}
