/** A badge with the status of a site, for the README of its repository. */
import { cutText } from '../../report/cut.ts';
import { markup, verbatim } from '../../report/html/markup.ts';
import { textWidth } from '../../text-width.ts';
import type { Kind } from '../site-state.ts';
import letters from './letter-widths.json' with { type: 'json' };
import type { PageContext } from './context.ts';
import type { StatusData } from './data.ts';
import { smallKindWord } from './frame.ts';

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
export function badgeOf(id: string | null, data: StatusData, context: PageContext) {
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

export function badgeSvg({ label, message, kind }: Badge): string {
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

export function badgeJson({ label, message, kind }: Badge): string {
  return `${JSON.stringify({ schemaVersion: 1, label, message, color: COLOURS[kind], isError: kind === 'down' })}\n`;
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
