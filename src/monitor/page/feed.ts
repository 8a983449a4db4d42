/** What others take from the status page: the feed and badges. */
import { hash } from 'node:crypto';
import { cutText } from '../../report/cut.ts';
import { markup, verbatim } from '../../report/html/markup.ts';
import { element, textElement } from '../../report/xml.ts';
import { textWidth } from '../../text/width.ts';
import { iso } from '../../core/time.ts';
import { ruleName } from '../incident/document.ts';
import type { Kind } from '../site-state.ts';
import type { HistoryData, StatusData } from './data.ts';
import { shownIncidentsOf, type ShownIncident } from './incident.ts';
import letters from './letter-widths.json' with { type: 'json' };
import { addressOf, type PageContext, smallKindWord } from './page.ts';

/* The feed: an entry when an incident opens, and one when it is over. */

export function feed(data: HistoryData, context: PageContext): string {
  const { language, url, name } = context;
  const sites = url === null ? data.rows.map(({ site }) => site.id) : [];
  const entries = entriesOf(data, context);
  const root = element('feed', { xmlns: 'http://www.w3.org/2005/Atom', 'xml:lang': language }, [
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
  return `<?xml version="1.0" encoding="utf-8"?>\n${root('')}\n`;
}

const MOST_ENTRIES = 50;

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
  return entries.toSorted((one, other) => other.at - one.at).slice(0, MOST_ENTRIES);
}

function problemsOf({ incident, texts }: ShownIncident, context: PageContext): ReadonlySet<string> {
  const found = incident.findings.slice(0, 5).flatMap(({ check, rule }) => texts.finding(check, ruleName(rule)) ?? []);
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

/* The badge: the status of a site, for the README of its repository. */

const LONGEST_LABEL = 60;
const PADDING = 6;
const HEIGHT = 20;

/** White text on these has a contrast of at least 4.5:1. */
const COLOURS: Readonly<Record<Kind, string>> = {
  healthy: '#1a7f37',
  degraded: '#9a6700',
  down: '#b42318',
  unstable: '#9a6700',
  stale: '#9a6700',
  unknown: '#6b3fc0',
  new: '#57606a',
  maintenance: '#0a58b8',
};

type Badge = NonNullable<ReturnType<typeof badgeOf>>;

/** The badge of a site, or of all of them (`null`); `null` where the site is not watched. */
export function badge(format: 'svg' | 'json', id: string | null, data: StatusData, context: PageContext) {
  const shown = badgeOf(id, data, context);
  if (shown === null || format === 'svg') return shown && badgeSvg(shown);
  const { label, message, kind } = shown;
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: COLOURS[kind], isError: kind === 'down' })}\n`;
}

function badgeOf(id: string | null, data: StatusData, context: PageContext) {
  if (id !== null) {
    const row = data.rows.find(({ site }) => site.id === id);
    if (row === undefined) return null;
    const { kind } = row.status;
    return { label: cutText(row.site.title, LONGEST_LABEL), message: smallKindWord(kind, context), kind };
  }
  const { kind, counts, rows } = data;
  const count = counts.get(kind) ?? 0;
  const isAlike = count === rows.length;
  const message = isAlike ? smallKindWord(kind, context) : context.words.counted[kind](count);
  return { label: context.words.badgeLabel, message, kind };
}

function badgeSvg({ label, message, kind }: Badge): string {
  const [left, right] = [widthOf(label) + 2 * PADDING, widthOf(message) + 2 * PADDING];
  const width = left + right;
  const half = (text: string, x: number) =>
    markup`<text x="${x + PADDING}" y="14" textLength="${widthOf(text)}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
  const { html } =
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}: ${message}">
<title>${label}: ${message}</title>
<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
<g clip-path="url(#c)"><rect width="${left}" height="${HEIGHT}" fill="#444c56"/><rect x="${left}" width="${right}" height="${HEIGHT}" fill="${verbatim(COLOURS[kind])}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${half(label, 0)}${half(message, left)}</g>
</svg>`;
  return `${html}\n`;
}

/** Letters by their width in Verdana, or in DejaVu Sans where that is missing, at 11 pixels: measured, in tenths of a pixel. */
const WIDTHS = new Map(
  Object.entries(letters).flatMap(([width, all]) => Array.from(all, (letter) => [letter, Number(width)] as const)),
);
/** Of letters that take two columns of a terminal, such as Chinese ones, and of all others. */
const FULL_WIDTH = 112;
const OTHER_WIDTH = 70;

/** Pixels, rounded up. Accents take no room; texts are stretched to the result, which is hardly visible. */
function widthOf(text: string): number {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  const widths = Array.from(plain, (one) => WIDTHS.get(one) ?? (textWidth(one) === 2 ? FULL_WIDTH : OTHER_WIDTH));
  return Math.ceil(widths.reduce((sum, width) => sum + width, 0) / 10);
}
