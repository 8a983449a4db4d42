/** Says which files that came are refused by browsers, and why. Pure. */
import type { Evidence } from '../../src/check.ts';
import { isJavaScriptType } from '../../src/expect/script-type.ts';
import type { Code } from './codes.ts';
import type { Judged } from './judge.ts';
import { isCors, type Asset } from './load.ts';

interface Refusal {
  readonly code: Code;
  readonly evidence?: Evidence;
}

/** Why browsers do not use a file that came; `null`: they do. */
export function refusal(asset: Asset, judged: Judged, foreign: boolean): Refusal | null {
  const { kind, aside, seen } = asset;
  if (kind === 'style') return styleRefusal(asset, judged, foreign);
  if (kind === 'script' || kind === 'chunk' || kind === 'modulepreload') {
    if (aside === 'nomodule') return null;
    const refused = scriptRefusal(asset, judged, foreign);
    // The page starts without it.
    if (refused === null || aside === null || refused.code === 'script-type-odd') return refused;
    return { code: 'side-script-refused', evidence: { ...refused.evidence, refused: refused.code } };
  }
  const picture = kind === 'image' || kind === 'icon';
  return picture && seen.svg && seen.mediaType !== 'image/svg+xml' ? { code: 'image-type' } : null;
}

/** HTML standard, 8.1.4.2; Fetch standard, 2.9 and 3.6. */
function scriptRefusal(asset: Asset, judged: Judged, foreign: boolean): Refusal | null {
  const { seen, urls, module, kind } = asset;
  const other = closed(asset, judged, foreign);
  if (other !== null) return { code: other === 'cors' ? 'script-cors' : 'script-integrity', ...digests(asset) };
  if (/\.(?:json|css|wasm)$/.test(urls[0].pathname) || isJavaScriptType(seen.mediaType)) return null;
  if (module || kind !== 'script') return { code: 'module-type' };
  const blocked = /^(?:audio|image|video)\/|^text\/csv$/.test(seen.mediaType ?? '');
  if (blocked || seen.nosniff) return { code: 'script-type' };
  return seen.mediaType === null ? null : { code: 'script-type-odd' };
}

/** HTML standard, 4.6.7.21; Fetch standard, 3.6. A page without a doctype takes the styles of its own host for what they are. */
function styleRefusal(asset: Asset, judged: Judged, foreign: boolean): Refusal | null {
  const { seen } = asset;
  const other = closed(asset, judged, foreign);
  if (other !== null) return { code: other === 'cors' ? 'style-cors' : 'style-integrity', ...digests(asset) };
  if (seen.mediaType === 'text/css') return null;
  if (seen.nosniff) return { code: 'style-type' };
  return seen.mediaType === null || (judged.quirks && !foreign) ? null : { code: 'style-type' };
}

/** Why a browser may not read a file: its host does not allow it to the page, or it is not what the page announces. */
function closed(asset: Asset, { page }: Judged, foreign: boolean): 'cors' | 'integrity' | null {
  const { seen, crossorigin, integrity, integrityResult } = asset;
  if (foreign && isCors(asset)) {
    const allowed = seen.allowOrigin?.trim();
    const credentials = crossorigin?.toLowerCase() === 'use-credentials';
    if (allowed !== page.origin && (allowed !== '*' || credentials)) return 'cors';
  }
  // Subresource Integrity, section 3.3.4: without CORS the bytes of other hosts may not be looked at.
  if (foreign && integrity !== null && /sha(?:256|384|512)-/.test(integrity) && !isCors(asset)) return 'cors';
  return integrityResult?.ok === false ? 'integrity' : null;
}

function digests({ integrityResult, seen, crossorigin }: Asset): Pick<Refusal, 'evidence'> {
  const cors = { allowOrigin: seen.allowOrigin, crossorigin };
  if (integrityResult === null || integrityResult.ok) return { evidence: cors };
  return { evidence: { ...cors, expected: integrityResult.expected, actual: integrityResult.actual } };
}
