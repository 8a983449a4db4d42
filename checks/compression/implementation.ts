import type { Answer, RawFinding, Evidence, Gathered, HostKind, Site } from '../../src/check.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import { notReceivedFindings } from '../../src/expect/not-received.ts';
import type { CompressionRule as Rule } from './check.ts';
import { pairs, type Pair, type Pairs } from './pairs.ts';

export interface CompressionGathered extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  readonly observed: Pairs;
  readonly host: HostKind | null;
}

/**
 * Hosts leave short files as they are, each from another size on: nginx below 20 bytes unless it is told otherwise
 * (often 1,000), Caddy below 512, CloudFront below 1,000, IIS below 2,700. Files from `sure` on are judged on every
 * host; shorter ones on a plain server that compresses as short ones of another type, which shows that it could.
 */
const LENGTH = { least: 512, sure: 1024, iis: 2700 };
/** What gzip has to save for a warning: this share of the file, and this many bytes. */
const WORTH_IT = { share: 0.2, bytes: 200 };
/** Text as the site has it: the types of the plain server's rule, and other names of the same. */
const TEXT = new Set([
  'text/html',
  'text/plain',
  'text/css',
  'text/markdown',
  'text/x-markdown',
  'text/javascript',
  'application/javascript',
  'application/json',
  'image/svg+xml',
]);
/** Formats that are compressed already. */
const DENSE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'font/woff', 'font/woff2']);
const MARKDOWN = /\.(?:md|markdown)$/i;
/** Findings of one code name at most this many files. */
const MOST_SHOWN = 20;

/** Some files of each kind, with compression and without. */
export async function gather(site: Site): Promise<CompressionGathered> {
  const [observed, bundle, { kind: host }] = await Promise.all([pairs(site), site.bundle(), site.hosting()]);
  const { found, requests } = observed;
  const encodings = [...new Set(found.flatMap(({ encoding }) => encoding ?? []))];
  const facts = { files: found.length, ...(encodings.length > 0 ? { encodings } : {}) };
  return { answer: null, bundle, observed, host, requests, facts };
}

export function evaluate({
  observed: { found, undecodable, unseen, wanted },
  bundle,
  host,
}: CompressionGathered): readonly RawFinding<Rule>[] {
  const broken: readonly RawFinding<Rule>[] =
    undecodable.length === 0
      ? []
      : [{ rule: 'undecodable', evidence: { files: undecodable.slice(0, MOST_SHOWN), ...countOf(undecodable) } }];
  const findings = [...broken, ...evaluatePairs(found, host), ...notReceivedFindings(unseen, wanted)];
  return found.length === 0 && findings.length === 0 ? [notEvaluated(bundle)] : findings;
}

function evaluatePairs(found: readonly Pair[], host: HostKind | null): readonly RawFinding<Rule>[] {
  const compressed = found.filter(({ encoding }) => encoding !== null);
  const least = host === 'server' ? leastLength(compressed) : LENGTH.sure;
  const plain = found.filter((file) => (file.encoding ?? file.identityEncoding) === null && isWorthIt(file, least));
  return [
    ...together(
      'bytes-differ',
      found.filter(({ same }) => same === false),
    ),
    ...together(
      'forced-encoding',
      found.filter(({ identityEncoding }) => identityEncoding !== null),
    ),
    ...together(
      'uncompressed',
      plain.filter((file) => isText(file) && !isPassedOver(file, host)),
    ),
    ...together(
      'markdown-as-it-is',
      plain.filter((file) => isPassedOver(file, host)),
    ),
    ...together('vary-accept-encoding', compressed.filter(lacksVary)),
    ...together(
      'recompressed',
      compressed.filter(({ mediaType }) => mediaType !== null && DENSE.has(mediaType)),
    ),
  ];
}

/** From how many bytes on a plain server compresses, as far as is seen. */
function leastLength(compressed: readonly Pair[]): number {
  const shortest = Math.min(LENGTH.sure, ...compressed.map(({ bytes }) => bytes));
  return Math.max(LENGTH.least, shortest);
}

function isWorthIt({ bytes, gzipBytes, server }: Pair, least: number): boolean {
  const saved = bytes - (gzipBytes ?? bytes);
  return (
    bytes >= (server === 'microsoft-iis' ? LENGTH.iis : least) &&
    saved >= WORTH_IT.bytes &&
    saved >= WORTH_IT.share * bytes
  );
}

function isText({ mediaType }: Pair): boolean {
  return mediaType !== null && TEXT.has(mediaType);
}

/**
 * Markdown that a host which compresses by type does not know for text: under a type that says nothing, which is told
 * as a fault elsewhere; and under its own type at the edge, whose lists do not have `text/markdown`.
 */
function isPassedOver(file: Pair, host: HostKind | null): boolean {
  if (!isText(file)) return MARKDOWN.test(file.path);
  return file.mediaType === 'text/markdown' && (host === 'worker' || file.edge);
}

/** What a shared cache may keep must say that there is more than one form of it (RFC 9110, section 12.5.5). */
function lacksVary({ vary, cacheControl }: Pair): boolean {
  if (/(?:^|[\s,])(?:no-store|private)(?:[\s,]|$)/i.test(cacheControl ?? '')) return false;
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return !names.has('*') && !names.has('accept-encoding');
}

function together(rule: keyof typeof EVIDENCE, files: readonly Pair[]): readonly RawFinding<Rule>[] {
  if (files.length === 0) return [];
  return [{ rule, evidence: { ...EVIDENCE[rule](files.slice(0, MOST_SHOWN)), ...countOf(files) } }];
}

function countOf({ length }: readonly unknown[]): Evidence {
  return length > MOST_SHOWN ? { count: length } : {};
}

const paths = (files: readonly Pair[]): Evidence => ({ paths: files.map(({ path }) => path) });
const typesAndPaths = (files: readonly Pair[]): Evidence => ({
  ...distinct('mediaTypes', files, ({ mediaType }) => mediaType),
  ...paths(files),
});

/** The values that some of the files have; nothing where none has one. */
function distinct(name: string, files: readonly Pair[], value: (file: Pair) => string | null): Evidence {
  const values = [...new Set(files.flatMap((file) => value(file) ?? []))];
  return values.length > 0 ? { [name]: values } : {};
}

/** Files that have the same facts stand together. */
function groups(
  files: readonly Pair[],
  common: (file: Pair) => Evidence,
  more: (group: readonly Pair[]) => Evidence = () => ({}),
): Evidence {
  const byFacts = Map.groupBy(files, (file) => JSON.stringify(common(file)));
  return {
    files: [...byFacts.values()].flatMap((group) =>
      group[0] === undefined ? [] : [{ ...common(group[0]), ...more(group), ...paths(group) }],
    ),
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** What is told of the files of a finding. */
const EVIDENCE = {
  uncompressed: (files) =>
    groups(
      files,
      ({ mediaType, cacheControl }) => {
        // Some CDNs take this word for a ban on compressing.
        const forbids = cacheControl !== null && /\bno-transform\b/i.test(cacheControl);
        return { mediaType, ...(forbids ? { cacheControl } : {}) };
      },
      (group) => ({
        bytes: sum(group.map(({ bytes }) => bytes)),
        gzipBytes: sum(group.map(({ gzipBytes }) => gzipBytes ?? 0)),
      }),
    ),
  'markdown-as-it-is': typesAndPaths,
  'bytes-differ': (files) => ({
    files: files.map(({ path, encoding, bytes, identityBytes }) => ({
      path,
      ...(encoding === null ? {} : { contentEncoding: encoding }),
      bytes,
      identityBytes,
    })),
  }),
  'forced-encoding': (files) => ({
    acceptEncoding: 'identity',
    ...groups(files, ({ identityEncoding }) => ({ contentEncoding: identityEncoding })),
  }),
  'vary-accept-encoding': (files) => ({ ...distinct('vary', files, ({ vary }) => vary), ...paths(files) }),
  recompressed: typesAndPaths,
} as const satisfies Partial<Record<Rule, (files: readonly Pair[]) => Evidence>>;
