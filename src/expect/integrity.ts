import { createHash } from 'node:crypto';

/** The hash functions of Subresource Integrity (W3C, section 3.2), the strongest first. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256'] as const;

/** What an `integrity` attribute says of a body; `actual` is its digest under the strongest function that is named. */
export type Integrity =
  | { readonly ok: true }
  | { readonly ok: false; readonly expected: readonly string[]; readonly actual: string };

/** One value: `sha384-` and a digest in base64 (or base64url), options after a question mark left out. */
const VALUE = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/;

/**
 * Whether a body is what an `integrity` attribute announces (Subresource Integrity, section 3.3.4): of several values
 * those of the strongest function count, and one of them has to match. Values that browsers do not understand count for nothing.
 */
export function integrityOf(attribute: string, body: Uint8Array): Integrity {
  const values = attribute.split(/\s+/).flatMap((value) => {
    const [, algorithm, digest] = VALUE.exec(value) ?? [];
    return algorithm === undefined || digest === undefined ? [] : [{ algorithm, digest }];
  });
  const strongest = ALGORITHMS.find((name) => values.some(({ algorithm }) => algorithm === name));
  if (strongest === undefined) return { ok: true };
  const actual = createHash(strongest).update(body).digest('base64');
  const expected = values.filter(({ algorithm }) => algorithm === strongest).map(({ digest }) => digest);
  if (expected.some((digest) => plain(digest) === plain(actual))) return { ok: true };
  return {
    ok: false,
    expected: expected.map((digest) => `${strongest}-${digest}`),
    actual: `${strongest}-${actual}`,
  };
}

const plain = (digest: string): string => digest.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
