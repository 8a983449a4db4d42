/** What every part of a page is told with: its language, its place, its clock. */
import { loadMessages } from '../../messages/load.ts';
import type { Messages } from '../../messages/messages.ts';
import { printable } from '../../printable.ts';
import { loadTexts, withCustomChecks, type Language, type Texts } from '../../texts.ts';
import type { MonitoredSite } from '../settings.ts';
import type { StatusSource } from './data.ts';
import { addressOf, linksFrom, type PageAddress } from './page-paths.ts';
import { timesIn, type Times } from './times.ts';
import { loadPageWords } from './words/load.ts';
import type { PageWords } from './words/words.ts';

/** How pages are made. */
export interface RenderMode {
  /**
   * `served`: made at each request. `files`: written once, so that nothing is told relative to now, and read from a disk
   * perhaps, so that links name files.
   */
  readonly as: 'served' | 'files';
  /** A served page loads itself again, unless its reader has stopped that. */
  readonly isStill?: boolean;
  /** Where the server was reached, for feeds of a page that does not know its own address. */
  readonly origin?: string | null;
}

export interface PageContext extends Required<RenderMode> {
  readonly language: Language;
  /** The language that has no prefix. */
  readonly main: Language;
  readonly page: PageAddress;
  readonly now: number;
  readonly words: PageWords;
  readonly messages: Messages;
  readonly times: Times;
  /** Where the page is published, ending with a slash; `null`: not known. */
  readonly url: string | null;
  /** The address of the first page in the main language, for links that have to be absolute; `null`: not known. */
  readonly base: string | null;
  /** Whether fixes and evidence are shown. */
  readonly details: boolean;
  /** The texts of a site's checks, its own among them; `null`: those that all sites share. */
  readonly texts: (site: MonitoredSite | null) => Texts;
  /** A link to a place in the same language. */
  readonly to: (page: PageAddress) => string;
  /** A link to an address. */
  readonly link: (address: string) => string;
}

/** What is needed to tell a page of a source at a place. `from`: the page's address, where it is not that of the place. */
export async function pageContextOf(
  source: Pick<StatusSource, 'now' | 'settings'>,
  page: PageAddress,
  language: Language,
  { as, isStill = as === 'files', origin = null }: RenderMode,
  from?: string,
): Promise<PageContext> {
  const [words, messages, texts] = await Promise.all([
    loadPageWords(language),
    loadMessages(language),
    loadTexts(language),
  ]);
  const { language: main, url } = source.settings.page;
  const links = linksFrom(from ?? addressOf(page, language, main), as === 'files');
  const published = publishedAt(url);
  return {
    as,
    isStill,
    origin,
    language,
    main,
    page,
    now: source.now,
    words,
    messages,
    times: timesIn(language, source.now),
    url: published,
    base: published ?? publishedAt(origin),
    details: source.settings.page.details !== false,
    texts: (site) => textsOfSite(texts, site, language),
    to: (other) => links.to(addressOf(other, language, main)),
    link: (address) => links.to(address),
  };
}

/** Where the page is published; `null` for what is no web address. */
function publishedAt(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (!/^https?:$/.test(parsed.protocol)) return null;
  return `${parsed.origin}${parsed.pathname.replace(/\/*$/, '/')}`;
}

function textsOfSite(texts: Texts, site: MonitoredSite | null, language: Language): Texts {
  const own = site?.checking.checks ?? [];
  if (own.length === 0) return texts;
  return withCustomChecks(
    texts,
    own.map(({ id, title, fix }) => {
      const inLanguage = fix?.[language] ?? fix?.en;
      return { id, title: oneLine(title), ...(inLanguage === undefined ? {} : { fix: oneLine(inLanguage) }) };
    }),
  );
}

const oneLine = (text: string): string => printable(text.trim().replaceAll(/[\r\n\t]+/g, ' '));
