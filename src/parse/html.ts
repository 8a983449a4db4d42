import { jsonValue } from './json.ts';

/** `<!-->` is a whole comment; an open one takes the rest. */
const COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/g;
const BEFORE = new RegExp(String.raw`[\s\uFEFF]+|${COMMENT.source}|<\?xml\b[^>]*>`, 'iy');
const DOCUMENT_START = /<!doctype\s*html(?![\w-])|<html(?=[\s/>])/iy;
/** A document may leave its root out and begin with the head; then the following text distinguishes it from Markdown. */
const HEAD_START = /<(?:title|meta)(?=[\s/>])/iy;
/** Markdown pages have such blocks as well, for a stylesheet or script. */
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
  let start = 0;
  BEFORE.lastIndex = 0;
  while (BEFORE.test(text)) start = BEFORE.lastIndex;
  DOCUMENT_START.lastIndex = HEAD_START.lastIndex = PART_START.lastIndex = start;
  if (PART_START.test(text)) return !MARKDOWN_LINE.test(text);
  return DOCUMENT_START.test(text) || (HEAD_START.test(text) && (DOCUMENT_PART.test(text) || !PROSE_LINE.test(text)));
}

/** Each comment is a space. Linear. */
export const withoutComments = (html: string): string => html.replaceAll(COMMENT, ' ');

const STRUCTURE = /<!doctype\s*html(?![\w-])|<(?:html|head|body|title|script|meta|link|style|div|main|p|h1)(?=[\s/>])/i;
/** Kinds of XML that have elements of the same names. */
const OTHER_XML = /<(?:\?xml|svg|rss|feed|opml|rdf:rdf|urlset|sitemapindex)\b/iy;
const HTML_ROOT = /<!doctype\s*html(?![\w-])|<html(?=[\s/>])/i;

/** For the bundle. Plain text, JSON and other XML (feeds, sitemaps, SVG, storage errors) do not count. Linear. */
export function hasHtmlMarkup(text: string): boolean {
  if (isHtmlDocument(text)) return true;
  // JSON may carry markup in its strings.
  if (/^[\s\uFEFF]*[[{"]/.test(text) && jsonValue(text).ok) return false;
  OTHER_XML.lastIndex = text.search(/[^\s\uFEFF]/);
  const otherXml = OTHER_XML.lastIndex >= 0 && OTHER_XML.test(text);
  return (otherXml ? HTML_ROOT : STRUCTURE).test(withoutComments(text));
}
