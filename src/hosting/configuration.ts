/** The configuration files of hosts. Their texts are in `templates/`. */
import path from 'node:path';
import {
  ASSET_CACHE_CONTROL,
  BUNDLE_CACHE_CONTROL,
  GZIP_TYPES,
  LONG_LIFE_SECONDS,
  LONG_LIVED,
  type ConfigurationRequest,
  type HostRules,
} from './rules.ts';
import { fill } from './template.ts';

export interface HostFile {
  readonly name: string;
  readonly text: string;
}

export interface HostConfiguration {
  readonly files: readonly HostFile[];
  /** Explains a file whose format has no comments. */
  readonly notes: HostFile | null;
}

export function hostConfiguration(request: ConfigurationRequest): HostConfiguration {
  if (request.product === 'netlify') return { files: netlifyConfiguration(request), notes: null };
  if (request.kind === 'platform') return vercelConfiguration(request);
  if (request.kind === 'worker') return { files: cloudflareConfiguration(request), notes: null };
  return { files: [{ name: 'docs.conf', text: nginxConfiguration(request) }], notes: null };
}

export const NGINX_ROOT = '/var/www/docs';

export function nginxConfiguration({ base, improved, url = null }: ConfigurationRequest): string {
  // Any other host would have to be escaped, and cannot be in a certificate.
  const named = url !== null && /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url : null;
  return fill(improved ? 'nginx.conf' : 'nginx-documented.conf', {
    base,
    assets: String.raw`\.(${LONG_LIVED.join('|')})$`,
    bundleCaching: BUNDLE_CACHE_CONTROL,
    assetCaching: ASSET_CACHE_CONTROL,
    tls: named?.protocol === 'https:',
    server: serverBlock(base, named),
  });
}

function serverBlock(base: string, url: URL | null): string {
  const tls = url?.protocol === 'https:';
  return fill('nginx-server.conf', {
    base,
    tls,
    plain: url !== null && !tls,
    name: url?.hostname ?? null,
    address: url?.hostname.startsWith('[') ? '[::]:' : '',
    listen: url?.port || (tls ? '443' : '80'),
    port: url?.port ? `:${url.port}` : '',
    root: NGINX_ROOT,
    below: base === '/' ? '' : ` The site itself is below it, in ${NGINX_ROOT}${base.slice(0, -1)}.`,
    types: GZIP_TYPES.join(' '),
  });
}

function cloudflareConfiguration(request: ConfigurationRequest): readonly HostFile[] {
  const { base, improved, folder = null } = request;
  const settings = {
    below: placeOf(request, 'it'),
    directory: JSON.stringify(`./${folder ?? 'public'}`),
    missing: improved ? 'Differs (soft 404): a' : 'A',
  };
  const redirects = `# The site's own address shows the bundle: with "html_handling": "none" only exact names do.
${base} ${base}index.html 200
`;
  return [
    { name: 'worker.js', text: edgeCode('worker', request) },
    { name: 'wrangler.jsonc', text: fill('wrangler.jsonc', settings) },
    ...(improved ? [] : [{ name: 'public/_redirects', text: redirects }]),
  ];
}

/** Where the site is, for a comment on the deployed folder. */
function placeOf({ base, folder = null }: ConfigurationRequest, pronoun: string): string {
  const named = folder === null ? `public${base}` : JSON.stringify(path.posix.join(folder, base.slice(1)));
  return base === '/' ? '.' : `; the site itself is below ${pronoun}, in ${named}.`;
}

/** The settings and an edge function: Netlify's redirects and headers cannot depend on `Accept`. */
function netlifyConfiguration(request: ConfigurationRequest): readonly HostFile[] {
  const { folder = null } = request;
  const settings = {
    below: placeOf(request, 'them'),
    publish: JSON.stringify(folder === null ? 'public' : folder || '.'),
  };
  return [
    { name: 'netlify.toml', text: fill('netlify.toml', settings) },
    { name: 'netlify/edge-functions/docs.js', text: edgeCode('netlify', request) },
  ];
}

const EDGE_COMPRESSION =
  '// compression/vary-accept-encoding: what the edge compresses carries no Vary: Accept-Encoding.\n';

function edgeCode(name: 'worker' | 'netlify', { base, improved }: HostRules): string {
  return fill('edge.js', {
    name,
    worker: name === 'worker',
    improved,
    base,
    compression: name === 'worker' ? EDGE_COMPRESSION : '',
    bundleCaching: BUNDLE_CACHE_CONTROL,
    assetCaching: `${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}`,
    extensions: LONG_LIVED.join('|'),
  });
}

/** `vercel.json` and, because JSON has no comments, notes on it. */
function vercelConfiguration({ folder, ...rules }: ConfigurationRequest): HostConfiguration {
  const settings = rules.improved ? { routes: improvedRoutes(rules.base) } : documentedSettings(rules.base);
  const deployed = folder ? { outputDirectory: folder } : {};
  const json = { $schema: 'https://openapi.vercel.sh/vercel.json', ...deployed, ...settings };
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

/** A condition on the request header `Accept`: a regular expression for its value. */
const accept = (value: string) => ({ type: 'header', key: 'accept', value });

type HeaderCondition = ReturnType<typeof accept>;

/** A rule of `routes`, the platform's low-level form: the only one that rewrites before it looks for a file. */
interface Route {
  /** Regular expression for the whole path; ignores letter case. */
  readonly src: string;
  readonly has?: readonly HeaderCondition[];
  readonly missing?: readonly HeaderCondition[];
  readonly dest?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly continue?: true;
}

const NAMES_MARKDOWN = accept('.*text/markdown.*');

/** Markdown with a quality below 1, and types that match HTML with quality 1. */
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
