/** The configuration file of Vercel. */
import type { HostConfiguration } from './configuration.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';
import { fill } from './template.ts';

/** `vercel.json` and, because JSON has no comments, notes on it. */
export function vercelConfiguration(rules: HostRules): HostConfiguration {
  const settings = rules.improved ? { routes: improvedRoutes(rules.base) } : documentedSettings(rules.base);
  const json = { $schema: 'https://openapi.vercel.sh/vercel.json', ...settings };
  const placement =
    rules.base === '/'
      ? 'Put `vercel.json` beside the site’s files, at the root of what is deployed.\n'
      : `Put \`vercel.json\` at the root of what is deployed; the site’s files are below it, in \`${rules.base.slice(1)}\`.\n`;
  const notes = fill(rules.improved ? 'vercel.notes.md' : 'vercel-documented.notes.md', {
    base: rules.base,
    placement,
  });
  return {
    files: [{ name: 'vercel.json', text: `${JSON.stringify(json, null, 2)}\n` }],
    notes: { name: 'vercel.notes.md', text: notes },
  };
}

/** A condition on a request header: a regular expression for its value. */
interface HeaderCondition {
  readonly type: 'header';
  readonly key: string;
  readonly value: string;
}

/** A rule of `routes`, the platform's low-level form: the only one that rewrites before it looks for a file. */
interface Route {
  /** Regular expression for the whole path; ignores letter case. */
  readonly src: string;
  /** All of these must hold. */
  readonly has?: readonly HeaderCondition[];
  /** None of these may hold. */
  readonly missing?: readonly HeaderCondition[];
  readonly dest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** Continue with the next rule. */
  readonly continue?: true;
}

const accept = (value: string): HeaderCondition => ({ type: 'header', key: 'accept', value });

/** The documented condition for Markdown. */
const NAMES_MARKDOWN = accept('.*text/markdown.*');

/** Markdown with a quality below 1, and what stands for HTML with quality 1. */
const LESSER_MARKDOWN = String.raw`text/markdown\s*(?:;[^,;]*)*;\s*q=0[^,]*`;
const FULL_HTML = String.raw`(?:text/html|text/\*|\*/\*)\s*`;

/** `Accept` values that name Markdown but refuse it, or prefer HTML. */
const DECLINES_MARKDOWN: readonly HeaderCondition[] = [
  accept(String.raw`(?:^|.*,\s*)text/markdown\s*(?:;[^,;]*)*;\s*q=0(?:\.0*)?\s*(?:,.*)?$`),
  accept(String.raw`.*${LESSER_MARKDOWN},(?:.*,)?\s*${FULL_HTML}(?:,.*)?$`),
  accept(String.raw`(?:^|.*,\s*)${FULL_HTML},(?:.*,)?\s*${LESSER_MARKDOWN}.*`),
];

function improvedRoutes(base: string): readonly Route[] {
  const at = base.replaceAll('.', String.raw`\.`);
  const negotiated = { has: [NAMES_MARKDOWN], missing: DECLINES_MARKDOWN };
  const header = (src: string, headers: Readonly<Record<string, string>>): Route => ({ src, headers, continue: true });
  return [
    // `trailingSlash: true`, except that `v1.2/` is not taken for a file.
    { src: String.raw`^/\.well-known(?:/.*)?$` },
    { src: String.raw`^/((?:[^/]+/)*[^/\.]+)$`, headers: { Location: '/$1/' }, status: 308 },
    { src: String.raw`^/((?:[^/]+/)*[^/]+\.[a-z]\w*)/$`, headers: { Location: '/$1' }, status: 308 },
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

const documentedSettings = (base: string): object => ({
  trailingSlash: true,
  cleanUrls: false,
  rewrites: [
    { source: `${base}:path*/`, has: [NAMES_MARKDOWN], destination: `${base}:path*/index.md` },
    { source: base === '/' ? '/' : base.slice(0, -1), destination: `${base}index.html` },
  ],
});
