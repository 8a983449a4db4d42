import type { HostKind } from '../site/host-product.ts';

export const HOST_KINDS = ['server', 'platform', 'worker'] as const satisfies readonly HostKind[];

export const KIND_OF_PRODUCT = {
  nginx: 'server',
  vercel: 'platform',
  netlify: 'platform',
  cloudflare: 'worker',
} as const satisfies Readonly<Record<string, HostKind>>;

export type HostProduct = keyof typeof KIND_OF_PRODUCT;

/** Hosts without a configuration to generate: their kind, and their section of the hosting guide. */
export const GUIDED_HOSTS = {
  apache: { kind: 'server', section: 'Apache' },
  caddy: { kind: 'server', section: 'Caddy' },
  'github-pages': { kind: 'server', section: 'GitHub Pages' },
  s3: { kind: 'server', section: 'S3 and CloudFront' },
  'cloudflare-pages': { kind: 'platform', section: 'Cloudflare' },
} as const satisfies Readonly<Record<string, { readonly kind: HostKind; readonly section: string }>>;

export type GuidedHost = keyof typeof GUIDED_HOSTS;

export const HOST_NAMES = [...HOST_KINDS, ...Object.keys(KIND_OF_PRODUCT), ...Object.keys(GUIDED_HOSTS)];

export const HOST_NAMES_HELP =
  'server (nginx, apache, caddy, github-pages, s3), platform (vercel, netlify, cloudflare-pages), worker (cloudflare)';

export function hostKindOf(name: string): HostKind | null {
  const [product, guided] = [hostProductOf(name), guidedHostOf(name)];
  if (product !== null) return KIND_OF_PRODUCT[product];
  if (guided !== null) return GUIDED_HOSTS[guided].kind;
  return HOST_KINDS.find((kind) => kind === name) ?? null;
}

export function guidedHostOf(name: string): GuidedHost | null {
  return Object.hasOwn(GUIDED_HOSTS, name) ? (name as GuidedHost) : null;
}

/** The product that a name means; `null`: it is the name of a kind, or unknown. */
export function hostProductOf(name: string): HostProduct | null {
  return Object.hasOwn(KIND_OF_PRODUCT, name) ? (name as HostProduct) : null;
}

export interface HostRules {
  readonly kind: HostKind;
  /** Path of the site; begins and ends with a slash. */
  readonly base: string;
  /** Change the documented rules where a check would warn about them. */
  readonly improved: boolean;
}

export interface ConfigurationRequest extends HostRules {
  /** Address of the site: gives a server its name and TLS. Its host is a plain name or address. */
  readonly url?: URL | null;
  /** Default: the usual one of its kind. */
  readonly product?: HostProduct | null;
  /** Only what goes into a server block that exists; its base is not `/`. */
  readonly snippet?: boolean;
  /** The deployed folder, relative to that of the files; default: one that the user replaces. */
  readonly folder?: string | null;
}

export const LONG_LIVED = ['svg', 'png', 'jpg', 'woff2', 'json'] as const;

export const LONG_LIFE_SECONDS = 30 * 24 * 60 * 60;

/** `Cache-Control` of the engine bundle, so that browsers load a new deployment at once. */
export const BUNDLE_CACHE_CONTROL = 'no-cache, must-revalidate';

/** `Cache-Control` of the long-lived files, besides their lifetime. */
export const ASSET_CACHE_CONTROL = 'public, no-transform';

/** Media types that a plain web server compresses, besides HTML; separated as nginx wants them. */
export const GZIP_TYPES = 'text/plain text/css text/markdown application/javascript application/json image/svg+xml';

/**
 * Reads a base path with or without its slashes: `docs` → `/docs/`. `null` for one that a configuration would have to
 * escape, and for one that is not a plain path.
 */
export function parseBase(text: string): string | null {
  const segments = text.split('/').filter((segment) => segment !== '');
  const plain = segments.every((segment) => /^[\w~.-]+$/.test(segment) && !/^\.{1,2}$/.test(segment));
  if (!plain || text.trim() === '') return null;
  return segments.length === 0 ? '/' : `/${segments.join('/')}/`;
}
