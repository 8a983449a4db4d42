/** What stands at a place, whoever asks for it: a server or an export. */
import type { Language } from '../../texts.ts';
import { badgeJson, badgeOf, badgeSvg } from './badge/badge.ts';
import {
  type StatusSource,
  gatherHistory,
  gatherIncident,
  gatherOverview,
  gatherSite,
  gatherStatus,
  type DaysMemory,
} from './data.ts';
import { atomFeed, rssFeed } from './feeds/entries.ts';
import { historyPage } from './pages/history.ts';
import { incidentPage } from './pages/incident.ts';
import { notFoundPage } from './pages/not-found.ts';
import { overviewPage } from './pages/overview.ts';
import { sitePage } from './pages/site.ts';
import { framed } from './parts/frame.ts';
import { type PageAddress, pageContextOf, type RenderMode, type PageContext } from './page-context.ts';

/** A document of the status page. */
export interface Document {
  readonly type: 'html' | 'atom' | 'rss' | 'svg' | 'json';
  readonly text: string;
  /** Whether there is what was requested; else the document says that there is not. */
  readonly isThere: boolean;
}

/** What stands at a place in a language. What the database cannot tell is left out; never rejects for that. */
export async function documentAt(
  page: PageAddress,
  language: Language,
  source: StatusSource,
  making: RenderMode,
  days: DaysMemory,
): Promise<Document> {
  const context = await pageContextOf(source, page, language, making);
  if (page.kind === 'overview') return firstPage(source, context, days);
  if (page.kind === 'site') return siteDocument(page.id, source, context);
  if (page.kind === 'incident') return incidentDocument(page.id, source, context);
  if (page.kind === 'badge') return badgeDocument(page, source, context);
  const data = await gatherHistory(source);
  if (page.kind === 'history') return html(framed(historyPage(data, context), data, context));
  const make = page.format === 'atom' ? atomFeed : rssFeed;
  return { type: page.format, text: make(data, context), isThere: true };
}

const html = (text: string): Document => ({ type: 'html', text, isThere: true });

/** All sites; where there is one only, all about it. */
async function firstPage(source: StatusSource, context: PageContext, days: DaysMemory): Promise<Document> {
  const [first, ...others] = source.sites;
  if (first !== undefined && others.length === 0) {
    const data = await gatherSite(source, first.site.id);
    if (data !== null) return html(framed(sitePage(data, true, context), data, context));
  }
  const data = await gatherOverview(source, days);
  return html(framed(overviewPage(data, context), data, context));
}

async function siteDocument(id: string, source: StatusSource, context: PageContext): Promise<Document> {
  const data = await gatherSite(source, id);
  if (data === null) return missing(source, context);
  return html(framed(sitePage(data, false, context), data, context));
}

async function incidentDocument(id: string, source: StatusSource, context: PageContext): Promise<Document> {
  const data = await gatherIncident(source, id);
  return data === null ? missing(source, context) : html(framed(incidentPage(data, context), data, context));
}

async function badgeDocument(
  { id, format }: Extract<PageAddress, { kind: 'badge' }>,
  source: StatusSource,
  context: PageContext,
): Promise<Document> {
  const badge = badgeOf(id, await gatherStatus(source), context);
  if (badge === null) return missing(source, context);
  return { type: format, text: (format === 'svg' ? badgeSvg : badgeJson)(badge), isThere: true };
}

/** For an address at which nothing is: a page that leads to the first one. `path`: begins with a slash. */
export async function missingAt(
  path: string,
  language: Language,
  source: StatusSource,
  making: RenderMode,
): Promise<Document> {
  return missing(source, await pageContextOf(source, { kind: 'overview' }, language, making, path.slice(1)));
}

async function missing(source: StatusSource, context: PageContext): Promise<Document> {
  const data = await gatherStatus(source);
  return { ...html(framed(notFoundPage(context), data, context)), isThere: false };
}
