/** What is open at the end of an HTML text, and where it begins (UTF-16 code units). */
export interface OpenAtEnd {
  readonly inside: 'comment' | 'tag' | 'attribute' | 'script' | 'style' | 'title';
  readonly offset: number;
}

const BEGINNING = /<(?:!--|[a-z])/gi;
/** Elements whose content is text up to their end tag (HTML standard, section 13.2.5), as far as pages are cut off in them. */
const TEXT_ELEMENT = /<(script|style|title)(?=[\s/>])/iy;
const END_OF_COMMENT = /--!?>/g;
const SHORT_COMMENT = /<!---?>/y;
const END_TAG = { script: /<\/script(?=[\s/>])/gi, style: /<\/style(?=[\s/>])/gi, title: /<\/title(?=[\s/>])/gi };

/**
 * Where a page breaks off: in a comment, a tag, or an element of text. `null`: it ends between elements, whichever of them
 * are open: minifiers leave end tags out. Linear.
 */
export function openAtEnd(html: string): OpenAtEnd | null {
  BEGINNING.lastIndex = 0;
  for (let found = BEGINNING.exec(html); found !== null; found = BEGINNING.exec(html)) {
    const offset = found.index;
    const end = found[0] === '<!--' ? afterComment(html, offset) : afterElement(html, offset);
    if (typeof end !== 'number') return { inside: end, offset };
    BEGINNING.lastIndex = end;
  }
  return null;
}

function afterComment(html: string, start: number): number | 'comment' {
  SHORT_COMMENT.lastIndex = start;
  if (SHORT_COMMENT.test(html)) return SHORT_COMMENT.lastIndex;
  END_OF_COMMENT.lastIndex = start + '<!--'.length;
  return END_OF_COMMENT.test(html) ? END_OF_COMMENT.lastIndex : 'comment';
}

/** After the start tag and, for an element of text, before its end tag. */
function afterElement(html: string, start: number): number | OpenAtEnd['inside'] {
  const end = afterTag(html, start);
  TEXT_ELEMENT.lastIndex = start;
  const name = TEXT_ELEMENT.exec(html)?.[1]?.toLowerCase() as keyof typeof END_TAG | undefined;
  if (typeof end !== 'number' || name === undefined) return end;
  const endTag = END_TAG[name];
  endTag.lastIndex = end;
  return endTag.test(html) ? endTag.lastIndex : name;
}

function afterTag(html: string, start: number): number | 'tag' | 'attribute' {
  for (let at = start; at < html.length; at++) {
    const sign = html[at];
    if (sign === '>') return at + 1;
    if (sign !== '=') continue;
    while (/\s/.test(html[at + 1] ?? '')) at++;
    const quote = html[at + 1] ?? '';
    if (quote !== '"' && quote !== "'") continue;
    at = html.indexOf(quote, at + 2);
    if (at === -1) return 'attribute';
  }
  return 'tag';
}
