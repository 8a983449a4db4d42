/** The feed as RSS 2.0. */
import { element, textElement, type Xml } from '../../../report/xml.ts';
import type { HistoryData } from '../data.ts';
import type { PageContext } from '../page-context.ts';
import { absolute, entriesOf, type Entry } from './entries.ts';

/** The document; ends with a newline. */
export function rssFeed(data: HistoryData, context: PageContext): string {
  const { words, language, base } = context;
  const entries = entriesOf(data, context);
  const name = data.title ?? words.status;
  const self = absolute(context.to({ kind: 'feed', format: 'rss' }), context);
  const page = absolute(context.to({ kind: 'overview' }), context);
  const channel = element('channel', {}, [
    textElement('title', {}, name),
    textElement('link', {}, page),
    textElement('description', {}, words.feedDescription),
    textElement('language', {}, language),
    textElement('generator', {}, 'docvitals'),
    ...(base === null ? [] : [element('atom:link', { rel: 'self', type: 'application/rss+xml', href: self })]),
    ...entries.map((entry) => itemElement(entry, base !== null)),
  ]);
  const rss = element('rss', { version: '2.0', 'xmlns:atom': 'http://www.w3.org/2005/Atom' }, [channel]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${rss('')}\n`;
}

function itemElement({ id, title, paragraphs, at, href }: Entry, isAbsolute: boolean): Xml {
  return element('item', {}, [
    textElement('title', {}, title),
    ...(isAbsolute ? [textElement('link', {}, href)] : []),
    textElement('guid', { isPermaLink: 'false' }, id),
    textElement('pubDate', {}, new Date(at).toUTCString()),
    // Readers take it for HTML.
    textElement('description', {}, paragraphs.map((paragraph) => `<p>${escapedText(paragraph)}</p>`).join('')),
  ]);
}

const escapedText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
