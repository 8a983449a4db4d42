/** Tells whether the bundle is another one than before a deploy. Pure. */
import type { ReadonlyHeaders, Since } from '../../src/check.ts';

/** What hosts append to an `ETag` for a file that they compress: mod_deflate, mod_brotli, Caddy, Jetty. */
const CODING = /(?:--?|;)(?:gzip|br|zstd|deflate)$/;

/** Whether the validators of a bundle differ from what they were; `null`: the host sends none that could be compared. */
export function isChanged(headers: ReadonlyHeaders, since: Since): boolean | null {
  if ('etag' in since) {
    const etag = headers.get('etag');
    return etag === null || opaque(etag) === '' ? null : opaque(etag) !== opaque(since.etag);
  }
  const modified = Date.parse(headers.get('last-modified') ?? '');
  return Number.isNaN(modified) ? null : modified > since.modifiedMs;
}

/**
 * What two `ETag`s are compared by: weakly (RFC 9110, section 8.8.3.2), because hosts make a strong one weak when they
 * compress, and without the mark of a coding.
 */
function opaque(etag: string): string {
  const tag = etag.trim().replace(/^W\//i, '');
  return tag.replaceAll(/^"|"$/g, '').replace(CODING, '');
}
