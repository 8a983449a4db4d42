/** Names the product that serves a site, from the site's address and the headers of its responses. Pure. */
import type { HostKind, Reply } from './check.ts';

/** Hosts that fixes have instructions of their own for. */
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

/** Which of them may be a host of a kind that the user configured. */
export const HOST_PRODUCTS_OF: Readonly<Record<HostKind, readonly HostProduct[]>> = {
  server: ['nginx', 'Apache', 'Caddy', 'GitHub Pages', 'S3 and CloudFront'],
  platform: ['Vercel', 'Netlify', 'Cloudflare'],
  worker: ['Cloudflare'],
};

/** Domains under which a provider gives out the addresses of sites. */
const DOMAINS: Readonly<Record<string, HostProduct>> = {
  'vercel.app': 'Vercel',
  'now.sh': 'Vercel',
  'netlify.app': 'Netlify',
  'pages.dev': 'Cloudflare',
  'workers.dev': 'Cloudflare',
  'github.io': 'GitHub Pages',
  'cloudfront.net': 'S3 and CloudFront',
  'amazonaws.com': 'S3 and CloudFront',
};

/** Products by the first word of `Server`. Cloudflare is missing: the name may be that of a CDN in front of any host. */
const SERVERS: Readonly<Record<string, HostProduct>> = {
  nginx: 'nginx',
  openresty: 'nginx',
  tengine: 'nginx',
  angie: 'nginx',
  freenginx: 'nginx',
  apache: 'Apache',
  httpd: 'Apache',
  litespeed: 'Apache',
  caddy: 'Caddy',
  vercel: 'Vercel',
  netlify: 'Netlify',
  'github.com': 'GitHub Pages',
  amazons3: 'S3 and CloudFront',
};

/** The product that an address names, e.g. Vercel for `harbour.vercel.app`. */
export function productByAddress({ hostname }: URL): HostProduct | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const domain = Object.keys(DOMAINS).find((suffix) => name.endsWith(`.${suffix}`));
  return domain === undefined ? undefined : DOMAINS[domain];
}

/** The product that the headers of a response name. */
export function productByHeaders({ headers }: Pick<Reply, 'headers'>): HostProduct | undefined {
  if (headers.get('x-vercel-id') !== null) return 'Vercel';
  if (headers.get('x-nf-request-id') !== null) return 'Netlify';
  const server = /^[^\s/(]+/.exec(headers.get('server')?.trim() ?? '')?.[0].toLowerCase() ?? '';
  return Object.hasOwn(SERVERS, server) ? SERVERS[server] : undefined;
}
