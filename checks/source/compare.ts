import type { Answer, CrawledFile, Evidence, Gathered, Location, RawFinding, Reply, Site } from '../../src/check.ts';
import { hrefOfPath } from '../../src/engines/link.ts';
import { isOk } from '../../src/expect/reply.ts';
import { contentHash, normalText, pointedTo, isDemanded } from '../../src/source/content.ts';
import type { FileVersion, History } from '../../src/source/git.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import { firstDifference } from '../../src/parse/first-difference.ts';
import { position } from '../../src/parse/position.ts';
import type { Difference, SourceRule } from './check.ts';

export interface Comparison {
  readonly path: string;
  readonly difference: Difference;
  readonly evidence: Evidence;
  readonly location?: Location;
  readonly version?: FileVersion;
  readonly added?: string;
}

export function urlOf(path: string, base: URL): URL {
  return new URL(`./${hrefOfPath(path)}`, base);
}

/** A first comparison of a file: the same, missing, refused, or different in some way that is checked closer. */
export async function compareFirst(
  path: string,
  expected: SourceFile,
  answer: Answer,
  isMissing: (reply: Reply) => boolean | Promise<boolean>,
): Promise<Comparison> {
  if (answer.kind === 'no-reply') return notCompared(path, answer);
  const { status, body } = answer;
  // A host that sends its bundle for missing files sends the same where a file of these bytes is wanted.
  if (status === 200 && contentHash(body).sha256 === expected.sha256) return { path, difference: 'same', evidence: {} };
  if (await isMissing(answer)) return { path, difference: 'not-live', evidence: {} };
  if (status === 200) return { path, difference: 'differs', evidence: {} };
  const isForbidden = status === 401 || status === 403;
  return isForbidden ? { path, difference: 'forbidden', evidence: { status } } : notCompared(path, answer);
}

function notCompared(path: string, answer: Answer): Comparison {
  const evidence = answer.kind === 'no-reply' ? { reason: answer.reason } : { status: answer.status };
  return { path, difference: 'not-compared', evidence };
}

export interface ReadSource {
  readonly source: Source;
  readonly files: ReadonlyMap<string, SourceFile>;
  readonly history: History | null;
}

export async function compareClosely(path: string, site: Site, read: ReadSource): Promise<Comparison> {
  const answer = await site.pooled({ url: urlOf(path, site.base), accept: '*/*' });
  if (!isOk(answer)) return notCompared(path, answer);
  const expected = read.files.get(path);
  if (contentHash(answer.body).sha256 === expected?.sha256) {
    return { path, difference: 'alternates', evidence: { bytes: answer.body.length, sourceBytes: expected.bytes } };
  }
  return compareBody(path, answer.body, read);
}

export async function compareBody(path: string, body: Uint8Array, read: ReadSource): Promise<Comparison> {
  const expected = read.files.get(path) as SourceFile;
  const live = contentHash(body);
  const evidence = { bytes: live.bytes, sourceBytes: expected.bytes };
  if (live.textSha256 !== null && live.textSha256 === expected.textSha256) {
    return { path, difference: 'line-endings', evidence: { ...evidence, live: endings(body) } };
  }
  if (pointedTo(body) !== null) return { path, difference: 'lfs-pointer', evidence };
  const own = expected.textSha256 === null ? null : await read.source.read(path);
  const [now, then] = [normalText(body), own === null ? null : normalText(own)];
  const location = locationOf(path, then, now);
  const version = read.history?.find(path, body) ?? null;
  if (version !== null) {
    // The last commit has it: it is the folder that is ahead.
    const difference = version.newerVersions === 0 ? 'uncommitted' : 'stale';
    return { path, difference, evidence, version, ...location };
  }
  const added = /\.(?:md|markdown|html?|txt)$/i.test(path) ? addition(then, now) : null;
  if (added === null) return { path, difference: 'differs', evidence, ...location };
  const difference = /\.html?$/i.test(path) ? 'injected-html' : 'injected';
  return { path, difference, evidence, added, ...location };
}

function locationOf(path: string, source: string | null, live: string | null): Pick<Comparison, 'location'> {
  if (source === null || live === null) return {};
  return { location: { path, ...position(source, firstDifference(source, live) ?? 0) } };
}

/** What a file's lines end with, and whether it begins with a byte-order mark. */
function endings(body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  const mark = text.startsWith('\u00ef\u00bb\u00bf') ? 'BOM ' : '';
  if (text.includes('\r\n')) return `${mark}CRLF`;
  return mark + (text.includes('\r') ? 'CR' : 'LF');
}

/** What was added to a text of which everything is still there, in order; `null`: something of it is gone. Linear. */
export function addition(source: string | null, live: string | null): string | null {
  if (source === null || live === null || live.length <= source.length || source === '') return null;
  const head = firstDifference(source, live) ?? 0;
  let tail = 0;
  while (tail < source.length - head && source[source.length - 1 - tail] === live[live.length - 1 - tail]) tail++;
  if (head + tail === source.length) return live.slice(head, live.length - tail);
  const expected = source.split('\n');
  const added: string[] = [];
  let next = 0;
  for (const line of live.split('\n')) {
    if (line === expected[next]) next++;
    else added.push(line);
  }
  return next === expected.length ? added.join('\n') : null;
}

/** Commits that are tried: deployed commits are close to one another. */
const MOST_COMMITS = 50;

/** The files that cannot be of one commit; `null`: there is a commit that all could be of. */
function mixture(comparisons: readonly Comparison[], history: History) {
  const stale = comparisons.filter(({ version, difference }) => version !== undefined && difference === 'stale');
  if (stale.length === 0) return null;
  const newest = Math.max(...stale.map(({ version }) => version?.newest ?? 0));
  const oldest = Math.min(...stale.map(({ version }) => version?.oldest ?? 0));
  const old = stale.map(({ path }) => path);
  if (newest > oldest) return { old, new: [] };
  const changing = new Set(history.paths());
  const fresh = comparisons.filter(({ path, difference }) => ALIVE.has(difference) && changing.has(path));
  let fewest = fresh;
  for (let commit = newest; commit <= Math.min(oldest, newest + MOST_COMMITS); commit++) {
    // Files that this commit had in another version, or not at all, are newer than it.
    const newer = fresh.filter(({ path }) => history.objectAt(path, commit) !== history.objectAt(path, 0));
    if (newer.length === 0) return null;
    if (newer.length < fewest.length) fewest = newer;
  }
  return { old, new: fewest.map(({ path }) => path) };
}

/** What of the source is live all the same. */
const ALIVE: ReadonlySet<Difference> = new Set<Difference>(['same', 'line-endings', 'injected', 'injected-html']);

/** What tools leave beside the pages need not be deployed; where it is, it has to be the same. */
export function isReported({ path, difference }: Comparison): boolean {
  if (difference === 'same') return false;
  return isDemanded(path) || !ABSENT.has(difference);
}

const ABSENT: ReadonlySet<Difference> = new Set<Difference>(['not-live', 'forbidden', 'not-compared']);

/** Whether a difference shows that the deployment is not the source. */
function isWrong({ difference }: Comparison): boolean {
  return !ALIVE.has(difference) && difference !== 'not-compared';
}

/**
 * An old deploy whose text was only shortened since looks as if something had been added to it. What is really put in on
 * the way is put into more than one file, or is markup.
 */
export function believable(comparisons: readonly Comparison[]): readonly Comparison[] {
  const times = Map.groupBy(comparisons, ({ added }) => added?.trim() ?? '');
  return comparisons.map((one) => {
    if (one.added === undefined) return one;
    const repeated = (times.get(one.added.trim())?.length ?? 0) > 1;
    return repeated || isMarkup(one.added) ? one : { ...one, difference: 'differs' };
  });
}

export function isMarkup(added: string): boolean {
  // What comes just before a tag shares the tag's `<` with it.
  return MARKUP.test(`<${added}`);
}

const MARKUP =
  /<(?:script|style|link|iframe|noscript|img|p|div|span|a|section|aside|footer|header|button)\b|<!--|email-protection/i;

export function stopped(
  rule: SourceRule,
  evidence: Evidence = {},
): Gathered & { readonly finding: RawFinding<SourceRule> } {
  return { answer: null, finding: { rule, evidence } };
}

/** `reported`: the comparisons of which findings are made. */
export function gatheredFrom(
  all: readonly Comparison[],
  reported: readonly Comparison[],
  history: History | null,
  more: { readonly requests: number; readonly gone: readonly CrawledFile[]; readonly facts: Evidence },
) {
  if (all.every(({ difference }) => difference === 'not-compared')) {
    return { ...stopped('no-answer', all[0]?.evidence), requests: more.requests };
  }
  const mixed = history === null ? null : mixture(all, history);
  const word = wordFor(reported, mixed !== null);
  const facts = { files: all.length, differing: reported.filter(isWrong).length, ...more.facts };
  return {
    ...more,
    answer: null,
    facts: { ...(word === null ? {} : { source: word }), ...facts },
    comparisons: reported,
    mixed,
    isShallow: history?.isShallow === true,
  };
}

/** The verdict in a word; `null` where not everything could be requested. */
function wordFor(comparisons: readonly Comparison[], isMixed: boolean): 'fresh' | 'stale' | 'mixed' | null {
  if (isMixed || comparisons.some(({ difference }) => difference === 'alternates')) return 'mixed';
  if (comparisons.some(isWrong)) return 'stale';
  return comparisons.some(({ difference }) => difference === 'not-compared') ? null : 'fresh';
}
