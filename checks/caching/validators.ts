/** Judges whether caches can ask if a file has changed, and get a 304 where it has not (RFC 9110, sections 8.8 and 13). Pure. */
import { freshness } from '../../src/parse/cache-control.ts';
import type { CachedFile, Revalidation } from './files.ts';
import { MOST_SHOWN, named, type CachingFinding } from './freshness.ts';

/** A year less a day, in seconds: such files are never asked for again. */
const FOREVER = 364 * 86_400;

/** The findings about validators. */
export function evaluateValidators(files: readonly CachedFile[]): readonly CachingFinding[] {
  return [
    ...named('no-validators', files.filter(lacksValidator)),
    ...found('not-revalidated', files, isIgnored),
    ...found('etag-unstable', files, hasOtherEtag),
  ];
}

function lacksValidator({ headers }: CachedFile): boolean {
  const { source, seconds } = freshness(headers, 'browser');
  if (source === 'no-store' || seconds >= FOREVER) return false;
  return headers.get('etag') === null && headers.get('last-modified') === null;
}

/** The same bytes came whole, under the same validator: the host does not look at what it was asked with. */
function isIgnored(again: Revalidation, file: CachedFile): boolean {
  return again.status === 200 && again.sameBytes && !hasOtherEtag(again, file);
}

/** The same bytes under another ETag; weak or strong makes no difference here (section 8.8.3.2). */
function hasOtherEtag({ status, etag, sameBytes }: Revalidation, { headers }: CachedFile): boolean {
  const known = headers.get('etag');
  const unchanged = status === 304 || (status === 200 && sameBytes);
  return unchanged && known !== null && etag !== null && opaque(etag) !== opaque(known);
}

const opaque = (etag: string): string => etag.replace(/^W\//, '');

function found(
  rule: 'not-revalidated' | 'etag-unstable',
  files: readonly CachedFile[],
  isFault: (again: Revalidation, file: CachedFile) => boolean,
): readonly CachingFinding[] {
  const faults = files.flatMap((file) => {
    const again = file.again.find((one) => isFault(one, file));
    if (again === undefined) return [];
    const { sent, status, etag } = again;
    const known = file.headers.get(sent === 'if-none-match' ? 'etag' : 'last-modified');
    const asked = { [sent === 'if-none-match' ? 'ifNoneMatch' : 'ifModifiedSince']: known };
    return [{ path: file.path, ...asked, status, ...(etag === null ? {} : { etag }) }];
  });
  return faults.length === 0 ? [] : [{ rule, evidence: { files: faults.slice(0, MOST_SHOWN) } }];
}
