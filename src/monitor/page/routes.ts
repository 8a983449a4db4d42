/** The status page as a server gives it: pages, feeds, badges and their style sheet by path. */
import type { MonitorView } from '../view.ts';
import { sourceOf, type PageStore, newDaysMemory, type DaysMemory } from './data.ts';
import { Memory } from './memory.ts';
import { locate, type PageAddress, type RenderMode } from './page-context.ts';
import { POLICY, STYLE_VERSION } from './parts/frame.ts';
import { STYLES } from './styles.ts';
import { documentAt, missingAt, type Document } from './documents.ts';
import { LANGUAGES, type Language } from '../../texts.ts';

/** What a request says beside its path. */
export interface PageRequest {
  readonly view: MonitorView;
  /** The query, as in the URL. */
  readonly search?: URLSearchParams;
  /** `http://` and the host that was asked; `null`: not known. */
  readonly origin?: string | null;
}

/** What is to be sent. Whether it is sent whole, packed or not at all (`HEAD`, `304`) is the server's to say. */
export interface PageAnswer {
  readonly status: 200 | 308 | 404;
  /** Names in small letters. The policy of a page stands in them. */
  readonly headers: Readonly<Record<string, string>>;
  /** UTF-8. */
  readonly body: string;
}

/** How long a page is given as it is: whoever comes after somebody else has cost the monitor nothing. */
const CACHED_MS = 1000;
const MOST_CACHED = 64;

interface CachedPage {
  readonly days: DaysMemory;
  readonly answers: Memory<PageAnswer>;
}

/** What was made of which database; gone with it. */
const MEMORIES = new WeakMap<PageStore, CachedPage>();

/**
 * What stands at a path.
 *
 * @param path of the URL, from its first slash on, as it came: percent-encoded
 * @returns `null` for a path that is none of the status page's; what the database cannot tell is left out of a page
 */
export async function pageFor(path: string, { view, search, origin = null }: PageRequest): Promise<PageAnswer | null> {
  const located = locate(path, view.settings().page.language);
  if (located === null) return null;
  if (located.kind === 'style') return styleAnswer(search?.has(STYLE_VERSION) ?? false);
  if (located.kind === 'moved') return movedAnswer(located.to);
  const kept = cachedOf(view);
  const { page, language } = located;
  const isStill = search?.get('refresh') === 'off';
  // Only feeds have links that name the host.
  const host = page.kind === 'feed' ? origin : null;
  const key = `${host ?? ''}${path}${isStill ? '?refresh=off' : ''}`;
  const making = { as: 'served', isStill, origin: host } as const;
  return kept.answers.get(key, view.now(), CACHED_MS, () => answerAt(page, language, view, making, kept.days));
}

/** The page for an address at which nothing is, in the language that the address names, or else in another. */
export async function missingPage(path: string, otherwise: Language, view: MonitorView): Promise<PageAnswer> {
  const named = LANGUAGES.find((language) => path.startsWith(`/${language}/`));
  const document = await missingAt(path, named ?? otherwise, sourceOf(view), { as: 'served' });
  return { status: 404, headers: { ...headersOf(document), 'cache-control': 'no-store' }, body: document.text };
}

function cachedOf({ store }: MonitorView): CachedPage {
  const kept = MEMORIES.get(store) ?? { days: newDaysMemory(), answers: new Memory<PageAnswer>(MOST_CACHED) };
  MEMORIES.set(store, kept);
  return kept;
}

async function answerAt(
  page: PageAddress,
  language: Language,
  view: MonitorView,
  making: RenderMode,
  days: DaysMemory,
): Promise<PageAnswer> {
  const document = await documentAt(page, language, sourceOf(view), making, days);
  return { status: document.isThere ? 200 : 404, headers: headersOf(document), body: document.text };
}

const MEDIA_TYPES: Readonly<Record<Document['type'], string>> = {
  html: 'text/html; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

function headersOf({ type }: Document): Readonly<Record<string, string>> {
  const headers = { 'content-type': MEDIA_TYPES[type], 'cache-control': 'no-cache' };
  if (type === 'html') return { ...headers, 'content-security-policy': `${POLICY}; frame-ancestors 'none'` };
  if (type === 'atom' || type === 'rss') return headers;
  // Badges are shown on pages of others.
  return {
    ...headers,
    'content-security-policy': `default-src 'none'; sandbox`,
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  };
}

/** Pages name it with its version, so that it may be kept for ever; without one it may be another one soon. */
function styleAnswer(isNamed: boolean): PageAnswer {
  const kept = isNamed ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { 'content-type': 'text/css; charset=utf-8', 'cache-control': kept };
  return { status: 200, headers, body: STYLES };
}

function movedAnswer(to: string): PageAnswer {
  return { status: 308, headers: { location: to === '' ? './' : to }, body: '' };
}
