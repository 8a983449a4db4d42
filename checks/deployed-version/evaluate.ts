import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { Since, Site, VersionLocation } from '../../src/site/types.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { replyEvidence, isOk } from '../../src/expect/reply.ts';
import { notEvaluated } from '../../src/expect/not-received.ts';
import { shortened } from '../../src/expect/text.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { headersIn } from '../full-check.ts';
import type { VersionRule } from './check.ts';
import { textOf, versionTextsAt, versionTextsInBundle, versionTextsInFile, type VersionText } from './version-texts.ts';

const BUNDLE = 'index.html';
const VERSION_FILE = 'version.json';

type GatheredVersion = Gathered & { readonly finding: RawFinding<VersionRule> | null };

export function evaluate({ finding }: GatheredVersion): readonly RawFinding<VersionRule>[] {
  return finding === null ? [] : [finding];
}

/** Looks for the expected version, with as few requests as possible: a site that is waited for is requested often. */
export async function gather(site: Site): Promise<GatheredVersion> {
  const { expected } = site.requested;
  const nothing: GatheredVersion = { answer: null, finding: { rule: 'not-expected' } };
  if (expected === null) return nothing;
  const { version, alternatives = [], from, optional, since } = expected;
  const wanted = { version: version?.trim() ?? '', alternatives, optional };
  const find = (): Promise<GatheredVersion> =>
    from === null ? observe(site, wanted) : observeFile(site, wanted, from);
  const observed = version === null ? null : await find();
  // A site that does not publish its version, and does not have to, may still have changed.
  const isOpen = observed === null || observed.finding?.rule === 'not-published';
  return isOpen && since !== null ? changedSince(site, since) : (observed ?? nothing);
}

/**
 * Reads the version file, then the bundle's `<meta>` and headers. Sources that contradict one another
 * belong to two deployments; where publishing it is optional, one source with the expected version is enough.
 */
async function observe(site: Site, expected: ExpectedName): Promise<GatheredVersion> {
  const answer = await request(site, VERSION_FILE);
  const inFile = isOk(answer) && !isPage(answer) ? versionTextsInFile(answer, VERSION_FILE) : [];
  const old = rivalIn(inFile, expected);
  // Whatever the bundle says: it is not requested.
  if (old !== null) return outdated(answer, old, expected);
  const bundle = await site.bundle();
  if (!isOk(bundle)) return { answer: bundle, finding: notEvaluated(bundle) };
  const texts = isOk(answer) && isFallback(answer, bundle) ? [] : inFile;
  const sourceOf = (from: Answer, some: readonly VersionText[], live: FoundVersion | null) => {
    return { answer: from, texts: some, live, rival: rivalIn(some, expected) };
  };
  const sources = [
    sourceOf(answer, texts, liveInFile(texts, expected)),
    ...versionTextsInBundle(bundle, BUNDLE).map((some) => sourceOf(bundle, some, liveIn(some, expected))),
  ];
  const found = sources.find(({ live }) => live !== null);
  if (found?.live) {
    const contrary = sources.find(({ rival }) => rival !== null);
    if (contrary?.rival) return outdated(contrary.answer, contrary.rival, expected, { expectedAt: found.live.where });
    return { answer: found.answer, facts: { ...found.live }, finding: null };
  }
  const all = sources.flatMap((source) => source.texts);
  const other = otherIn(all, expected);
  return other === null ? notReported(answer, expected, all) : outdated(answer, other, expected);
}

async function observeFile(site: Site, expected: ExpectedName, from: VersionLocation): Promise<GatheredVersion> {
  const answer = await request(site, from.path);
  const texts = await versionTextsThere(site, from, answer);
  if ('rule' in texts) return { answer, finding: expected.optional ? { ...texts, rule: 'not-published' } : texts };
  const found = liveInFile(texts, expected);
  if (found !== null) return { answer, facts: { ...found }, finding: null };
  const [only] = texts;
  const isPicked = !expected.optional && from.pick !== null && only !== undefined;
  const picked = isPicked ? { version: shown(only.text), where: only.where } : null;
  const other = otherIn(texts, expected) ?? picked;
  return other === null ? notReported(answer, expected, texts) : outdated(answer, other, expected);
}

async function versionTextsThere(site: Site, from: VersionLocation, answer: Answer) {
  const nothing = (evidence: Evidence): RawFinding<VersionRule> => {
    return { rule: 'version-not-found', evidence: { path: from.path, ...evidence } };
  };
  if (answer.kind === 'no-reply' || isUnsure(answer)) return notRead(answer);
  if (!isOk(answer)) return nothing({ status: answer.status });
  const bundle = isPage(answer) ? await site.bundle() : null;
  // A page may be named; the bundle that comes instead of a file may not.
  if (bundle !== null && answer !== bundle && isFallback(answer, bundle)) return nothing(replyEvidence(answer));
  const texts = versionTextsAt(answer, from);
  return typeof texts === 'string' ? nothing({ problem: texts }) : texts;
}

async function changedSince(site: Site, since: Since): Promise<GatheredVersion> {
  const answer = await site.bundle();
  if (!isOk(answer)) return { answer, finding: notEvaluated(answer) };
  const facts = headersIn(answer.headers, { etag: 'etag', lastModified: 'last-modified' });
  const changed = isChanged(answer.headers, since);
  if (changed === true) return { answer, facts, finding: null };
  const before = 'etag' in since ? since.etag : new Date(since.modifiedMs).toISOString();
  const rule = changed === null ? 'no-validators' : 'not-changed';
  return { answer, facts, finding: { rule, evidence: { since: before, ...facts } } };
}

/** `more`: where the expected version is reported as well. */
function outdated(answer: Answer, live: FoundVersion, expected: ExpectedName, more: Evidence = {}): GatheredVersion {
  const evidence = { expected: expected.version, found: live.version, where: live.where, ...more };
  return { answer, facts: { ...live }, finding: { rule: 'old-version', evidence } };
}

/** A site without a published version is not blamed for a host that does not respond either. */
function notReported(answer: Answer, expected: ExpectedName, texts: readonly VersionText[]): GatheredVersion {
  if (!expected.optional && isUnsure(answer)) return { answer, finding: notRead(answer) };
  const came = answer.kind === 'reply' ? { status: answer.status } : {};
  const others = texts.filter(({ named, text }) => named && text.trim() !== '').slice(0, MOST_SHOWN);
  const found = others.length === 0 ? {} : { told: others.map(({ text, where }) => `${shown(text)} (${where})`) };
  const evidence = { expected: expected.version, ...came, ...found };
  return { answer, finding: { rule: expected.optional ? 'not-published' : 'no-version', evidence } };
}

function notRead(answer: Answer): RawFinding<VersionRule> {
  const why = answer.kind === 'reply' ? { status: answer.status } : { reason: answer.reason, ...answer.evidence };
  return { rule: 'not-read', evidence: { url: answer.requestUrl, ...why } };
}

function isUnsure(answer: Answer): boolean {
  return answer.kind === 'no-reply' || answer.status === 429 || answer.status >= 500;
}

function isPage(reply: Reply): boolean {
  return isHtmlDocument(textOf(reply) ?? '');
}

/** What the run has requested already is not requested again. */
function request(site: Site, path: string): Promise<Answer> {
  const { base } = site;
  const url = new URL(path, base);
  if (url.href === new URL(BUNDLE, base).href) return site.bundle();
  return url.href === new URL('config.json', base).href ? site.config() : site.pooled({ url, accept: ACCEPT.fetch });
}

/** What hosts append to an `ETag` for a file that they compress: mod_deflate, mod_brotli, Caddy, Jetty. */
const CODING = /(?:--?|;)(?:gzip|br|zstd|deflate)$/;

/** Whether the validators of a bundle differ from what they were; `null`: the host sends none that could be compared. */
export function isChanged(headers: Reply['headers'], since: Since): boolean | null {
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
  return etag.trim().replace(/^W\//i, '').replaceAll(/^"|"$/g, '').replace(CODING, '');
}

interface ExpectedName {
  readonly version: string;
  readonly alternatives: readonly string[];
  readonly optional: boolean;
}

interface FoundVersion {
  readonly version: string;
  readonly where: string;
}

const MOST_SHOWN = 5;

/** The version that was expected, or one that is as good, among what is reported; `null`: it is not there. */
function liveIn(texts: readonly VersionText[], { version, alternatives }: ExpectedName): FoundVersion | null {
  const found = [version, ...alternatives].flatMap((one): readonly FoundVersion[] => {
    const kind = kindOf(one);
    // Nothing but a commit's name is known by its looks.
    const live = texts.find(({ text, named }) => (named || kind === 'commit') && names(text, one));
    return live === undefined ? [] : [{ version: nameIn(live.text, kind) ?? shown(live.text), where: live.where }];
  });
  return found[0] ?? null;
}

/** The same for a file that holds little else: where no key says that it is the version, any may be. */
function liveInFile(texts: readonly VersionText[], expected: ExpectedName): FoundVersion | null {
  const isNamed = texts.some(({ named }) => named);
  return liveIn(isNamed ? texts : texts.map((one) => ({ ...one, named: true })), expected);
}

/** Another version that can be held against the one that was expected: `1.4.0` against `1.5.0`, never against a commit. */
function otherIn(texts: readonly VersionText[], { version }: ExpectedName): FoundVersion | null {
  const named = texts.filter((one) => one.named);
  return ofKind(named, kindOf(version)) ?? (DIGITS.test(version) ? ofKind(named, 'commit') : null);
}

const DIGITS = /^\d{7,40}$/;

function ofKind(texts: readonly VersionText[], kind: VersionKind): FoundVersion | null {
  const first = texts.find(({ text }) => nameIn(text, kind) !== null);
  return first === undefined ? null : { version: shown(nameIn(first.text, kind) ?? ''), where: first.where };
}

/** A version that contradicts the one that was expected, where that has to be published and is not reported as well. */
function rivalIn(texts: readonly VersionText[], expected: ExpectedName): FoundVersion | null {
  if (expected.optional || liveInFile(texts, expected) !== null) return null;
  const kind = kindOf(expected.version);
  const isRival = ({ itself, text }: VersionText): boolean =>
    itself === true && isOneScheme(nameIn(text, kind) ?? '', expected.version);
  return ofKind(texts.filter(isRival), kind);
}

const shown = (text: string): string => shortened(text.trim());

const WHOLE = new Set([40, 64]);

/** A commit's name, whole or abbreviated: Git leaves seven digits at least. */
const HEX = /^[\da-f]{7,64}$/i;
/** Names of commits in a text: `abc1234-dirty`, `sha-abc1234`, `v1.4.0-12-gabc1234` (git describe). */
const COMMITS = /(?<![\da-z])g?([\da-f]{7,64})(?![\da-z])/gi;

/** What kind of name a version has; those of different kinds say nothing about one another. */
type VersionKind = 'commit' | 'numbers' | 'word';

const MD5 = 32;
const LONGEST_NAME = 200;

/** A name of digits only is a number, unless it has a commit's whole length. */
export function kindOf(version: string): VersionKind {
  if (version.length > LONGEST_NAME || version.length === MD5) return 'word';
  if (HEX.test(version) && (/[a-f]/i.test(version) || WHOLE.has(version.length))) return 'commit';
  return /^v?\d+(?:\.\d+)*(?:[-+.][\da-z.+-]*)?$/i.test(version) ? 'numbers' : 'word';
}

/** Whether a text names a version: as a whole, or as one of its tokens. Commits match by their first seven digits or more. */
export function names(text: string, expected: string): boolean {
  if (isSame(text.trim(), expected)) return true;
  return tokensOf(text).some((token) => isSame(token, expected));
}

/** The name of this kind in a text that names a version; `null`: none. */
export function nameIn(text: string, kind: VersionKind): string | null {
  const whole = text.trim();
  if (kind === 'word') return kindOf(whole) === kind && WORD.test(whole) ? whole : null;
  return [whole, ...tokensOf(text)].find((token) => kindOf(token) === kind) ?? null;
}

const WORD = /^[\w.+-]{1,100}$/;
const BETWEEN = /[\s,;"'()[\]{}<>=@]+/;
const LONGEST = 1_000;

function tokensOf(text: string): readonly string[] {
  const short = text.slice(0, LONGEST);
  const commits = [...short.matchAll(COMMITS)].map(([, commit = '']) => commit);
  return [...short.split(BETWEEN), ...commits].filter((token) => token !== '');
}

function isSame(found: string, expected: string): boolean {
  const [one, other] = [withoutMark(found), withoutMark(expected)];
  // `2.4.0+9b1c77a` is a build of `2.4.0` (Semantic Versioning, section 10), while `2.4.0-rc.1` comes before it.
  const withoutBuild = one.replace(/^(\d+(?:\.\d+)+(?:-[\da-z.-]+)?)\+[\da-z.-]+$/i, '$1');
  return one === other || (!other.includes('+') && withoutBuild === other) || isSameCommit(found, expected);
}

/**
 * Whether two names are of one scheme, so that they contradict one another where they differ: two commits; `1.4.0` and
 * `1.5.0-rc.1`, but not the number of a build.
 */
export function isOneScheme(one: string, other: string): boolean {
  const kind = kindOf(one);
  return kind !== 'word' && kind === kindOf(other) && (kind === 'commit' || schemeOf(one) === schemeOf(other));
}

/** `v1.4.0-rc.1` → `0.0.0`, `2026-03-01` → `0-0-0`. */
function schemeOf(version: string): string {
  const digits = withoutMark(version).replaceAll(/\d+/g, '0');
  return /^0(?:\.0)+/.exec(digits)?.[0] ?? digits;
}

function withoutMark(version: string): string {
  return version.replace(/^v(?=\d)/i, '');
}

function isSameCommit(one: string, other: string): boolean {
  if (!HEX.test(one) || !HEX.test(other)) return false;
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].toSorted((a, b) => a.length - b.length);
  // The number of a build may begin as another does; it is not an abbreviation.
  const isCommit = WHOLE.has(long.length) || kindOf(short) === 'commit';
  return isCommit && long.startsWith(short);
}
