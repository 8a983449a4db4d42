import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { Crawl } from '../../src/crawl/crawl.ts';
import type { CrawledFile } from '../../src/crawl/frontier.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { Site } from '../../src/site/types.ts';
import { mapConcurrently } from '../../src/core/concurrency.ts';
import type { Setting } from '../../src/engines/engine.ts';
import { engineOf } from '../../src/engines/index.ts';
import { hrefOfPath, pathUnder } from '../../src/engines/link.ts';
import { beginningOf, isFallback } from '../../src/expect/fallback.ts';
import { isOk } from '../../src/expect/reply.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { firstDifference, position } from '../../src/parse/position.ts';
import { candidates, configurationOf } from '../../src/site/settings.ts';
import { engineParts } from '../../src/site/loaded.ts';
import { contentHash, isDemanded, normalText, pointedTo } from '../../src/source/content.ts';
import type { FileVersion, History } from '../../src/source/git.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import { countingRequests, locatedAtAll } from '../full-check.ts';
import type { SourceRule } from './check.ts';

const CONCURRENCY = 8;
/** Names in the finding about what could not be read. */
const MOST_NAMED = 5;
const BUNDLE = 'index.html';
const CONFIG = 'config.json';

export async function gather(site: Site) {
  const { source, samples } = site.requested;
  if (source === null) return stopped('no-source');
  const [files, known] = await Promise.all([
    source.files().catch((error: Error) => error),
    // The crawl requests most files; hashing happens in parallel.
    samples === null ? Promise.all([site.crawl(), site.notFound()]) : null,
  ]);
  const { name } = source;
  if (files instanceof Error) return stopped('unreadable', { source: name, error: files.message });
  if (files.size === 0) return stopped('empty-source', { source: name });
  const folder = known === null ? null : folderByPages(files, known[0]);
  if (folder !== null) return stopped('other-folder', { source: name, folder });
  return known === null ? gatherSample(site, source, files, samples ?? 0) : compareAll(site, source, files, ...known);
}

async function compareAll(site: Site, source: Source, files: Files, crawl: Crawl, notFound: NotFound) {
  const { get, sent } = countingRequests(site);
  const comparison = async ([path, wanted]: readonly [string, SourceFile]): Promise<Comparison> => {
    const read = crawl.pages.get(path) ?? crawl.files.get(path);
    if (read !== undefined && read.ok && read.sha256 !== null) {
      return { path, difference: read.sha256 === wanted.sha256 ? 'same' : 'differs', evidence: {} };
    }
    const answer = await (path === CONFIG ? site.config() : get({ url: urlOf(path, site.base), accept: '*/*' }));
    if (answer.kind === 'no-reply' && answer.reason === 'too-large') return bySize(path, wanted, site);
    return compareFirst(path, wanted, answer, (reply) => notFound.isMissing(reply));
  };
  const first = await mapConcurrently([...files].slice(0, site.requested.pages), CONCURRENCY, comparison);
  const different = first.filter(({ difference, evidence }) => difference === 'differs' && !('bytes' in evidence));
  const history = different.length === 0 ? null : await source.history();
  const closer = await mapConcurrently(different, CONCURRENCY, ({ path }) =>
    compareClosely(path, site, { source, files, history }),
  );
  const byPath = new Map(believable(closer).map((one) => [one.path, one]));
  const all = first.map((one) => byPath.get(one.path) ?? one);
  const loaded = new Set((await engineParts(site)).map((url) => pathUnder(url, site.base)));
  const reported = all.map((one) => withName(one, crawl)).filter((one) => isReported(one, loaded));
  const leftOut = files.size - all.length;
  return gatheredFrom(all, reported, history, {
    requests: sent() + different.length,
    unread: await source.unread(),
    gone: await goneFrom(source, files, reported, crawl),
    facts: leftOut > 0 ? { leftOut } : {},
  });
}

async function bySize(path: string, expected: SourceFile, site: Site): Promise<Comparison> {
  const headers = { 'accept-encoding': 'identity' };
  const answer = await site.pooled({ url: urlOf(path, site.base), method: 'HEAD', accept: '*/*', headers });
  const length = isOk(answer) ? answer.headers.get('content-length') : null;
  if (length === null) return { path, difference: 'not-compared', evidence: { reason: 'too-large' } };
  if (Number(length) === expected.bytes) return { path, difference: 'same', evidence: {} };
  return { path, difference: 'differs', evidence: { bytes: Number(length), sourceBytes: expected.bytes } };
}

/** Names the live page that differs from a missing file in letter case only. */
function withName(one: Comparison, crawl: Crawl): Comparison {
  if (one.difference !== 'not-live') return one;
  const lower = one.path.toLowerCase();
  const live = [...crawl.pages.values()].find(({ ok, path }) => ok && path.toLowerCase() === lower);
  return live === undefined ? one : { ...one, evidence: { ...one.evidence, liveAs: live.path } };
}

async function goneFrom(source: Source, files: Files, comparisons: readonly Comparison[], { pages }: Crawl) {
  const names = new Set([...files.keys()].map((path) => path.normalize('NFC')));
  for (const { evidence } of comparisons) if (typeof evidence['liveAs'] === 'string') names.add(evidence['liveAs']);
  const skipped = [...(await source.skipped()), ...(await source.unread())];
  const isSkipped = (path: string): boolean => skipped.some((one) => path === one || path.startsWith(`${one}/`));
  return [...pages.values()].filter(
    ({ ok, path, count }) => ok && count > 0 && !names.has(path.normalize('NFC')) && !isSkipped(path),
  );
}

function folderByPages(files: Files, { pages }: Crawl): string | null {
  const live = [...pages.values()].filter(({ ok }) => ok).map(({ path }) => path);
  const found = (folder: string): number => live.filter((path) => files.has(folder + path)).length;
  if (live.length < 2 || found('') > live.length / 2) return null;
  const start = live.find((path) => !path.includes('/')) ?? '';
  const folders = [...files.keys()]
    .filter((path) => path.endsWith(`/${start}`))
    .map((path) => path.slice(0, -start.length));
  const best = folders.find((folder) => found(folder) > live.length / 2);
  return best === undefined ? null : best.slice(0, -1);
}

export function evaluate(gathered: Awaited<ReturnType<typeof gather>>): readonly RawFinding<SourceRule>[] {
  if ('finding' in gathered) return [gathered.finding];
  const { comparisons, gone, unread, mixed, isShallow } = gathered;
  const named = { count: unread.length, names: unread.slice(0, MOST_NAMED) };
  return [
    ...(unread.length === 0 ? [] : [{ rule: 'unread' as const, evidence: named }]),
    ...(mixed === null ? [] : [{ rule: 'mixed' as const, evidence: { old: mixed.old, new: mixed.new } }]),
    // What is mixed is reported once, with its files.
    ...comparisons
      .filter(({ difference }) => mixed === null || difference !== 'stale')
      .flatMap((one) => findingOf(one, isShallow)),
    ...gone.map(({ path, locations, count }) => {
      return { rule: 'gone' as const, evidence: { path, count }, ...locatedAtAll(locations) };
    }),
  ];
}

function findingOf({ path, difference, evidence, location, version }: Comparison, isShallow: boolean) {
  if (difference === 'same') return [];
  const facts = {
    path,
    ...evidence,
    ...(version === undefined ? {} : { commit: version.commit, newerVersions: version.newerVersions }),
    ...(difference === 'differs' && isShallow ? { shallow: true } : {}),
  };
  return [{ rule: difference, evidence: facts, ...(location === undefined ? {} : { location }) }];
}

const SAMPLES_AT_ONCE = 4;
/** Further files that are requested where a line was added to one: it is put in on the way where others have it, too. */
const MORE = 2;

/**
 * Compares a few files with what is live, with one request for each and no crawl: a site that is waited for is asked
 * often, and caches that never received a request for a file have no old one.
 */
async function gatherSample(site: Site, source: Source, files: Files, most: number) {
  const read: ReadSource = { source, files, history: await source.history().catch(() => null) };
  const sample = await sampleOf(read, site.base, most + MORE, site.requested.suspects);
  const compare = (paths: readonly string[]): Promise<readonly Comparison[]> =>
    mapConcurrently(paths, SAMPLES_AT_ONCE, async (path) => {
      const wanted = files.get(path) as SourceFile;
      // Where more than one file is compared, the checks of single files are part of the run.
      const answer = await ask(path, site, most > 1 ? (sample.settings.get(path) ?? null) : null);
      const first = await compareFirst(path, wanted, answer, (reply) => isMissingFile(path, reply, site));
      const isOther = first.difference === 'differs' && answer.kind === 'reply';
      return isOther ? compareBody(path, answer.body, read) : first;
    });
  const wanted = await compare(sample.paths.slice(0, most));
  const isDoubtful = wanted.some(({ added }) => added !== undefined && !isMarkup(added));
  const checked = isDoubtful ? [...wanted, ...(await compare(sample.paths.slice(most)))] : wanted;
  if (checked.every(({ difference }) => difference === 'not-live')) {
    const folder = await folderByConfiguration(files, site);
    if (folder !== null) return stopped('other-folder', { source: source.name, folder });
  }
  // Whether one of the files, at least, is another one than in the version before.
  const telling = sample.reports(checked.map(({ path }) => path));
  const all = believable(checked);
  const facts = { sampled: true, telling, of: files.size };
  const unread = await source.unread();
  return gatheredFrom(all, all, read.history, { requests: checked.length, unread, gone: [], facts });
}

/** The bundle, the configuration and the files that it names are requested once in a run, by whichever check. */
async function ask(path: string, site: Site, setting: Setting | null): Promise<Answer> {
  if (path === BUNDLE) return site.bundle();
  if (path === CONFIG) return site.config();
  const url = urlOf(path, site.base);
  const named = setting === null ? null : (await site.file(setting)).answer;
  // The live configuration may name another file than that of the source.
  return named !== null && named.requestUrl === url.href ? named : site.pooled({ url, accept: '*/*' });
}

/** Whether the host says that a file is missing, or returns a page for missing files; other responses are not tried. */
async function isMissingFile(path: string, reply: Reply, site: Site): Promise<boolean> {
  if (reply.status === 404 || reply.status === 410) return true;
  if (reply.status !== 200 || /\.html?$/i.test(path)) return false;
  return isHtmlDocument(beginningOf(reply.body)) && isFallback(reply, await site.bundle());
}

/** The only folder of the source with a configuration, where nothing of the source itself is live. */
async function folderByConfiguration(files: Files, site: Site): Promise<string | null> {
  if (files.has(CONFIG)) return null;
  const folders = [...files.keys()].filter((path) => path.endsWith(`/${CONFIG}`));
  const [folder] = folders;
  if (folders.length !== 1 || folder === undefined) return null;
  const isThere = isOk(await site.config()) && Object.keys(await site.configuration()).length > 0;
  return isThere ? folder.slice(0, -`/${CONFIG}`.length) : null;
}

/** Commits that are looked through: deployed commits are close to one another. What changed before them is taken for old. */
const MOST_COMMITS = 50;
/** Larger files are requested last: they should not be loaded every few seconds. */
const LARGE = 256 * 1024;
/** Files that are new altogether, of those that are requested early: caches keep that they are not there yet. */
const MOST_ADDED = 2;

type Ranked = ReturnType<typeof rankedFiles>[number];

/**
 * The files to compare: those that were old before, in their order; then those that the last commits changed, the files
 * that every site has (configuration, navigation, home page, agent index, bundle), then others from all over the tree,
 * the same each time. The first that was not old before is one that was there before the last commits, if there is any.
 */
export async function sampleOf(read: ReadSource, base: URL, most: number, suspects: readonly string[] = []) {
  const settings = await settingFiles(read.source, base);
  const ranked = rankedFiles(read, [...settings.keys()]);
  const old = suspects.filter((path) => read.files.has(path));
  const others = ranked.filter(({ path }) => !old.includes(path));
  const byAge = others.toSorted(compareRanks);
  const first = byAge.find(({ isAdded, isLarge }) => !isAdded && !isLarge) ?? byAge.find(({ isAdded }) => !isAdded);
  const rest = byAge.filter((file) => file !== first);
  const early = new Set(rest.filter(({ isAdded }) => isAdded).slice(0, MOST_ADDED));
  const isLate = (file: Ranked): boolean => file.isAdded && !early.has(file);
  const paths = [first ?? [], rest.filter((file) => !isLate(file)), rest.filter(isLate)].flat().map(({ path }) => path);
  const newest = Math.min(...ranked.map(({ commit }) => commit));
  return {
    settings,
    paths: [...old, ...paths].slice(0, most),
    /** Whether one of these files, if live as in the source, shows that the last version is live. */
    reports: (compared: readonly string[]) =>
      ranked.every(({ path }) => compared.includes(path)) ||
      ranked.some(({ path, commit }) => commit === newest && commit < MOST_COMMITS && compared.includes(path)),
  };
}

/** `fixed`: the files that every site has. */
function rankedFiles({ files, history }: ReadSource, fixed: readonly string[]) {
  const ranked = [...files]
    .filter(([path]) => isDemanded(path) || path === BUNDLE)
    .map(([path, { bytes, sha256 }]) => {
      const rank = fixed.indexOf(path);
      return {
        path,
        isLarge: bytes > LARGE,
        commit: Math.min(history?.lastChange(path) ?? MOST_COMMITS, MOST_COMMITS),
        rank: rank === -1 ? fixed.length : rank,
        order: sha256 + path,
      };
    });
  // What the first commit of all made was there before every other.
  const oldest = Math.max(...ranked.map(({ commit }) => commit));
  return ranked.map((file) => ({
    ...file,
    isAdded: file.commit < oldest && (history?.objectAt(file.path, file.commit + 1) ?? null) === null,
  }));
}

const compareRanks = (one: Ranked, other: Ranked): number =>
  Number(one.isLarge) - Number(other.isLarge) ||
  one.commit - other.commit ||
  Number(one.isAdded) - Number(other.isAdded) ||
  one.rank - other.rank ||
  (one.order < other.order ? -1 : 1);

/** For the settings of the engine in the bundle of the source. */
const LIMITS = { parseMs: 5_000 };

/** The files that every site has, the first to compare first, each with the setting that names it. */
async function settingFiles(source: Source, base: URL): Promise<ReadonlyMap<string, Setting | null>> {
  const textOf = async (path: string) =>
    Buffer.from((await source.read(path).catch(() => null)) ?? '').toString('utf8');
  const [bundle, config] = await Promise.all([textOf(BUNDLE), textOf(CONFIG)]);
  const { profile } = engineOf(bundle, null);
  const { settings } = await profile.configure({
    bundle,
    configuration: configurationOf(config),
    limits: LIMITS,
    script: async (address) => {
      const url = URL.parse(address, base.href);
      const path = url && pathUnder(url, base);
      return path === null ? null : textOf(path);
    },
  });
  const named = (['navigationFile', 'homePage', 'llmsTxtUrl'] satisfies Setting[]).flatMap((setting) => {
    const value = settings[setting];
    const urls = typeof value === 'string' ? candidates(value, base) : [];
    const paths = urls.flatMap((url) => pathUnder(url, base) ?? []);
    return [...paths, profile.files[setting]].map((path) => [path, setting] as const);
  });
  // A file that two settings name has its place by the first.
  const files = new Map<string, Setting | null>([[CONFIG, null]]);
  for (const [path, setting] of [...named, [BUNDLE, null] as const]) if (!files.has(path)) files.set(path, setting);
  return files;
}

type Difference = SourceRule | 'same';

export interface Comparison extends Pick<RawFinding, 'location'> {
  readonly path: string;
  readonly difference: Difference;
  readonly evidence: Evidence;
  readonly version?: FileVersion;
  readonly added?: string;
}

function urlOf(path: string, base: URL): URL {
  return new URL(`./${hrefOfPath(path)}`, base);
}

/** A first comparison of a file: the same, missing, refused, or different in some way that is checked closer. */
async function compareFirst(
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

type Files = ReadonlyMap<string, SourceFile>;

interface ReadSource {
  readonly source: Source;
  readonly files: Files;
  readonly history: History | null;
}

async function compareClosely(path: string, site: Site, read: ReadSource): Promise<Comparison> {
  const answer = await site.pooled({ url: urlOf(path, site.base), accept: '*/*' });
  if (!isOk(answer)) return notCompared(path, answer);
  const expected = read.files.get(path);
  if (contentHash(answer.body).sha256 === expected?.sha256) {
    return { path, difference: 'alternates', evidence: { bytes: answer.body.length, sourceBytes: expected.bytes } };
  }
  return compareBody(path, answer.body, read);
}

async function compareBody(path: string, body: Uint8Array, read: ReadSource): Promise<Comparison> {
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

function locationOf(path: string, source: string | null, live: string | null): Pick<RawFinding, 'location'> {
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

/**
 * What tools leave beside the pages need not be deployed; where it is, it has to be the same. `loaded`: the files that the
 * live page names.
 */
function isReported({ path, difference }: Comparison, loaded: ReadonlySet<string | null>): boolean {
  if (difference === 'same') return false;
  return isDemanded(path) || loaded.has(path) || !ABSENT.has(difference);
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
function believable(comparisons: readonly Comparison[]): readonly Comparison[] {
  const times = Map.groupBy(comparisons, ({ added }) => added?.trim() ?? '');
  return comparisons.map((one) => {
    if (one.added === undefined) return one;
    const repeated = (times.get(one.added.trim())?.length ?? 0) > 1;
    return repeated || isMarkup(one.added) ? one : { ...one, difference: 'differs' };
  });
}

function isMarkup(added: string): boolean {
  // What comes just before a tag shares the tag's `<` with it.
  return MARKUP.test(`<${added}`);
}

const MARKUP =
  /<(?:script|style|link|iframe|noscript|img|p|div|span|a|section|aside|footer|header|button)\b|<!--|email-protection/i;

const stopped = (rule: SourceRule, evidence: Evidence = {}) => ({ answer: null, finding: { rule, evidence } });

/** `reported`: the comparisons of which findings are made. */
function gatheredFrom(
  all: readonly Comparison[],
  reported: readonly Comparison[],
  history: History | null,
  more: {
    readonly requests: number;
    readonly unread: readonly string[];
    readonly gone: readonly CrawledFile[];
    readonly facts: Evidence;
  },
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
