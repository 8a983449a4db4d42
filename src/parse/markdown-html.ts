import { Parser } from 'htmlparser2';
import type { HtmlFragment, MarkdownLink } from './markdown-types.ts';

/** The attribute that holds the target, by element. */
const TARGETS: ReadonlyMap<string, string> = new Map([
  ['a', 'href'],
  ['img', 'src'],
]);

/**
 * The `<a href>` and `<img src>` of raw HTML nodes, entities decoded; none from comments, scripts and styles.
 * `text` is the Markdown text that the nodes come from. Pure and synchronous.
 */
export function readHtml(fragments: readonly HtmlFragment[], text: string): MarkdownLink[] {
  const lines = text.split(/\r\n|\n|\r/);
  return fragments.flatMap((fragment) => linksIn(fragment, lines));
}

function linksIn(fragment: HtmlFragment, lines: readonly string[]): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  const place = places(fragment, lines);
  const parser = new Parser({
    onopentag(name, attributes) {
      const attribute = TARGETS.get(name);
      const url = attribute === undefined ? undefined : attributes[attribute];
      if (url !== undefined)
        links.push({ url: url.trim(), kind: name === 'img' ? 'image' : 'html', ...place(parser.startIndex) });
    },
  });
  parser.end(fragment.value);
  return links;
}

/** Turns offsets in the fragment, which have to come in order, into places in the text. */
function places({ value, line, column }: HtmlFragment, lines: readonly string[]) {
  const ends = /\r\n|\n|\r/g;
  const rows = value.split(ends);
  let row = 0;
  let start = 0;
  let end = ends.exec(value);
  return (offset: number): { line: number; column: number } => {
    while (end !== null && ends.lastIndex <= offset) {
      row++;
      start = ends.lastIndex;
      end = ends.exec(value);
    }
    // Later lines have lost what their containers put before them (`> `, indentation): they end as in the text.
    const lost = (lines[line - 1 + row]?.length ?? 0) - (rows[row]?.length ?? 0);
    const before = row === 0 ? column - 1 : Math.max(0, lost);
    return { line: line + row, column: before + offset - start + 1 };
  };
}
