import type {
  Answer,
  RawFinding,
  Evidence,
  ExpectedVersion,
  Reply,
  Since,
  Site,
  VersionLocation,
} from '../../src/check.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { replyEvidence } from '../../src/expect/reply.ts';
import { notEvaluated } from '../../src/expect/not-evaluated.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { ACCEPT } from '../../src/site/accept.ts';
import type { GatheredVersion, VersionRule } from './check.ts';
import {
  otherVersions,
  liveIn,
  liveInFile,
  otherIn,
  rivalIn,
  shown,
  type FoundVersion,
  type ExpectedName,
} from './live-version.ts';
import { versionTextsAt } from './version-location.ts';
import { isChanged } from './since.ts';
import { textOf, versionTextsInBundle, versionTextsInFile, type VersionText } from './version-texts.ts';

const BUNDLE = 'index.html';
const VERSION_FILE = 'version.json';

/** Looks for the version that was expected, with as few requests as can be: a site that is waited for is asked often. */
export async function gather(site: Site): Promise<GatheredVersion> {
  const { expected } = site.requested;
  if (expected === null) return { answer: null, finding: { rule: 'not-expected' } };
  const { since } = expected;
  const observed = await find(site, expected);
  // A site that does not tell its version, and need not, may have changed all the same.
  const isOpen = observed === null || observed.finding?.rule === 'untold';
  return isOpen && since !== null
    ? changedSince(site, since)
    : (observed ?? { answer: null, finding: { rule: 'not-expected' } });
}

async function find(site: Site, expected: ExpectedVersion): Promise<GatheredVersion | null> {
  const { version, alternatives = [], from, optional } = expected;
  if (version === null) return null;
  const wanted = { version: version.trim(), alternatives, optional };
  return from === null ? observe(site, wanted) : observeFile(site, from, wanted);
}

/** What one place tells, and the answer that it came with. */
interface VersionSource {
  readonly answer: Answer;
  readonly texts: readonly VersionText[];
  readonly live: FoundVersion | null;
}

/**
 * Looks in the file that is there for it, then in the bundle's `<meta>` and headers. Places that contradict one another
 * are of two deploys; of a site that need not tell its version, one place that tells the one that was expected is enough.
 */
async function observe(site: Site, expected: ExpectedName): Promise<GatheredVersion> {
  const answer = await ask(site, VERSION_FILE);
  const inFile = isWhole(answer) && !isPage(answer) ? versionTextsInFile(answer, VERSION_FILE) : [];
  const old = expected.optional ? null : rivalIn(inFile, expected);
  // Whatever the bundle says: it is not asked for.
  if (old !== null) return outdated(answer, old, expected);
  const bundle = await site.bundle();
  if (!isWhole(bundle)) return { answer: bundle, finding: notEvaluated(bundle) };
  const texts = isWhole(answer) && isFallback(answer, bundle) ? [] : inFile;
  const locations: readonly VersionSource[] = [
    { answer, texts, live: liveInFile(texts, expected) },
    ...versionTextsInBundle(bundle, BUNDLE).map((some) => ({
      answer: bundle,
      texts: some,
      live: liveIn(some, expected),
    })),
  ];
  const there = locations.find((location) => location.live !== null);
  const all = locations.flatMap((location) => location.texts);
  if (there?.live) {
    const rival = expected.optional ? null : firstRival(locations, expected);
    return rival === null
      ? live(there.answer, there.live)
      : outdated(rival.answer, rival.found, expected, { expectedAt: there.live.where });
  }
  const other = otherIn(all, expected);
  return other === null ? notReported(answer, expected, all) : outdated(answer, other, expected);
}

function firstRival(
  locations: readonly VersionSource[],
  expected: ExpectedName,
): { readonly answer: Answer; readonly found: FoundVersion } | null {
  for (const { answer, texts } of locations) {
    const found = rivalIn(texts, expected);
    if (found !== null) return { answer, found };
  }
  return null;
}

/** Looks at the place that the user named, and nowhere else. */
async function observeFile(site: Site, from: VersionLocation, expected: ExpectedName): Promise<GatheredVersion> {
  const answer = await askAt(site, from.path);
  const texts = await versionTextsThere(site, from, answer);
  if ('rule' in texts) return { answer, finding: expected.optional ? { ...texts, rule: 'untold' } : texts };
  const found = liveInFile(texts, expected);
  if (found !== null) return live(answer, found);
  const other = otherIn(texts, expected);
  if (other !== null) return outdated(answer, other, expected);
  const [only] = texts;
  // The text that was named is the version, whatever it looks like.
  if (!expected.optional && from.pick !== null && only !== undefined) {
    return outdated(answer, { version: shown(only.text), where: only.where }, expected);
  }
  return notReported(answer, expected, texts);
}

async function versionTextsThere(
  site: Site,
  from: VersionLocation,
  answer: Answer,
): Promise<readonly VersionText[] | RawFinding<VersionRule>> {
  const { path } = from;
  if (answer.kind === 'no-reply' || isUnsure(answer)) return notRead(answer);
  if (!isWhole(answer)) return { rule: 'no-place', evidence: { path, status: answer.status } };
  // A page may be named; the bundle that comes in place of a file may not.
  if (isPage(answer) && !isAt(site, path, BUNDLE) && isFallback(answer, await site.bundle())) {
    return { rule: 'no-place', evidence: { path, ...replyEvidence(answer) } };
  }
  const texts = versionTextsAt(answer, from);
  return typeof texts === 'string' ? { rule: 'no-place', evidence: { path, problem: texts } } : texts;
}

async function changedSince(site: Site, since: Since): Promise<GatheredVersion> {
  const answer = await site.bundle();
  if (!isWhole(answer)) return { answer, finding: notEvaluated(answer) };
  const [etag, lastModified] = [answer.headers.get('etag'), answer.headers.get('last-modified')];
  const facts = { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
  const changed = isChanged(answer.headers, since);
  if (changed === true) return { answer, facts, finding: null };
  const before = 'etag' in since ? since.etag : new Date(since.modifiedMs).toISOString();
  const rule = changed === null ? 'no-validators' : 'not-changed';
  return { answer, facts, finding: { rule, evidence: { since: before, ...facts } } };
}

function live(answer: Answer, { version, where }: FoundVersion): GatheredVersion {
  return { answer, facts: { version, where }, finding: null };
}

/** `more`: where the version that was expected is told, where another one is told as well. */
function outdated(
  answer: Answer,
  { version, where }: FoundVersion,
  expected: ExpectedName,
  more: Evidence = {},
): GatheredVersion {
  const evidence = { expected: expected.version, found: version, where, ...more };
  return { answer, facts: { version, where }, finding: { rule: 'old-version', evidence } };
}

/** A site that need not tell its version is not blamed for a host that does not answer either. */
function notReported(answer: Answer, expected: ExpectedName, texts: readonly VersionText[]): GatheredVersion {
  if (!expected.optional && isUnsure(answer)) return { answer, finding: notRead(answer) };
  const came = answer.kind === 'reply' ? { status: answer.status } : {};
  const evidence = { expected: expected.version, ...came, ...otherVersions(texts) };
  return { answer, finding: { rule: expected.optional ? 'untold' : 'no-version', evidence } };
}

/** The file may tell the version, or not: nobody knows. */
function notRead(answer: Answer): RawFinding<VersionRule> {
  const why = answer.kind === 'reply' ? { status: answer.status } : { reason: answer.reason, ...answer.evidence };
  return { rule: 'not-read', evidence: { url: answer.requestUrl, ...why } };
}

function isUnsure(answer: Answer): boolean {
  return answer.kind === 'no-reply' || answer.status === 429 || answer.status >= 500;
}

function isWhole(answer: Answer): answer is Reply & { readonly status: 200 } {
  return answer.kind === 'reply' && answer.status === 200;
}

function isPage(reply: Reply): boolean {
  return isHtmlDocument(textOf(reply) ?? '');
}

/** What the run has asked for is not asked for again. */
function askAt(site: Site, path: string): Promise<Answer> {
  if (isAt(site, path, BUNDLE)) return site.bundle();
  return isAt(site, path, 'config.json') ? site.config() : ask(site, path);
}

function isAt({ base }: Site, path: string, file: string): boolean {
  return new URL(path, base).href === new URL(file, base).href;
}

function ask({ base, pooled }: Site, path: string): Promise<Answer> {
  return pooled({ url: new URL(path, base), accept: ACCEPT.fetch });
}
