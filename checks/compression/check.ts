import {
  defineCheck,
  type Answer,
  type Draft,
  type Evidence,
  type Gathered,
  type Grade,
  type HostKind,
} from '../../src/check.ts';
import { unjudged, UNJUDGED_CODES } from '../../src/expect/unjudged.ts';
import { pairs, type Pair } from './pairs.ts';

const CODES = {
  ...UNJUDGED_CODES,
  uncompressed: 'warning',
  'markdown-as-it-is': 'info',
  'bytes-differ': 'error',
  'forced-encoding': 'error',
  'vary-accept-encoding': 'warning',
  recompressed: 'warning',
} as const satisfies Record<string, Grade>;

type Code = keyof typeof CODES;

interface CompressionGathered extends Gathered {
  readonly answer: null;
  readonly bundle: Answer;
  readonly found: readonly Pair[];
  readonly host: HostKind | null;
}

/** Below this many bytes compressing is hardly worth it, and hosts leave it at that, each from another size on. */
const WORTH_IT = 1024;
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

/** Text is compressed for those who can decode it, and is the same text then. */
export const compression = defineCheck<CompressionGathered, Code>({
  id: 'compression',
  target: '**',
  full: true,
  codes: CODES,
  async gather(site) {
    const [{ found, requests }, bundle, { kind: host }] = await Promise.all([
      pairs(site),
      site.bundle(),
      site.hosting(),
    ]);
    const encodings = [...new Set(found.flatMap(({ encoding }) => encoding ?? []))];
    return { answer: null, bundle, found, host, requests, facts: { files: found.length, encodings } };
  },
  judge: ({ found, bundle, host }) => Promise.resolve(found.length === 0 ? [unjudged(bundle)] : judged(found, host)),
});

function judged(found: readonly Pair[], host: HostKind | null): readonly Draft<Code>[] {
  const plain = found.filter(
    ({ encoding, identityEncoding, bytes }) => (encoding ?? identityEncoding) === null && bytes >= WORTH_IT,
  );
  const compressed = found.filter(({ encoding }) => encoding !== null);
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

function isText({ mediaType }: Pair): boolean {
  return mediaType !== null && TEXT.has(mediaType);
}

/**
 * Markdown that a host which compresses by type does not know for text: under a type that says nothing, which is told
 * as a fault elsewhere; and under its own type at the edge, whose list has `text/x-markdown` but not `text/markdown`.
 */
function isPassedOver(file: Pair, host: HostKind | null): boolean {
  if (!isText(file)) return MARKDOWN.test(file.path);
  return file.mediaType === 'text/markdown' && host === 'worker';
}

/** What a shared cache may keep must say that there is more than one form of it (RFC 9110, section 12.5.5). */
function lacksVary({ vary, cacheControl }: Pair): boolean {
  if (/(?:^|[\s,])(?:no-store|private)(?:[\s,]|$)/i.test(cacheControl ?? '')) return false;
  const names = new Set((vary ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return !names.has('*') && !names.has('accept-encoding');
}

function together(code: Code, files: readonly Pair[]): readonly Draft<Code>[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MOST_SHOWN);
  const count = files.length > MOST_SHOWN ? { count: files.length } : {};
  return [{ code, evidence: { ...EVIDENCE[code](shown), ...count } }];
}

const paths = (files: readonly Pair[]): Evidence => ({ paths: files.map(({ path }) => path) });
const typesAndPaths = (files: readonly Pair[]): Evidence => ({
  mediaTypes: [...new Set(files.map(({ mediaType }) => mediaType))],
  ...paths(files),
});

/** What is told of the files of a finding. */
const EVIDENCE: Readonly<Record<Code, (files: readonly Pair[]) => Evidence>> = {
  'no-answer': paths,
  uncompressed: (files) => ({
    files: files.map(({ path, mediaType, bytes, cacheControl }) => {
      // Some CDNs take this word for a ban on compressing.
      const forbids = cacheControl !== null && /\bno-transform\b/i.test(cacheControl);
      return { path, mediaType, bytes, ...(forbids ? { cacheControl } : {}) };
    }),
  }),
  'markdown-as-it-is': typesAndPaths,
  'bytes-differ': (files) => ({
    files: files.map(({ path, encoding, bytes, identityBytes }) => ({
      path,
      contentEncoding: encoding,
      bytes,
      identityBytes,
    })),
  }),
  'forced-encoding': (files) => ({
    acceptEncoding: 'identity',
    files: files.map(({ path, identityEncoding }) => ({ path, contentEncoding: identityEncoding })),
  }),
  'vary-accept-encoding': (files) => ({ vary: [...new Set(files.map(({ vary }) => vary))], ...paths(files) }),
  recompressed: typesAndPaths,
};
