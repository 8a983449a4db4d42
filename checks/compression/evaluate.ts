import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Answer, Evidence, Get, NoReply, Reply } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { HostKind } from '../../src/site/host-product.ts';
import type { Site } from '../../src/site/types.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import { notEvaluated, notReceivedFindings, notReceived } from '../../src/expect/not-received.ts';
import type { CompressionRule as Rule } from './check.ts';
import { isFromEdgeNetwork, isOk, mediaTypeOf } from '../../src/expect/reply.ts';
import { isCoding } from '../../src/http/connection.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { sampledFiles } from '../../src/site/loaded.ts';
import { aboutFiles, countingRequests, groupedByFacts, pathsOf, someOfEach, variesBy } from '../full-check.ts';

/**
 * Hosts leave short files as they are, each from another size on: nginx below 20 bytes by default
 * (often 1,000), Caddy below 512, CloudFront below 1,000, IIS below 2,700. Files from `sure` on are evaluated on every
 * host; shorter ones on a plain server that compresses as short ones of another type, which shows that it could.
 */
const LENGTH = { least: 512, sure: 1024, iis: 2700 };
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
const DENSE = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'font/woff', 'font/woff2']);
const MARKDOWN = /\.(?:md|markdown)$/i;

type Findings = readonly RawFinding<Rule>[];

export async function gather(site: Site) {
  const { get, sent } = countingRequests(site);
  // Finding the kind of host takes long where it answers slowly: meanwhile files are observed.
  const observing = Promise.all([required(site), site.notFound()]).then(async ([{ files, cut }, missing]) => {
    return { cut, observed: await Promise.all(files.map((file) => observe(file, get, missing))) };
  });
  const [{ observed, cut }, bundle, { kind: host }] = await Promise.all([observing, site.bundle(), site.hosting()]);
  const found = observed.flatMap(({ pair }) => pair ?? []);
  const facts = { files: found.length, ...distinct('encodings', found, ({ encoding }) => encoding) };
  return { answer: null, bundle, host, observed, found, cut, requests: sent(), facts };
}

export function evaluate({ bundle, host, observed, found, cut }: Awaited<ReturnType<typeof gather>>): Findings {
  const undecodable = observed.flatMap(({ broken }) => broken ?? []);
  const unseen = [...cut, ...observed.flatMap((one) => one.cut ?? [])];
  const compressed = found.filter(({ encoding }) => encoding !== null);
  // A plain server compresses from so many bytes on, as far as is seen.
  const shortest = Math.max(LENGTH.least, Math.min(LENGTH.sure, ...compressed.map(({ bytes }) => bytes)));
  const least = host === 'server' ? shortest : LENGTH.sure;
  const plain = found.filter((file) => (file.encoding ?? file.identityEncoding) === null && isWorthIt(file, least));
  const leftAlone = plain.filter((file) => isLeftAlone(file, host));
  const compressible = plain.filter((file) => isText(file) && !leftAlone.includes(file));
  const changed = found.filter(({ same }) => same === false);
  const forced = found.filter(({ identityEncoding }) => identityEncoding !== null);
  const dense = compressed.filter(({ mediaType }) => DENSE.has(mediaType ?? ''));
  const findings: Findings = [
    ...aboutFiles('undecodable', undecodable, (files) => ({ files })),
    ...aboutFiles('bytes-differ', changed, (files) => ({ files: files.map(bothLengths) })),
    ...aboutFiles('forced-encoding', forced, (files) => ({
      acceptEncoding: 'identity',
      files: groupedByFacts(files, ({ identityEncoding }) => ({ contentEncoding: identityEncoding })),
    })),
    ...aboutFiles('uncompressed', compressible, (files) => ({
      files: groupedByFacts(files, uncompressed, savings),
    })),
    ...aboutFiles('markdown-uncompressed', leftAlone, typesAndPaths),
    ...aboutFiles('vary-accept-encoding', compressed.filter(lacksVary), (files) => ({
      ...distinct('vary', files, ({ vary }) => vary),
      ...pathsOf(files),
    })),
    ...aboutFiles('recompressed', dense, typesAndPaths),
    ...notReceivedFindings(unseen, observed.length + cut.length),
  ];
  return found.length === 0 && findings.length === 0 ? [notEvaluated(bundle)] : findings;
}

function bothLengths({ path, encoding, bytes, identityBytes }: Pair): Evidence {
  return { path, ...(encoding !== null && { contentEncoding: encoding }), bytes, identityBytes };
}

function uncompressed({ mediaType, cacheControl }: Pair): Evidence {
  // Some CDNs take this word for a ban on compressing.
  const forbids = cacheControl !== null && /\bno-transform\b/i.test(cacheControl);
  return { mediaType, ...(forbids ? { cacheControl } : {}) };
}

const savings = (group: readonly Pair[]): Evidence => ({
  bytes: group.reduce((sum, { bytes }) => sum + bytes, 0),
  gzipBytes: group.reduce((sum, { gzipBytes }) => sum + (gzipBytes ?? 0), 0),
});

function isWorthIt({ bytes, gzipBytes, server }: Pair, least: number): boolean {
  const saved = bytes - (gzipBytes ?? bytes);
  const shortest = server === 'microsoft-iis' ? LENGTH.iis : least;
  return bytes >= shortest && saved >= Math.max(WORTH_IT.bytes, WORTH_IT.share * bytes);
}

const isText = ({ mediaType }: Pair): boolean => TEXT.has(mediaType ?? '');

/** Markdown under a type that says nothing, or under its own at the edge, where lists of types do not have it. */
function isLeftAlone(file: Pair, host: HostKind | null): boolean {
  if (!isText(file)) return MARKDOWN.test(file.path);
  return file.mediaType === 'text/markdown' && (host === 'worker' || file.edge);
}

/** What a shared cache may keep must say that there is more than one form of it (RFC 9110, section 12.5.5). */
function lacksVary({ vary, cacheControl }: Pair): boolean {
  if (/(?:^|[\s,])(?:no-store|private)(?:[\s,]|$)/i.test(cacheControl ?? '')) return false;
  return !variesBy(vary, 'accept-encoding');
}

const typesAndPaths = (files: readonly Pair[]): Evidence => ({
  ...distinct('mediaTypes', files, ({ mediaType }) => mediaType),
  ...pathsOf(files),
});

function distinct(name: string, files: readonly Pair[], value: (file: Pair) => string | null): Evidence {
  const values = [...new Set(files.flatMap((file) => value(file) ?? []))];
  return values.length > 0 ? { [name]: values } : {};
}

type Pair = Awaited<ReturnType<typeof pairOf>>;

/** What all clients can decode; `identity` alone forbids all codings (RFC 9110, section 12.5.3). */
const CODINGS = 'gzip, br';

/** Files of one extension that are checked: more of those that the bundle is made of, whose faults show at once. */
const EACH = { code: 20, other: 3 };
const SCRIPTS = /^\.(?:js|mjs|css|json)$/i;
const MORE_PAGES = 5;
const SAMPLED = /\.(?:js|mjs|css|json|svg|txt|png|jpe?g|gif|webp|avif|woff2?)$/i;

type Wanted = Awaited<ReturnType<typeof required>>['files'][number];

async function required(site: Site) {
  const { bundle, config, starts, loaded, ...found } = await sampledFiles(site);
  const isUsable = (answer: Answer): boolean => isOk(answer) || isGarbled(answer);
  const pages = found.pages.toSorted((a, b) => b.bytes - a.bytes).slice(0, MORE_PAGES);
  const urls = [
    ...[config, ...starts].filter(isUsable).map(({ requestUrl }) => requestUrl),
    ...pages.map(({ url }) => url),
    ...someOfEach(loaded, SAMPLED, (extension) => (SCRIPTS.test(extension) ? EACH.code : EACH.other))
      .flat()
      .map(({ href }) => href),
  ];
  const engine = isUsable(bundle) ? [{ url: new URL(bundle.requestUrl), accept: ACCEPT.navigate }] : [];
  return {
    files: [...engine, ...[...new Set(urls)].map((href) => ({ url: new URL(href), accept: ACCEPT.fetch }))],
    cut: [bundle, config, ...starts].flatMap((answer) => notReceived(answer) ?? []),
  };
}

/** Where the connection did not break: the transport has asked more than once. */
function isGarbled(answer: Answer): answer is NoReply {
  if (answer.kind === 'reply' || notReceived(answer) !== null) return false;
  return answer.reason === 'bad-encoding' || answer.reason === 'truncated';
}

const askBoth = ({ url, accept }: Wanted, get: Get): Promise<[Answer, Answer]> => {
  const ask = (codings: string): Promise<Answer> => get({ url, accept, headers: { 'accept-encoding': codings } });
  return Promise.all([ask('identity'), ask(CODINGS)]);
};

async function observe(file: Wanted, get: Get, missing: NotFound) {
  const [plain, compressed] = await askBoth(file, get);
  if (!isOk(plain)) return { cut: notReceived(plain) ?? notReceived(compressed) };
  // The bundle is what hosts send for missing files; everything else that looks like it is missing.
  const isGone = (reply: Reply): boolean => file.accept === ACCEPT.fetch && missing.isMissing(reply);
  if (isGarbled(compressed)) return isGone(plain) ? {} : { broken: { path: pathOf(file), reason: compressed.reason } };
  if (!isOk(compressed)) return { cut: notReceived(compressed) };
  return isGone(compressed) ? {} : { pair: await pairOf(file, get, plain, compressed) };
}

async function pairOf(file: Wanted, get: Get, plain: Reply, compressed: Reply) {
  const encoding = codingOf(compressed);
  return {
    path: pathOf(file),
    mediaType: mediaTypeOf(compressed),
    bytes: compressed.body.length,
    identityBytes: plain.body.length,
    encoding,
    identityEncoding: codingOf(plain),
    vary: compressed.headers.get('vary'),
    cacheControl: compressed.headers.get('cache-control'),
    server: /^[^\s/(]+/.exec(compressed.headers.get('server') ?? '')?.[0].toLowerCase() ?? null,
    edge: isFromEdgeNetwork(compressed.headers),
    gzipBytes: encoding === null ? await sizeAsGzip(compressed.body) : null,
    same: isSame(plain, compressed) || (await differsForGood(file, get, plain, compressed)),
  };
}

const pathOf = ({ url }: Wanted): string => url.pathname + url.search;

const gzipped = promisify(gzip);
const SAMPLE = 1024 * 1024;

async function sizeAsGzip(body: Uint8Array): Promise<number> {
  const sample = body.subarray(0, SAMPLE);
  if (sample.length === 0) return 0;
  const { length } = await gzipped(sample, { level: 1 });
  return Math.round((length * body.length) / sample.length);
}

/** `null`: one of the forms has changed meanwhile, by a deploy or because the host makes it again each time. */
async function differsForGood(file: Wanted, get: Get, plain: Reply, compressed: Reply): Promise<false | null> {
  const [plainAgain, compressedAgain] = await askBoth(file, get);
  const isStable =
    isOk(plainAgain) && isOk(compressedAgain) && isSame(plain, plainAgain) && isSame(compressed, compressedAgain);
  return isStable ? false : null;
}

const isSame = (one: Reply, other: Reply): boolean => Buffer.compare(one.body, other.body) === 0;

function codingOf({ headers }: Reply): string | null {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const real = codings.map((coding) => coding.trim()).filter(isCoding);
  return real.length === 0 ? null : real.join(', ');
}
