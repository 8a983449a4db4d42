/** What stands at a place, whoever asks for it: a server or an export. */
import type { Language } from '../../texts.ts';
import { badgeJson, badgeOf, badgeSvg } from './badge/badge.ts';
import type { StatusSource } from './data.ts';
import { atomFeed } from './feeds/atom.ts';
import { rssFeed } from './feeds/rss.ts';
import { gatherHistory, gatherIncident, gatherOverview, gatherSite, gatherStatus, type DaysMemory } from './gather.ts';
import { historyPage } from './pages/history.ts';
import { incidentPage } from './pages/incident.ts';
import { notFoundPage } from './pages/not-found.ts';
import { overviewPage } from './pages/overview.ts';
import { sitePage } from './pages/site.ts';
import { framed } from './parts/frame.ts';
import type { Place } from './places.ts';
import { tellingOf, type Making, type Telling } from './telling.ts';

/** A document of the status page. */
export interface Document {
  readonly type: 'html' | 'atom' | 'rss' | 'svg' | 'json';
  readonly text: string;
  /** Whether there is what was asked for; else the document says that there is not. */
  readonly isThere: boolean;
}

/** What stands at a place in a language. What the database cannot tell is left out; never rejects for that. */
export async function documentAt(
  place: Place,
  language: Language,
  source: StatusSource,
  making: Making,
  days: DaysMemory,
): Promise<Document> {
  const telling = await tellingOf(source, place, language, making);
  if (place.kind === 'overview') return firstPage(source, telling, days);
  if (place.kind === 'site') return siteDocument(place.id, source, telling);
  if (place.kind === 'incident') return incidentDocument(place.id, source, telling);
  if (place.kind === 'badge') return badgeDocument(place, source, telling);
  const data = await gatherHistory(source);
  if (place.kind === 'history') return html(framed(historyPage(data, telling), data, telling));
  const make = place.format === 'atom' ? atomFeed : rssFeed;
  return { type: place.format, text: make(data, telling), isThere: true };
}

const html = (text: string): Document => ({ type: 'html', text, isThere: true });

/** All sites; where there is one only, all about it. */
async function firstPage(source: StatusSource, telling: Telling, days: DaysMemory): Promise<Document> {
  const [first, ...others] = source.sites;
  if (first !== undefined && others.length === 0) {
    const data = await gatherSite(source, first.site.id);
    if (data !== null) return html(framed(sitePage(data, true, telling), data, telling));
  }
  const data = await gatherOverview(source, days);
  return html(framed(overviewPage(data, telling), data, telling));
}

async function siteDocument(id: string, source: StatusSource, telling: Telling): Promise<Document> {
  const data = await gatherSite(source, id);
  if (data === null) return missing(source, telling);
  return html(framed(sitePage(data, false, telling), data, telling));
}

async function incidentDocument(id: string, source: StatusSource, telling: Telling): Promise<Document> {
  const data = await gatherIncident(source, id);
  return data === null ? missing(source, telling) : html(framed(incidentPage(data, telling), data, telling));
}

async function badgeDocument(
  { id, format }: Extract<Place, { kind: 'badge' }>,
  source: StatusSource,
  telling: Telling,
): Promise<Document> {
  const badge = badgeOf(id, await gatherStatus(source), telling);
  if (badge === null) return missing(source, telling);
  return { type: format, text: (format === 'svg' ? badgeSvg : badgeJson)(badge), isThere: true };
}

/** For an address at which nothing is: a page that leads to the first one. `path`: begins with a slash. */
export async function missingAt(
  path: string,
  language: Language,
  source: StatusSource,
  making: Making,
): Promise<Document> {
  return missing(source, await tellingOf(source, { kind: 'overview' }, language, making, path.slice(1)));
}

async function missing(source: StatusSource, telling: Telling): Promise<Document> {
  const data = await gatherStatus(source);
  return { ...html(framed(notFoundPage(telling), data, telling)), isThere: false };
}
