/** The configuration file of Vercel. */
import type { HostConfiguration } from './configuration.ts';
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, LONG_LIFE_SECONDS, LONG_LIVED, type HostRules } from './rules.ts';

/** `vercel.json` and, because JSON has no comments, notes on it. */
export function vercelConfiguration(rules: HostRules): HostConfiguration {
  const settings = rules.improved ? { routes: improvedRoutes(rules.base) } : documentedSettings(rules.base);
  const json = { $schema: 'https://openapi.vercel.sh/vercel.json', ...settings };
  return {
    files: [{ name: 'vercel.json', text: `${JSON.stringify(json, null, 2)}\n` }],
    notes: { name: 'vercel.notes.md', text: rules.improved ? fixedNotes(rules.base) : documentedNotes(rules.base) },
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

const placement = (base: string): string =>
  base === '/'
    ? 'Put `vercel.json` beside the site’s files, at the root of what is deployed.'
    : `Put \`vercel.json\` at the root of what is deployed; the site’s files are below it, in \`${base.slice(1)}\`.`;

const documentedNotes = (base: string): string => `# Notes on vercel.json

${placement(base)}
These are the documented rules. The platform’s own order (redirects and headers, then files, then rewrites) limits them,
so \`docvitals check --full\` warns about them:

- \`negotiation/filesystem-first\`: files come before rewrites, so a folder with an \`index.html\`, such as \`${base}\`
  itself, never negotiates.
- \`negotiation/slash-dropped\`: a folder with a dot in its name (\`v1.2/\`) loses its slash to \`trailingSlash\`, so it
  never negotiates.
- \`negotiation/q-values-ignored\`: the condition finds \`text/markdown\` anywhere in \`Accept\`, also with \`q=0\`.
- \`negotiation/vary-missing\`: no response carries \`Vary: Accept\`, so a cache in front may mix Markdown and HTML.
- \`caching/assets-not-cached\`: the rules set no \`Cache-Control\`, so images and fonts are requested again on every visit.

\`trailingSlash\` redirects before rewrites: a path without its slash and without a dot never reaches the second rewrite.
Without \`--documented\`, \`docvitals hosting platform\` prints rules that pass.
`;

const fixedNotes = (base: string): string => `# Notes on vercel.json

${placement(base)}
\`docvitals check --full --strict\` passes with it. It uses \`routes\`, because only they can rewrite before the platform
looks for files; the platform allows no \`rewrites\`, \`headers\`, \`cleanUrls\` or \`trailingSlash\` beside them. "Differs"
marks what is changed in the documented rules, which \`docvitals hosting platform --documented\` prints. Rule by rule, in
the order of the file:

1. \`/.well-known\` and the two redirects do what \`trailingSlash: true\` does. Differs: what follows a dot has to begin
   with a letter, so a folder such as \`v1.2/\` is not taken for a file and keeps its slash.
2. Differs (Vary): every negotiated path (it ends in a slash) carries \`Vary: Accept\`.
3. Differs (caching): the bundle carries \`no-cache, must-revalidate\`, and assets are kept for 30 days. \`config.json\` is
   revalidated like the bundle; the rule for \`.json\` files would keep it for 30 days.
4. Markdown is sent as \`text/markdown\`, whatever type the platform has for it.
5. Differs (files first): the two rewrites to \`index.md\` come before the file system, so a folder with an \`index.html\`,
   such as \`${base}\` itself, negotiates too.
6. Differs (q-values): the rewrites do not apply if \`Accept\` has \`text/markdown;q=0\`, or gives Markdown a quality below
   1 and HTML (or \`*/*\`) none, which is 1. A pattern cannot compare two qualities below 1: Markdown wins.
7. Differs (soft 404): nothing comes after the file system, so a missing file is answered with 404.
`;
