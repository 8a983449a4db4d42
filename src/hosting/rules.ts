import type { HostKind } from '../check.ts';

/** By which rules a host serves a site. */
export interface HostRules {
  readonly kind: HostKind;
  /** The path that the site lives under; begins and ends with a slash. */
  readonly base: string;
  /** Change the documented rules where a check would warn about them, instead of following them to the letter. */
  readonly improved: boolean;
}

/** What a host's configuration is made for. */
export interface ConfigurationRequest extends HostRules {
  /** Where the site will be: gives a server its name and TLS. Its host is a plain name or address. */
  readonly url?: URL | null;
  /** A product whose files differ from those of the others of its kind. */
  readonly product?: 'netlify';
}

/** Extensions of the files that may be kept for 30 days. */
export const LONG_LIVED = ['svg', 'png', 'jpg', 'woff2', 'json'] as const;

/** 30 days in seconds. */
export const LONG_LIFE_SECONDS = 30 * 24 * 60 * 60;

/** What the engine bundle carries, so that a deploy is seen at once. */
export const BUNDLE_CACHE_CONTROL = 'no-cache, must-revalidate';

/** What the long-lived files carry besides their lifetime. */
export const ASSET_CACHE_CONTROL = 'public, no-transform';

/** Media types that a plain web server compresses, besides HTML. */
export const GZIP_TYPES = [
  'text/plain',
  'text/css',
  'text/markdown',
  'application/javascript',
  'application/json',
  'image/svg+xml',
] as const;

/**
 * A base path as a user writes it, with or without its slashes: `docs` → `/docs/`. `null` for one that would need
 * escaping in a configuration or that is no plain path.
 */
export function parseBase(text: string): string | null {
  const segments = text.split('/').filter((segment) => segment !== '');
  const plain = segments.every((segment) => /^[\w~.-]+$/.test(segment) && !/^\.{1,2}$/.test(segment));
  if (!plain || text.trim() === '') return null;
  return segments.length === 0 ? '/' : `/${segments.join('/')}/`;
}

/** A text as it stands in a regular expression, for the characters that a base path may have. */
export function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
