import { hostOf, isLoopback } from '../../src/address-scope.ts';
import { takeTurns } from '../../src/concurrency.ts';
import { resolveAddress } from '../../src/parse/urls.ts';
import type { HtmlResource, HtmlResources, ResourceKind } from '../../src/parse/html-links.ts';

export type RequiredKind = Exclude<ResourceKind, 'frame'> | 'chunk';

export interface RequiredFile extends Pick<HtmlResource, 'module' | 'integrity' | 'crossorigin'> {
  readonly kind: RequiredKind;
  /** Where it may be; one is enough. The first is reported. */
  readonly urls: readonly [URL, ...URL[]];
  readonly written: string;
  readonly from: From;
  /** The page can do without: for old browsers, loaded in its own time, or beside what is the engine. */
  readonly aside: 'nomodule' | 'async' | 'beside' | null;
  readonly setting: string | null;
}

/** The file that says it, by its path below the base (or its URL, from another host), and where (UTF-16 code units). */
export interface From {
  readonly file: string;
  readonly offset: number;
}

/** What browsers do not load over `http` into an `https` page. `upgraded`: they ask over `https` instead. */
export interface Insecure {
  readonly kind: Named['kind'];
  readonly url: URL;
  readonly upgraded: boolean;
  readonly from: From;
}

export type Requirement = RequiredFile | Insecure;

export const isFile = (one: Requirement): one is RequiredFile => 'urls' in one;

export interface Context {
  readonly base: URL;
  readonly page: URL;
  readonly file: string;
  /** The page asks browsers to use `https` for all it loads (`upgrade-insecure-requests`). */
  readonly upgrades: boolean;
}

export type Named = Pick<HtmlResource, 'url' | 'offset'> &
  Partial<Pick<HtmlResource, 'module' | 'nomodule' | 'async' | 'integrity' | 'crossorigin'>> & {
    readonly kind: ResourceKind | 'chunk';
  };

export async function requiredByPage({ resources, inlineScript }: HtmlResources, context: Context) {
  const all: Requirement[] = [];
  for (const resource of resources) {
    const base = resource.base === null ? null : resolveAddress(resource.base, context.page);
    all.push(...requiredBy([resource], base === null ? context : { ...context, base }));
    await takeTurns();
  }
  return withEngine(all, context.page, inlineScript);
}

/** Files that style sheets name for Internet Explorer only: current browsers do not request them. */
const OBSOLETE = /\.(?:eot|htc)$/i;

/** Pictures, films and sounds (Mixed Content, section 4.1). */
const UPGRADED: ReadonlySet<string> = new Set(['image', 'icon', 'media']);

export function requiredBy(named: readonly Named[], context: Context): readonly Requirement[] {
  return named.flatMap((each): readonly Requirement[] => {
    const url = webUrl(each.url, context);
    if (url === null || [context.page.href, new URL('./', context.page).href].includes(url.href)) return [];
    const from = { file: context.file, offset: each.offset };
    const { kind, url: written, nomodule, async, module = false, integrity = null, crossorigin = null } = each;
    if (isInsecure(url, context.page)) return [{ kind, url, upgraded: UPGRADED.has(kind), from }];
    if (kind === 'frame' || OBSOLETE.test(url.pathname)) return [];
    const aside = async === true ? 'async' : null;
    const file = { kind, urls: [url], written, from, module, integrity, crossorigin, setting: null } as const;
    return [{ ...file, aside: nomodule === true ? 'nomodule' : aside }];
  });
}

/** Absolute, without fragment, upgraded where the page requests it; `null` where no request is made (`data:`, nonsense). */
function webUrl(written: string, { base, page, upgrades }: Context): URL | null {
  const url = resolveAddress(written, base);
  if (url === null) return null;
  if (url.href.includes('#')) url.hash = '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return upgrades && isInsecure(url, page) ? new URL(url.href.replace(/^http:/, 'https:')) : url;
}

/** Mixed Content, section 3.1; loopback is as good as https. */
function isInsecure(url: URL, page: URL): boolean {
  if (page.protocol !== 'https:' || url.protocol !== 'http:') return false;
  return !isLoopback(hostOf(url));
}

/** From here on the scripts in the page itself may be its engine (UTF-16 code units); settings and snippets are shorter. */
const SHORTEST_ENGINE = 4_000;

/** What hosts put in by themselves, and serve only where it is switched on. */
const OF_THE_HOST = /^\/(?:_vercel|cdn-cgi|\.netlify)\//;

const COUNTERS =
  /(?:^|[/._-])(?:analytics|gtag|gtm|matomo|piwik|plausible|umami|fathom|insights|tracker|tracking|beacon|hotjar|clarity|telemetry)(?=[/._-]|$)/i;

/**
 * The files that a page wants, those of its scripts marked that are not its engine: what its host puts in, what counts
 * visitors beside other scripts, and classic scripts beside a module. A script that is the only one is the engine,
 * however it is loaded. What cannot be determined is taken for the engine.
 */
function withEngine(required: readonly Requirement[], page: URL, inlineScript: number): readonly Requirement[] {
  const scripts = required.filter(isScript).filter((file) => !isOfTheHost(file, page));
  const only = new Set(scripts.map(({ urls: [url] }) => url.href)).size === 1;
  const inPage = inlineScript >= SHORTEST_ENGINE;
  const others = scripts.filter((file) => !isCounter(file));
  // A module of another host may as well be the plugin of a classic engine.
  const modules = others.some(
    ({ module, aside, urls: [url] }) => module && aside === null && url.origin === page.origin,
  );
  const asideOf = (file: RequiredFile): RequiredFile['aside'] => {
    if (isOfTheHost(file, page)) return 'beside';
    if (only && !inPage) return null;
    if (isCounter(file) && (others.length > 0 || inPage)) return 'beside';
    return file.aside ?? (modules && !file.module ? 'beside' : null);
  };
  return required.map((file) => (isScript(file) ? { ...file, aside: asideOf(file) } : file));
}

const isScript = (one: Requirement): one is RequiredFile =>
  isFile(one) && one.kind === 'script' && one.aside !== 'nomodule';

const isOfTheHost = ({ urls: [url] }: RequiredFile, page: URL): boolean =>
  url.origin === page.origin && OF_THE_HOST.test(url.pathname);

const isCounter = ({ urls: [url] }: RequiredFile): boolean => COUNTERS.test(url.pathname);
