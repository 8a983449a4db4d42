/** The configuration files of hosts. Their texts are in `templates/`. */
import path from 'node:path';
import templates from '../generated/templates.json' with { type: 'json' };
import { ASSET_CACHE_CONTROL, BUNDLE_CACHE_CONTROL, GZIP_TYPES, LONG_LIFE_SECONDS, LONG_LIVED } from './rules.ts';
import type { ConfigurationRequest, HostRules } from './rules.ts';

export interface HostFile {
  readonly name: string;
  readonly text: string;
}

/** The files, and notes on one whose format has no comments. */
export function hostConfiguration(request: ConfigurationRequest) {
  if (request.product === 'netlify') return { files: netlifyConfiguration(request), notes: null };
  if (request.kind === 'platform') return vercelConfiguration(request);
  if (request.kind === 'worker') return { files: cloudflareConfiguration(request), notes: null };
  const text = request.snippet === true ? nginxSnippet(request.base) : nginxConfiguration(request);
  return { files: [{ name: 'docs.conf', text }], notes: null };
}

export const NGINX_ROOT = '/var/www/docs';
const NGINX_FILES = { root: NGINX_ROOT, types: GZIP_TYPES };

const NGINX_CACHING = {
  assets: String.raw`\.(${LONG_LIVED.join('|')})$`,
  bundleCaching: BUNDLE_CACHE_CONTROL,
  assetCaching: ASSET_CACHE_CONTROL,
};

/** The locations of a site below a path, for the server block of another site. */
function nginxSnippet(base: string): string {
  const bare = base.slice(0, -1);
  return fill('nginx-snippet.conf', { ...NGINX_CACHING, ...NGINX_FILES, base, bare, below: belowRoot(base) });
}

export function nginxConfiguration({ base, improved, url = null }: ConfigurationRequest): string {
  // Any other host would have to be escaped, and cannot be in a certificate.
  const named = url !== null && /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url : null;
  return fill(improved ? 'nginx.conf' : 'nginx-documented.conf', {
    ...NGINX_CACHING,
    base,
    below: base !== '/',
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
    ...NGINX_FILES,
    below: belowRoot(base),
  });
}

const belowRoot = (base: string): string =>
  base === '/' ? '' : ` The site itself is below it, in ${NGINX_ROOT}${base.slice(0, -1)}.`;

const CACHING = {
  bundleCaching: BUNDLE_CACHE_CONTROL,
  assetCaching: `${ASSET_CACHE_CONTROL}, max-age=${LONG_LIFE_SECONDS}`,
  extensions: LONG_LIVED.join('|'),
};

function cloudflareConfiguration(request: ConfigurationRequest): readonly HostFile[] {
  const { base, improved, folder = null } = request;
  const settings = {
    below: placeOf(request, 'it'),
    directory: JSON.stringify(`./${folder ?? 'public'}`),
    missing: improved ? 'Differs (soft 404): a' : 'A',
  };
  return [
    { name: 'worker.js', text: edgeCode('worker', request) },
    { name: 'wrangler.jsonc', text: fill('wrangler.jsonc', settings) },
    ...(improved ? [] : [{ name: 'public/_redirects', text: fill('cloudflare-redirects', { base }) }]),
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

function edgeCode(name: 'worker' | 'netlify', { base, improved }: HostRules): string {
  return fill('edge.js', {
    name,
    worker: name === 'worker',
    documentedWorker: name === 'worker' && !improved,
    improved,
    base,
    ...CACHING,
  });
}

/**
 * `vercel.json` and, because JSON has no comments, notes on it. The improved rules are `routes`, the platform's low-level
 * form: the only one that rewrites before it looks for a file. Unlike `trailingSlash: true`, they do not take `v1.2/` for
 * a file.
 */
function vercelConfiguration({ base, improved, folder }: ConfigurationRequest) {
  const settings = fill(improved ? 'vercel.json' : 'vercel-documented.json', {
    base,
    home: base === '/' ? '/' : base.slice(0, -1),
    at: base.replaceAll('.', String.raw`\\.`),
    ...CACHING,
  });
  const json = {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    ...(folder ? { outputDirectory: folder } : {}),
    ...(JSON.parse(settings) as object),
  };
  const notes = fill(improved ? 'vercel.notes.md' : 'vercel-documented.notes.md', {
    base,
    below: base === '/' ? null : base.slice(1),
  });
  return {
    files: [{ name: 'vercel.json', text: `${JSON.stringify(json, null, 2)}\n` }],
    notes: { name: 'vercel.notes.md', text: notes },
  };
}

type Values = Readonly<Record<string, string | boolean | null | undefined>>;

/**
 * A file of `templates/` with its values. `@{name}` is a value; a line with nothing else also takes the line end, so that
 * its value is whole lines. The lines from `@{if name}` to `@{end}` are kept where the value is set.
 */
export function fill(template: keyof typeof templates, values: Values): string {
  return templates[template]
    .replaceAll(/^@\{(if|unless) (\w+)\}\n([^]*?)^@\{end\}\n/gm, (_, word: string, name: string, lines: string) =>
      Boolean(values[name]) === (word === 'if') ? lines : '',
    )
    .replaceAll(/^@\{(\w+)\}\n|@\{(\w+)\}/gm, (_, line: string | undefined, inline: string | undefined) =>
      String(values[line ?? inline ?? '']),
    );
}
