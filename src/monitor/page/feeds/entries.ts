/** What feeds tell: that an incident opened, and that it is over. Pure. */
import { hash } from 'node:crypto';
import type { Incident } from '../../incident/incident.ts';
import type { HistoryData } from '../data.ts';
import { checkTitles, rtoText, titleOf, shownIncidentsOf, type ShownIncident } from '../parts/incident.ts';
import type { PageContext } from '../page-context.ts';
import { element, textElement, type Xml } from '../../../report/xml.ts';
import { iso } from '../../iso-time.ts';

/** Entries that a feed has at most. */
const MOST = 50;

/** One entry. Texts are plain, and not yet escaped. */
export interface Entry {
  /** An IRI that stays, and is never another entry's. */
  readonly id: string;
  readonly title: string;
  /** One paragraph each. */
  readonly paragraphs: readonly string[];
  /** ms since 1970. */
  readonly at: number;
  /** Where the incident is reported; relative where it is not known where the page is published. */
  readonly href: string;
}

/** The entries of both feeds, newest first. */
function entriesOf(data: HistoryData, context: PageContext): readonly Entry[] {
  const entries = shownIncidentsOf(data.incidents ?? [], data).flatMap((reported) => [
    ...recoveredEntry(reported, context),
    openedEntry(reported, context),
  ]);
  return entries.toSorted((one, other) => other.at - one.at).slice(0, MOST);
}

function openedEntry(reported: ShownIncident, context: PageContext): Entry {
  const { incident } = reported;
  const texts = context.texts(reported.site);
  const found = incident.findings.slice(0, 5).flatMap(({ check, code }) => {
    const text = texts.finding(check, code);
    if (text === undefined) return [];
    return [context.details ? `${text.problem} ${text.fix}` : text.problem];
  });
  return {
    id: entryId(incident, 'opened', context),
    title: titleOf(reported, context),
    paragraphs: [checkTitles(reported, context), ...new Set(found)].filter((paragraph) => paragraph !== ''),
    at: incident.detectedAt,
    href: hrefOf(incident, context),
  };
}

function recoveredEntry(reported: ShownIncident, context: PageContext): readonly Entry[] {
  const { incident, site } = reported;
  if (incident.recoveredAt === null) return [];
  return [
    {
      id: entryId(incident, 'recovered', context),
      title: context.words.feedRecovered(site?.title ?? incident.site),
      paragraphs: [rtoText(incident, context), checkTitles(reported, context)].filter((text) => text !== ''),
      at: incident.recoveredAt,
      href: hrefOf(incident, context),
    },
  ];
}

/** An absolute address of something on the page, where it is known where the page is published; else a relative one. */
function hrefOf({ id }: Pick<Incident, 'id'>, context: PageContext): string {
  return absolute(context.to({ kind: 'incident', id }), context);
}

/** `href` as it is seen from the feed. */
function absolute(href: string, { base, language, main }: PageContext): string {
  if (base === null) return href;
  return new URL(href, `${base}${language === main ? '' : `${language}/`}`).href;
}

/** A name-based UUID (RFC 9562, version 8) as a URN: the same for the same name, wherever the page is. */
function urnOf(name: string): string {
  const digits = hash('sha256', name);
  const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

function entryId({ id }: Incident, event: 'opened' | 'recovered', { url, language }: PageContext): string {
  return urnOf(JSON.stringify([url, language, id, event]));
}

/* The feed as Atom (RFC 4287). */

/** The document; ends with a newline. */
export function atomFeed(data: HistoryData, context: PageContext): string {
  const { words, language, url } = context;
  const entries = entriesOf(data, context);
  const name = data.title ?? words.status;
  const self = absolute(context.to({ kind: 'feed', format: 'atom' }), context);
  const page = absolute(context.to({ kind: 'overview' }), context);
  const sites = data.rows.map(({ site }) => site.id);
  const feed = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
    textElement('id', {}, urnOf(JSON.stringify(['feed', url, language, url === null ? sites : []]))),
    textElement('title', {}, name),
    // What changes it is an entry: a reader that asks again and again has the same bytes.
    textElement('updated', {}, iso(entries[0]?.at ?? 0)),
    element('author', {}, [textElement('name', {}, name)]),
    element('link', { rel: 'self', type: 'application/atom+xml', href: self }),
    element('link', { rel: 'alternate', type: 'text/html', href: page }),
    textElement('generator', { uri: 'https://www.npmjs.com/package/docvitals' }, 'docvitals'),
    ...entries.map(entryElement),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed('')}\n`;
}

function entryElement({ id, title, paragraphs, at, href }: Entry): Xml {
  return element('entry', {}, [
    textElement('id', {}, id),
    textElement('title', {}, title),
    textElement('updated', {}, iso(at)),
    element('link', { rel: 'alternate', type: 'text/html', href }),
    textElement('content', { type: 'text' }, paragraphs.join('\n\n')),
  ]);
}

/* The feed as RSS 2.0. */

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
