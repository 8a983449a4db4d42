/** Says which files that came are refused by browsers, and why. Pure. */
import type { Evidence } from '../../src/check.ts';
import { isJavaScriptType } from '../../src/expect/script-type.ts';
import type { Rule } from './rules.ts';
import type { LoadedAssets } from './evaluate.ts';
import { isCors, type Asset } from './load.ts';

interface Refusal {
  readonly rule: Rule;
  readonly evidence?: Evidence;
}

/** Why browsers do not use a file that came; `null`: they do. */
export function refusal(asset: Asset, loaded: LoadedAssets, foreign: boolean): Refusal | null {
  const { kind, aside, observed } = asset;
  if (kind === 'style') return styleRefusal(asset, loaded, foreign);
  if (kind === 'script' || kind === 'chunk' || kind === 'modulepreload') {
    if (aside === 'nomodule') return null;
    const refused = scriptRefusal(asset, loaded, foreign);
    // The page starts without it.
    if (refused === null || aside === null || refused.rule === 'script-type-odd') return refused;
    return { rule: 'side-script-refused', evidence: { ...refused.evidence, refused: refused.rule } };
  }
  const picture = kind === 'image' || kind === 'icon';
  return picture && observed.svg && observed.mediaType !== 'image/svg+xml' ? { rule: 'image-type' } : null;
}

/** HTML standard, 8.1.4.2; Fetch standard, 2.9 and 3.6. */
function scriptRefusal(asset: Asset, loaded: LoadedAssets, foreign: boolean): Refusal | null {
  const { observed, urls, module, kind } = asset;
  const other = closed(asset, loaded, foreign);
  if (other !== null) return { rule: other === 'cors' ? 'script-cors' : 'script-integrity', ...digests(asset) };
  if (/\.(?:json|css|wasm)$/.test(urls[0].pathname) || isJavaScriptType(observed.mediaType)) return null;
  if (module || kind !== 'script') return { rule: 'module-type' };
  const blocked = /^(?:audio|image|video)\/|^text\/csv$/.test(observed.mediaType ?? '');
  if (blocked || observed.nosniff) return { rule: 'script-type' };
  return observed.mediaType === null ? null : { rule: 'script-type-odd' };
}

/** HTML standard, 4.6.7.21; Fetch standard, 3.6. A page without a doctype takes the styles of its own host for what they are. */
function styleRefusal(asset: Asset, loaded: LoadedAssets, foreign: boolean): Refusal | null {
  const { observed } = asset;
  const other = closed(asset, loaded, foreign);
  if (other !== null) return { rule: other === 'cors' ? 'style-cors' : 'style-integrity', ...digests(asset) };
  if (observed.mediaType === 'text/css') return null;
  if (observed.nosniff) return { rule: 'style-type' };
  return observed.mediaType === null || (loaded.quirks && !foreign) ? null : { rule: 'style-type' };
}

/** Why a browser may not read a file: its host does not allow it to the page, or it is not what the page announces. */
function closed(asset: Asset, { page }: LoadedAssets, foreign: boolean): 'cors' | 'integrity' | null {
  const { observed, crossorigin, integrity, integrityResult } = asset;
  if (foreign && isCors(asset)) {
    const allowed = observed.allowOrigin?.trim();
    const credentials = crossorigin?.toLowerCase() === 'use-credentials';
    if (allowed !== page.origin && (allowed !== '*' || credentials)) return 'cors';
  }
  // Subresource Integrity, section 3.3.4: without CORS the bytes of other hosts may not be looked at.
  if (foreign && integrity !== null && /sha(?:256|384|512)-/.test(integrity) && !isCors(asset)) return 'cors';
  return integrityResult?.ok === false ? 'integrity' : null;
}

function digests({ integrityResult, observed, crossorigin }: Asset): Pick<Refusal, 'evidence'> {
  const cors = { allowOrigin: observed.allowOrigin, crossorigin };
  if (integrityResult === null || integrityResult.ok) return { evidence: cors };
  return { evidence: { ...cors, expected: integrityResult.expected, actual: integrityResult.actual } };
}
