import {
  ASSET_CACHE_CONTROL,
  BUNDLE_CACHE_CONTROL,
  escaped,
  LONG_LIFE_SECONDS,
  LONG_LIVED,
  type HostRules,
} from './rules.ts';

/** A condition on a request header: a regular expression somewhere in its value. */
export interface HeaderCondition {
  readonly type: 'header';
  readonly key: string;
  readonly value: string;
}

/** A rule in the platform's own, low-level form, which its high-level settings are turned into. */
export interface PlatformRoute {
  /** Regular expression of the whole path, letter case ignored. */
  readonly src: string;
  /** All of these must hold. */
  readonly has?: readonly HeaderCondition[];
  /** None of these may hold. */
  readonly missing?: readonly HeaderCondition[];
  /** Where the request goes instead; `$1` is the first group. */
  readonly dest?: string;
  /** Of the answer; a `Location` makes a redirect with `status`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Go on with the next rule. */
  readonly continue?: true;
  /** Only where `dest` is a file; else go on with the next rule. */
  readonly check?: true;
}

/** Between the rules before and those after it the platform looks for a file. */
export interface FilesystemPhase {
  readonly handle: 'filesystem';
}

export type PlatformRoutes = readonly (PlatformRoute | FilesystemPhase)[];

/** What asks for Markdown, as the documented rule has it. */
export const ASKS_FOR_MARKDOWN: HeaderCondition = { type: 'header', key: 'accept', value: '.*text/markdown.*' };

/** What the setting `trailingSlash: true` does. */
const TRAILING_SLASH: PlatformRoutes = [
  { src: String.raw`^/\.well-known(?:/.*)?$` },
  { src: String.raw`^/((?:[^/]+/)*[^/\.]+)$`, headers: { Location: '/$1/' }, status: 308 },
  { src: String.raw`^/((?:[^/]+/)*[^/]+\.\w+)/$`, headers: { Location: '/$1' }, status: 308 },
];

/** The same, but a folder whose name has a version number in it is not taken for a file. */
const SLASHES: PlatformRoutes = TRAILING_SLASH.map((route) =>
  'src' in route ? { ...route, src: route.src.replace(String.raw`\.\w+)/$`, String.raw`\.[a-z]\w*)/$`) } : route,
);

/** The rules as the platform runs them; where no phase is named, all of them run before it looks for a file. */
export function platformRoutes({ base, improved }: Pick<HostRules, 'base' | 'improved'>): PlatformRoutes {
  return improved ? mended(base) : documented(base);
}

function documented(base: string): PlatformRoutes {
  const folder = base.slice(0, -1);
  return [
    ...TRAILING_SLASH,
    { handle: 'filesystem' },
    {
      src: `^${escaped(folder)}(?:/((?:[^/]+?)(?:/(?:[^/]+?))*))?/$`,
      dest: `${base}$1/index.md`,
      check: true,
      has: [ASKS_FOR_MARKDOWN],
    },
    { src: `^${escaped(folder) || '/'}$`, dest: `${base}index.html`, check: true },
  ];
}

const accept = (value: string): HeaderCondition => ({ type: 'header', key: 'accept', value });

/** Markdown under a quality below 1, and what HTML is taken for without one. */
const LESSER_MARKDOWN = String.raw`text/markdown\s*(?:;[^,;]*)*;\s*q=0[^,]*`;
const FULL_HTML = String.raw`(?:text/html|text/\*|\*/\*)\s*`;

/** Accept values that name Markdown, but want it not at all or less than HTML. */
const DECLINES_MARKDOWN: readonly HeaderCondition[] = [
  accept(String.raw`(?:^|.*,\s*)text/markdown\s*(?:;[^,;]*)*;\s*q=0(?:\.0*)?\s*(?:,.*)?$`),
  accept(String.raw`.*${LESSER_MARKDOWN},(?:.*,)?\s*${FULL_HTML}(?:,.*)?$`),
  accept(String.raw`(?:^|.*,\s*)${FULL_HTML},(?:.*,)?\s*${LESSER_MARKDOWN}.*`),
];

function mended(base: string): PlatformRoutes {
  const at = escaped(base);
  const negotiated = { has: [ASKS_FOR_MARKDOWN], missing: DECLINES_MARKDOWN };
  const header = (src: string, headers: Readonly<Record<string, string>>): PlatformRoute => ({
    src,
    headers,
    continue: true,
  });
  return [
    ...SLASHES,
    header(`^${at}(?:.*/)?$`, { Vary: 'Accept' }),
    header(`^${at}(?:index\\.html)?$`, { 'Cache-Control': BUNDLE_CACHE_CONTROL }),
    header(`^${at}.*\\.(?:${LONG_LIVED.join('|')})$`, {
      'Cache-Control': `${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}`,
    }),
    header(`^${at}config\\.json$`, { 'Cache-Control': BUNDLE_CACHE_CONTROL }),
    header(`^${at}.*\\.md$`, { 'Content-Type': 'text/markdown; charset=utf-8' }),
    { src: `^${at}$`, dest: `${base}index.md`, ...negotiated },
    { src: `^${at}(.+)/$`, dest: `${base}$1/index.md`, ...negotiated },
  ];
}
