import { parseJson } from './json.ts';

const BEFORE = /[\s\uFEFF]+|<!--|<\?xml\b[^>]*>/iy;
const COMMENT_END = /--!?>/g;
const DOCUMENT_START = /<!doctype\s*html(?![\w-])|<html(?=[\s/>])/iy;
/** A document may leave its root out and begin with the head; then the following text distinguishes it from Markdown. */
const HEAD_START = /<(?:title|meta)(?=[\s/>])/iy;
/** Markdown pages have such blocks as well, for a style sheet or script. */
const PART_START = /<(?:head|body)(?=[\s/>])/iy;
const DOCUMENT_PART = /<\/?(?:html|head|body)(?=[\s/>])/i;
/** A heading, list or link of Markdown, at the beginning of a line. */
const MARKDOWN_LINE = /^(?:#{1,6}[ \t]*[^\s#<]|[-*+] |\[[^\]\n]*\]\()/m;
const PROSE_LINE = /^[^<\s]/m;

/**
 * True for a text that is an HTML document as a whole, as a host serves it instead of a Markdown file: it begins, after
 * a BOM, white space and comments, with `<!doctype html` or `<html`; with `<head` or `<body` where no line of Markdown
 * follows; or with an element of the head where one of those tags follows, or nothing but markup.
 * Markdown that begins with an HTML block or a comment, or quotes a document, does not count. Linear.
 */
export function isHtmlDocument(text: string): boolean {
  DOCUMENT_START.lastIndex = HEAD_START.lastIndex = PART_START.lastIndex = contentStart(text);
  if (PART_START.test(text)) return !MARKDOWN_LINE.test(text);
  return DOCUMENT_START.test(text) || (HEAD_START.test(text) && (DOCUMENT_PART.test(text) || !PROSE_LINE.test(text)));
}

const STRUCTURE =
  /<!--|<!doctype\s*html(?![\w-])|<(?:html|head|body|title|script|meta|link|style|div|main|p|h1)(?=[\s/>])/gi;
/** Kinds of XML that have elements of the same names. */
const OTHER_XML = /<(?:\?xml|svg|rss|feed|opml|rdf:rdf|urlset|sitemapindex)\b/iy;
const HTML_ROOT = /<!--|<!doctype\s*html(?![\w-])|<html(?=[\s/>])/gi;

/**
 * True for a text that is an HTML page at all, for evaluating the bundle: a doctype, `<html>`, or any structural element
 * outside comments. Plain text, JSON and other XML (feeds, sitemaps, SVG, storage errors) do not count. Linear.
 */
export function hasHtmlMarkup(text: string): boolean {
  if (isHtmlDocument(text)) return true;
  if (isJson(text)) return false;
  OTHER_XML.lastIndex = text.search(/[^\s\uFEFF]/);
  const otherXml = OTHER_XML.lastIndex >= 0 && OTHER_XML.test(text);
  return hasOutsideComments(text, otherXml ? HTML_ROOT : STRUCTURE);
}

function contentStart(text: string): number {
  let at = 0;
  for (;;) {
    BEFORE.lastIndex = at;
    const skipped = BEFORE.exec(text)?.[0];
    if (skipped === undefined) return at;
    at = skipped === '<!--' ? commentEnd(text, at) : at + skipped.length;
  }
}

/** The offset after the comment that opens at `start`. `<!-->` is a whole comment; an open one takes the rest. */
function commentEnd(text: string, start: number): number {
  COMMENT_END.lastIndex = start + 2;
  return COMMENT_END.test(text) ? COMMENT_END.lastIndex : text.length;
}

function hasOutsideComments(text: string, tags: RegExp): boolean {
  let at = 0;
  for (;;) {
    tags.lastIndex = at;
    const found = tags.exec(text);
    if (found === null) return false;
    if (found[0] !== '<!--') return true;
    at = commentEnd(text, found.index);
  }
}

function isJson(text: string): boolean {
  return /^[\s\uFEFF]*[[{"]/.test(text) && parseJson(text).ok;
}
