/** Judges what came for the files that a page loads. Pure. */
import type { Draft, Evidence, Location } from '../../src/check.ts';
import { firstOfEach } from '../../src/expect/first-of-each.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { excerptAt, positionsOf } from '../../src/parse/position.ts';
import { MOST_PLACES } from '../../src/site/linked-from.ts';
import { CODES, VITAL, type Code } from './codes.ts';
import type { Asset } from './load.ts';
import { refusal } from './refusal.ts';
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
  /** Whether the file did not come, in whatever way it is wanted. */
  readonly absent: boolean;
}

/** More findings of one code are counted only. */
const MOST_FAULTS = 100;

/** One draft for each file that did not come and for each code of others, with every place that names the file. */
export function judgeAssets(judged: Judged): readonly Draft<Code>[] {
  const faults = [...judged.assets.flatMap((asset) => faultsOf(asset, judged)), ...judged.insecure.map(mixed)];
  // A file that is wanted in several ways is told by the gravest; what keeps the page blank comes first of all.
  const ranked = faults.toSorted((a, b) => rankOf(a.code) - rankOf(b.code));
  const grouped = Map.groupBy(ranked, ({ code, url, absent }) => {
    if (Object.hasOwn(OF_THE_RUN, code)) return code;
    return absent ? url : `${code} ${url}`;
  });
  const told = firstOfEach([...grouped.values()], codeOf, MOST_FAULTS);
  const located = locator(
    told.flatMap(({ item }) => placesOf(item)),
    judged.texts,
  );
  return told.map(({ item, omitted }) => ({
    ...draftOf(item, located, judged.texts),
    ...(omitted === undefined ? {} : { omitted }),
  }));
}

function gravity(code: Code): number {
  if (VITAL.includes(code)) return 0;
  return CODES[code] === 'error' ? 1 : 2;
}

/** The codes, the gravest first; among equals, as they are declared. */
const RANKS: ReadonlyMap<Code, number> = new Map(
  (Object.keys(CODES) as Code[]).toSorted((a, b) => gravity(a) - gravity(b)).map((code, rank) => [code, rank]),
);

const rankOf = (code: Code): number => RANKS.get(code) ?? RANKS.size;

const codeOf = (group: readonly Fault[]): string => group[0]?.code ?? '';

/** The places of one file's faults that are told. */
const placesOf = (group: readonly Fault[]): readonly From[] => group.slice(0, MOST_PLACES).map(({ from }) => from);

/** Knows where the places are that are told; each text is gone through once for all of its own. */
function locator(places: readonly From[], texts: Judged['texts']): (from: From) => Location {
  const byFile = Map.groupBy(places, ({ file }) => file);
  const positions = new Map(
    [...byFile].map(([file, froms]) => {
      const offsets = froms.map(({ offset }) => offset);
      return [file, positionsOf(texts.get(file) ?? '', offsets)] as const;
    }),
  );
  return ({ file, offset }) => ({ path: file, ...(positions.get(file)?.get(offset) ?? { line: 1, column: 1 }) });
}

function draftOf(group: readonly Fault[], located: (from: From) => Location, texts: Judged['texts']): Draft<Code> {
  const [first] = group as readonly [Fault, ...Fault[]];
  const files = new Set(group.map(({ url }) => url)).size;
  const places = placesOf(group).map(located);
  const [location] = places;
  const text = texts.get(first.from.file) ?? '';
  return {
    code: first.code,
    evidence: files > 1 ? { ...first.evidence, files } : first.evidence,
    ...(location === undefined ? {} : { location, excerpt: excerptAt(text, first.from.offset, location) }),
    ...(places.length > 1 ? { places } : {}),
  };
}

function mixed({ kind, url, upgraded, from }: Insecure): Fault {
  const code = upgraded ? 'mixed-image' : 'mixed-content';
  return { code, url: url.href, from, absent: false, evidence: { kind, url: url.href } };
}

function faultsOf(asset: Asset, judged: Judged): readonly Fault[] {
  const { seen, kind, from, written, setting, urls } = asset;
  const named = setting === null ? { kind, written } : { kind, setting, value: written };
  const fault = (code: Code, more: Evidence = {}): readonly Fault[] => [
    { code, url: seen.url, from, absent: seen.outcome !== 'there', evidence: { ...named, ...seen.evidence, ...more } },
  ];
  const foreign = urls[0].origin !== judged.page.origin;
  const absent = absence(asset, foreign);
  if (absent !== null) return fault(absent);
  if (seen.outcome !== 'there' || !seen.whole) return [];
  if (seen.lfsPointer) return fault('git-lfs-pointer');
  const refused = refusal(asset, judged, foreign);
  if (refused !== null) return fault(refused.code, refused.evidence);
  return seen.bytes === 0 && !foreign && NEVER_EMPTY.has(kind) ? fault('asset-empty') : [];
}

/** Empty styles and scripts are usual, empty icons are a way to have none, and other hosts count visits with empty pictures. */
const NEVER_EMPTY: ReadonlySet<WantedKind> = new Set<WantedKind>(['image', 'font', 'manifest']);

/** What lies with this machine, the user, or how much was asked: told once, whatever files it kept from being seen. */
const OF_THE_RUN = {
  'proxy-failed': 1,
  'no-network': 1,
  'out-of-descriptors': 1,
  interrupted: 1,
  'rate-limited': 1,
} as const;

/** The code for a file that did not come; `null`: it came. */
function absence(asset: Asset, foreign: boolean): Code | null {
  const { outcome, reason, status } = asset.seen;
  if (outcome === 'there') return null;
  if (outcome === 'gone' || outcome === 'html') return missingCode(asset, foreign);
  if (reason !== null) {
    if (REASONS[reason] === 'unknown') return reason as keyof typeof OF_THE_RUN;
    if (isLong(asset, foreign)) return null;
    if (reason === 'blocked-address' && foreign && asset.seen.evidence['location'] === undefined)
      return 'local-address';
  }
  if (status === 429) return 'rate-limited';
  if (foreign) return 'foreign-failed';
  const code = missingCode(asset, foreign);
  if (code === 'script-missing') return reason === null ? code : 'script-failed';
  return WARNINGS.has(code) ? code : 'asset-failed';
}

/** Films and sounds take longer than a check has, and browsers show them before they are whole. */
function isLong({ kind, seen: { reason } }: Asset, foreign: boolean): boolean {
  return kind === 'media' && (reason === 'body-timeout' || (foreign && reason === 'headers-timeout'));
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
  return foreign || aside !== null ? 'side-script-missing' : 'script-missing';
}
