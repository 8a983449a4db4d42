/** The feeds: an entry when an incident opens, and one when it is over. */
import { hash } from 'node:crypto';
import { element, textElement, type Xml } from '../../report/xml.ts';
import { iso } from '../../time.ts';
import { addressOf, type PageContext } from './context.ts';
import type { HistoryData } from './data.ts';
import { shownIncidentsOf, type ShownIncident } from './incident.ts';

const MOST = 50;

function entriesOf(data: HistoryData, context: PageContext) {
  const { words, url, language } = context;
  const entries = shownIncidentsOf(data.incidents ?? [], data, context).flatMap((shown) => {
    const { incident, name, checks, rto } = shown;
    const events = [
      ['recovered', incident.recoveredAt, words.feedRecovered(name), [rto, checks]],
      ['opened', incident.detectedAt, shown.title, [checks, ...problemsOf(shown, context)]],
    ] as const;
    return events.flatMap(([event, at, title, paragraphs]) => {
      if (at === null) return [];
      const id = urnOf(url, language, incident.id, event);
      const href = absolute(`incidents/${incident.id}/`, context);
      return [{ id, at, title, href, paragraphs: paragraphs.filter((paragraph) => paragraph !== '') }];
    });
  });
  return entries.toSorted((one, other) => other.at - one.at).slice(0, MOST);
}

function problemsOf({ incident, texts }: ShownIncident, context: PageContext): ReadonlySet<string> {
  const found = incident.findings.slice(0, 5).flatMap(({ check, code }) => texts.finding(check, code) ?? []);
  return new Set(found.map(({ problem, fix }) => (context.details ? `${problem} ${fix}` : problem)));
}

/** The address of a page; relative where it is unknown where the pages are published. */
function absolute(to: string, { base, page, language, main, to: linkTo }: PageContext): string {
  return base === null ? linkTo(to) : new URL(linkTo(to), base + addressOf(page, language, main)).href;
}

/** A name-based UUID (RFC 9562, version 8) as a URN: the same for the same name, wherever the page is. */
function urnOf(...name: readonly unknown[]): string {
  const digits = hash('sha256', JSON.stringify(name));
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const version = `8${digits.slice(13, 16)}`;
  return `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-${version}-${variant}${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

const documentOf = (root: Xml): string => `<?xml version="1.0" encoding="utf-8"?>\n${root('')}\n`;

export function atomFeed(data: HistoryData, context: PageContext): string {
  const { language, url, name } = context;
  const entries = entriesOf(data, context);
  const sites = url === null ? data.rows.map(({ site }) => site.id) : [];
  const feed = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
    textElement('id', {}, urnOf('feed', url, language, sites)),
    textElement('title', {}, name),
    // Only an entry changes it, so that a feed without new ones stays the same.
    textElement('updated', {}, iso(entries[0]?.at ?? 0)),
    element('author', {}, [textElement('name', {}, name)]),
    element('link', { rel: 'self', type: 'application/atom+xml', href: absolute('feed.atom', context) }),
    element('link', { rel: 'alternate', type: 'text/html', href: absolute('', context) }),
    textElement('generator', { uri: 'https://www.npmjs.com/package/docvitals' }, 'docvitals'),
    ...entries.map(({ id, title, paragraphs, at, href }) =>
      element('entry', {}, [
        textElement('id', {}, id),
        textElement('title', {}, title),
        textElement('updated', {}, iso(at)),
        element('link', { rel: 'alternate', type: 'text/html', href }),
        textElement('content', { type: 'text' }, paragraphs.join('\n\n')),
      ]),
    ),
  ]);
  return documentOf(feed);
}

export function rssFeed(data: HistoryData, context: PageContext): string {
  const { words, language, base, name } = context;
  const self = absolute('feed.rss', context);
  const channel = element('channel', {}, [
    textElement('title', {}, name),
    textElement('link', {}, absolute('', context)),
    textElement('description', {}, words.feedDescription),
    textElement('language', {}, language),
    textElement('generator', {}, 'docvitals'),
    ...(base === null ? [] : [element('atom:link', { rel: 'self', type: 'application/rss+xml', href: self })]),
    ...entriesOf(data, context).map(({ id, title, paragraphs, at, href }) =>
      element('item', {}, [
        textElement('title', {}, title),
        ...(base === null ? [] : [textElement('link', {}, href)]),
        textElement('guid', { isPermaLink: 'false' }, id),
        textElement('pubDate', {}, new Date(at).toUTCString()),
        // Readers take it for HTML.
        textElement('description', {}, paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('')),
      ]),
    ),
  ]);
  return documentOf(element('rss', { version: '2.0', 'xmlns:atom': 'http://www.w3.org/2005/Atom' }, [channel]));
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
