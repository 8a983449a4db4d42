/** Names the host that serves a site, from the site's address and the headers of its responses. Pure. */
import type { Reply } from '../core/answer.ts';
import named from './host-product.json' with { type: 'json' };

/** Hosts that have instructions of their own in fixes, by their kind. */
export const HOST_PRODUCTS_OF = {
  server: ['nginx', 'Apache', 'Caddy', 'GitHub Pages', 'S3 and CloudFront'],
  platform: ['Vercel', 'Netlify', 'Cloudflare'],
  worker: ['Cloudflare'],
} as const;

/** A plain web server, a hosting platform, an edge worker. */
export type HostKind = keyof typeof HOST_PRODUCTS_OF;

export type HostProduct = (typeof HOST_PRODUCTS_OF)[HostKind][number];

interface NamedHost {
  /** `null`: it may be of any kind. */
  readonly kind: HostKind | null;
  /** Absent: fixes have no instructions for it. */
  readonly product?: HostProduct;
}

/**
 * `domains`: under which a provider hosts sites. `headers`: that only one provider sends, on its own addresses and on its
 * customers'. `servers`: the first words of `Server`; CDNs do not count, since any host may be behind them.
 */
const NAMED = named as Record<'domains' | 'headers' | 'servers', Readonly<Record<string, NamedHost>>>;

/** The host that an address names, e.g. Vercel for `harbour.vercel.app`. */
export function hostByAddress({ hostname }: URL): NamedHost | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const domain = Object.keys(NAMED.domains).find((suffix) => name.endsWith(`.${suffix}`));
  return domain === undefined ? undefined : NAMED.domains[domain];
}

export function hostByHeaders({ headers }: Pick<Reply, 'headers'>) {
  const header = Object.keys(NAMED.headers).find((name) => headers.get(name) !== null);
  if (header !== undefined) return { kind: null, ...NAMED.headers[header], header };
  const server = /^[^\s/(]+/.exec(headers.get('server')?.trim() ?? '')?.[0].toLowerCase() ?? '';
  const host = Object.hasOwn(NAMED.servers, server) ? NAMED.servers[server] : undefined;
  return host && { ...host, header: 'server' };
}
