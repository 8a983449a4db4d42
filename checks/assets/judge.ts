/** Judges what came for the files that a page loads. Pure. */
import type { Draft, Evidence, Location } from '../../src/check.ts';
import { isJavaScriptType } from '../../src/expect/script-type.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { excerpt, position } from '../../src/parse/position.ts';
import { CODES, VITAL, type Code } from './codes.ts';
import { isCors, type Asset } from './load.ts';
import type { From, Insecure, WantedKind } from './wanted.ts';

/** What of a site's assets is judged. */
export interface Judged {
  readonly page: URL;
  readonly quirks: boolean;
  readonly assets: readonly Asset[];
  readonly insecure: readonly Insecure[];
  /** The texts that places are in. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Fault {
  readonly code: Code;
  readonly url: string;
  readonly evidence: Evidence;
  readonly from: From;
}

const MOST_FAULTS = 100;
const MOST_PLACES = 100;

/** One draft for each code and file, with every place that names the file. */
export function judgeAssets(judged: Judged): readonly Draft<Code>[] {
  const faults = [...judged.assets.flatMap((asset) => faultsOf(asset, judged)), ...judged.insecure.map(mixed)];
  const grouped = Map.groupBy(faults, ({ code, url }) => (code in OF_THE_RUN ? code : `${code} ${url}`));
  // What keeps the page blank comes first.
  const gravest = [...grouped.values()].toSorted(([a], [b]) => gravity(a) - gravity(b));
  return gravest.slice(0, MOST_FAULTS).map((group) => draftOf(group, judged.texts));
}

function gravity(fault: Fault | undefined): number {
  if (fault === undefined || VITAL.includes(fault.code)) return 0;
  return CODES[fault.code] === 'error' ? 1 : 2;
}

function draftOf(group: readonly Fault[], texts: Judged['texts']): Draft<Code> {
  const [first] = group as readonly [Fault, ...Fault[]];
  const places = group.slice(0, MOST_PLACES).map(({ from }) => locationOf(from, texts));
  const [location] = places;
  const text = texts.get(first.from.file) ?? '';
  return {
    code: first.code,
    evidence: first.evidence,
    ...(location === undefined ? {} : { location, excerpt: excerpt(text, location.line, 1, location.column) }),
    ...(places.length > 1 ? { places } : {}),
  };
}

function locationOf({ file, offset }: From, texts: Judged['texts']): Location {
  return { path: file, ...position(texts.get(file) ?? '', offset) };
}

function mixed({ kind, url, upgraded, from }: Insecure): Fault {
  const code = upgraded ? 'mixed-image' : 'mixed-content';
  return { code, url: url.href, from, evidence: { kind, url: url.href } };
}

function faultsOf(asset: Asset, judged: Judged): readonly Fault[] {
  const { seen, kind, from, written, setting, urls } = asset;
  const named = setting === null ? { kind, written } : { kind, setting, value: written };
  const fault = (code: Code, more: Evidence = {}): readonly Fault[] => [
    { code, url: seen.url, from, evidence: { ...named, ...seen.evidence, ...more } },
  ];
  const foreign = urls[0].origin !== judged.page.origin;
  const absent = absence(asset, foreign);
  if (absent !== null) return fault(absent);
  if (seen.outcome !== 'there') return [];
  if (seen.lfsPointer) return fault('git-lfs-pointer');
  const refused = refusal(asset, judged, foreign);
  if (refused !== null) return fault(refused.code, refused.evidence);
  return seen.bytes === 0 && !foreign && NEVER_EMPTY.has(kind) ? fault('asset-empty') : [];
}

/** Empty styles and scripts are usual, empty icons are a way to have none, and other hosts count visits with empty pictures. */
const NEVER_EMPTY: ReadonlySet<WantedKind> = new Set<WantedKind>(['image', 'font', 'manifest']);

/** Reasons that lie with this machine or the user: told once. */
const OF_THE_RUN = { 'proxy-failed': 1, 'no-network': 1, 'out-of-descriptors': 1, interrupted: 1 } as const;

/** The code for a file that did not come; `null`: it came. */
function absence(asset: Asset, foreign: boolean): Code | null {
  const { outcome, reason, status } = asset.seen;
  if (outcome === 'there') return null;
  if (outcome === 'gone' || outcome === 'html') return missingCode(asset, foreign);
  if (reason !== null) {
    if (REASONS[reason] === 'unknown') return reason as keyof typeof OF_THE_RUN;
    if (reason === 'blocked-address' && foreign && asset.seen.evidence['location'] === undefined)
      return 'local-address';
  }
  if (status === 429) return 'rate-limited';
  if (foreign) return 'foreign-failed';
  const code = missingCode(asset, foreign);
  return code === 'script-missing' || WARNINGS.has(code) ? code : 'asset-failed';
}

const WARNINGS: ReadonlySet<Code> = new Set<Code>([
  'legacy-script-missing',
  'font-missing',
  'icon-missing',
  'manifest-missing',
  'preload-missing',
]);

const MISSING = {
  style: 'style-missing',
  icon: 'icon-missing',
  manifest: 'manifest-missing',
  modulepreload: 'chunk-missing',
  chunk: 'chunk-missing',
  preload: 'preload-missing',
  image: 'image-missing',
  media: 'image-missing',
  font: 'font-missing',
} as const satisfies Record<Exclude<WantedKind, 'script'>, Code>;

function missingCode({ kind, aside, setting }: Asset, foreign: boolean): Code {
  if (setting !== null) return kind === 'icon' ? 'icon-missing' : 'config-file-missing';
  if (kind !== 'script') return MISSING[kind];
  if (aside === 'nomodule') return 'legacy-script-missing';
  return foreign || aside === 'async' ? 'side-script-missing' : 'script-missing';
}

interface Refusal {
  readonly code: Code;
  readonly evidence?: Evidence;
}

/** Why browsers do not use a file that came. */
function refusal(asset: Asset, judged: Judged, foreign: boolean): Refusal | null {
  const { kind, aside, seen } = asset;
  if (kind === 'style') return styleRefusal(asset, judged, foreign);
  if (kind === 'script' || kind === 'chunk' || kind === 'modulepreload') {
    return aside === 'nomodule' ? null : scriptRefusal(asset, judged, foreign);
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
