import type { Answer, Draft, Evidence, ExpectedVersion, Reply, Since, Site, VersionPlace } from '../../src/check.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { replyEvidence } from '../../src/expect/reply.ts';
import { unjudged } from '../../src/expect/unjudged.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { ACCEPT } from '../../src/site/accept.ts';
import type { GatheredVersion, VersionCode } from './check.ts';
import { alsoTold, liveIn, liveInFile, otherIn, rivalIn, shown, type FoundVersion, type Wanted } from './found.ts';
import { toldAt } from './place.ts';
import { isChanged } from './since.ts';
import { textOf, toldByBundle, toldByFile, type Told } from './told.ts';

const BUNDLE = 'index.html';
const VERSION_FILE = 'version.json';

/** Looks for the version that was expected, with as few requests as can be: a site that is waited for is asked often. */
export async function gather(site: Site): Promise<GatheredVersion> {
  const { expected } = site.wants;
  if (expected === null) return { answer: null, draft: { code: 'not-expected' } };
  const { since } = expected;
  const looked = await lookFor(site, expected);
  // A site that does not tell its version, and need not, may have changed all the same.
  const isOpen = looked === null || looked.draft?.code === 'untold';
  return isOpen && since !== null
    ? changedSince(site, since)
    : (looked ?? { answer: null, draft: { code: 'not-expected' } });
}

async function lookFor(site: Site, expected: ExpectedVersion): Promise<GatheredVersion | null> {
  const { version, alternatives = [], from, optional } = expected;
  if (version === null) return null;
  const wanted = { version: version.trim(), alternatives, optional };
  return from === null ? look(site, wanted) : lookAt(site, from, wanted);
}

/** What one place tells, and the answer that it came with. */
interface Place {
  readonly answer: Answer;
  readonly told: readonly Told[];
  readonly live: FoundVersion | null;
}

/**
 * Looks in the file that is there for it, then in the bundle's `<meta>` and headers. Places that contradict one another
 * are of two deploys; of a site that need not tell its version, one place that tells the one that was expected is enough.
 */
async function look(site: Site, wanted: Wanted): Promise<GatheredVersion> {
  const answer = await ask(site, VERSION_FILE);
  const inFile = isWhole(answer) && !isPage(answer) ? toldByFile(answer, VERSION_FILE) : [];
  const old = wanted.optional ? null : rivalIn(inFile, wanted);
  // Whatever the bundle says: it is not asked for.
  if (old !== null) return outdated(answer, old, wanted);
  const bundle = await site.bundle();
  if (!isWhole(bundle)) return { answer: bundle, draft: unjudged(bundle) };
  const told = isWhole(answer) && isFallback(answer, bundle) ? [] : inFile;
  const places: readonly Place[] = [
    { answer, told, live: liveInFile(told, wanted) },
    ...toldByBundle(bundle, BUNDLE).map((some) => ({ answer: bundle, told: some, live: liveIn(some, wanted) })),
  ];
  const there = places.find((place) => place.live !== null);
  const all = places.flatMap((place) => place.told);
  if (there?.live) {
    const rival = wanted.optional ? null : firstRival(places, wanted);
    return rival === null
      ? live(there.answer, there.live)
      : outdated(rival.answer, rival.found, wanted, { expectedAt: there.live.where });
  }
  const other = otherIn(all, wanted);
  return other === null ? notTold(answer, wanted, all) : outdated(answer, other, wanted);
}

function firstRival(
  places: readonly Place[],
  wanted: Wanted,
): { readonly answer: Answer; readonly found: FoundVersion } | null {
  for (const { answer, told } of places) {
    const found = rivalIn(told, wanted);
    if (found !== null) return { answer, found };
  }
  return null;
}

/** Looks at the place that the user named, and nowhere else. */
async function lookAt(site: Site, from: VersionPlace, wanted: Wanted): Promise<GatheredVersion> {
  const answer = await askAt(site, from.path);
  const told = await toldThere(site, from, answer);
  if ('code' in told) return { answer, draft: wanted.optional ? { ...told, code: 'untold' } : told };
  const found = liveInFile(told, wanted);
  if (found !== null) return live(answer, found);
  const other = otherIn(told, wanted);
  if (other !== null) return outdated(answer, other, wanted);
  const [only] = told;
  // The text that was named is the version, whatever it looks like.
  if (!wanted.optional && from.pick !== null && only !== undefined) {
    return outdated(answer, { version: shown(only.text), where: only.where }, wanted);
  }
  return notTold(answer, wanted, told);
}

async function toldThere(
  site: Site,
  from: VersionPlace,
  answer: Answer,
): Promise<readonly Told[] | Draft<VersionCode>> {
  const { path } = from;
  if (answer.kind === 'no-reply' || isUnsure(answer)) return notRead(answer);
  if (!isWhole(answer)) return { code: 'no-place', evidence: { path, status: answer.status } };
  // A page may be named; the bundle that comes in place of a file may not.
  if (isPage(answer) && !isAt(site, path, BUNDLE) && isFallback(answer, await site.bundle())) {
    return { code: 'no-place', evidence: { path, ...replyEvidence(answer) } };
  }
  const told = toldAt(answer, from);
  return typeof told === 'string' ? { code: 'no-place', evidence: { path, problem: told } } : told;
}

async function changedSince(site: Site, since: Since): Promise<GatheredVersion> {
  const answer = await site.bundle();
  if (!isWhole(answer)) return { answer, draft: unjudged(answer) };
  const [etag, lastModified] = [answer.headers.get('etag'), answer.headers.get('last-modified')];
  const facts = { ...(etag === null ? {} : { etag }), ...(lastModified === null ? {} : { lastModified }) };
  const changed = isChanged(answer.headers, since);
  if (changed === true) return { answer, facts, draft: null };
  const before = 'etag' in since ? since.etag : new Date(since.modifiedMs).toISOString();
  const code = changed === null ? 'no-validators' : 'not-changed';
  return { answer, facts, draft: { code, evidence: { since: before, ...facts } } };
}

function live(answer: Answer, { version, where }: FoundVersion): GatheredVersion {
  return { answer, facts: { version, where }, draft: null };
}

/** `more`: where the version that was expected is told, where another one is told as well. */
function outdated(
  answer: Answer,
  { version, where }: FoundVersion,
  wanted: Wanted,
  more: Evidence = {},
): GatheredVersion {
  const evidence = { expected: wanted.version, found: version, where, ...more };
  return { answer, facts: { version, where }, draft: { code: 'old-version', evidence } };
}

/** A site that need not tell its version is not blamed for a host that does not answer either. */
function notTold(answer: Answer, wanted: Wanted, told: readonly Told[]): GatheredVersion {
  if (!wanted.optional && isUnsure(answer)) return { answer, draft: notRead(answer) };
  const came = answer.kind === 'reply' ? { status: answer.status } : {};
  const evidence = { expected: wanted.version, ...came, ...alsoTold(told) };
  return { answer, draft: { code: wanted.optional ? 'untold' : 'no-version', evidence } };
}

/** The file may tell the version, or not: nobody knows. */
function notRead(answer: Answer): Draft<VersionCode> {
  const why = answer.kind === 'reply' ? { status: answer.status } : { reason: answer.reason, ...answer.evidence };
  return { code: 'not-read', evidence: { url: answer.requestUrl, ...why } };
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
