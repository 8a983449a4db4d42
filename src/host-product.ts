/** Names the host that serves a site, from the site's address and the headers of its responses. Pure. */
import type { HostKind, Reply } from './check.ts';

/** Hosts that have instructions of their own in fixes. */
export const HOST_PRODUCTS = [
  'nginx',
  'Apache',
  'Caddy',
  'Vercel',
  'Netlify',
  'Cloudflare',
  'GitHub Pages',
  'S3 and CloudFront',
] as const;
export type HostProduct = (typeof HOST_PRODUCTS)[number];

export const HOST_PRODUCTS_OF: Readonly<Record<HostKind, readonly HostProduct[]>> = {
  server: ['nginx', 'Apache', 'Caddy', 'GitHub Pages', 'S3 and CloudFront'],
  platform: ['Vercel', 'Netlify', 'Cloudflare'],
  worker: ['Cloudflare'],
};

interface NamedHost {
  /** `null`: it may be of any kind. */
  readonly kind: HostKind | null;
  /** Absent: fixes have no instructions for it. */
  readonly product?: HostProduct;
}

const VERCEL: NamedHost = { kind: 'platform', product: 'Vercel' };
const NETLIFY: NamedHost = { kind: 'platform', product: 'Netlify' };
const NGINX: NamedHost = { kind: 'server', product: 'nginx' };
const APACHE: NamedHost = { kind: 'server', product: 'Apache' };
const GITHUB_PAGES: NamedHost = { kind: 'server', product: 'GitHub Pages' };
const SERVER: NamedHost = { kind: 'server' };

/** Domains under which a provider hosts sites. */
const DOMAINS: Readonly<Record<string, NamedHost>> = {
  'vercel.app': VERCEL,
  'now.sh': VERCEL,
  'netlify.app': NETLIFY,
  'pages.dev': { kind: 'platform', product: 'Cloudflare' },
  'workers.dev': { kind: 'worker', product: 'Cloudflare' },
  'deno.dev': { kind: 'worker' },
  'github.io': GITHUB_PAGES,
  'gitlab.io': SERVER,
  'bitbucket.io': SERVER,
  'codeberg.page': SERVER,
  'surge.sh': SERVER,
  'cloudfront.net': { kind: null, product: 'S3 and CloudFront' },
  'amazonaws.com': { kind: null, product: 'S3 and CloudFront' },
};

/** Headers that only one provider sends, on its own addresses and on its customers'. */
const HEADERS: Readonly<Record<string, NamedHost>> = { 'x-vercel-id': VERCEL, 'x-nf-request-id': NETLIFY };

/** The first words of `Server`. CDNs do not count: any host may be behind them. */
const SERVERS: readonly (readonly [NamedHost, ...names: string[]])[] = [
  [VERCEL, 'vercel'],
  [NETLIFY, 'netlify'],
  [{ kind: 'worker' }, 'deno'],
  [NGINX, 'nginx', 'openresty', 'tengine', 'angie', 'freenginx'],
  [APACHE, 'apache', 'httpd', 'litespeed'],
  [{ kind: 'server', product: 'Caddy' }, 'caddy'],
  [GITHUB_PAGES, 'github.com'],
  [{ kind: 'server', product: 'S3 and CloudFront' }, 'amazons3'],
  [SERVER, 'lighttpd', 'h2o', 'cherokee', 'hiawatha', 'thttpd', 'mini_httpd', 'microsoft-iis', 'static-web-server'],
  [SERVER, 'simplehttp', 'webrick', 'jetty', 'minio'],
];

/** The host that an address names, e.g. Vercel for `harbour.vercel.app`. */
export function hostByAddress({ hostname }: URL): NamedHost | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const domain = Object.keys(DOMAINS).find((suffix) => name.endsWith(`.${suffix}`));
  return domain === undefined ? undefined : DOMAINS[domain];
}

export function hostByHeaders({
  headers,
}: Pick<Reply, 'headers'>): (NamedHost & { readonly header: string }) | undefined {
  const header = Object.keys(HEADERS).find((name) => headers.get(name) !== null);
  if (header !== undefined) return { kind: null, ...HEADERS[header], header };
  const server = /^[^\s/(]+/.exec(headers.get('server')?.trim() ?? '')?.[0].toLowerCase() ?? '';
  const [host] = SERVERS.find(([, ...names]) => names.includes(server)) ?? [];
  return host && { ...host, header: 'server' };
}
