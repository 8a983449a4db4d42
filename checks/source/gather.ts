import type { Answer, Crawl, NotFound, RawFinding, Reply, Site } from '../../src/check.ts';
import { mapConcurrently } from '../../src/concurrency.ts';
import type { Setting } from '../../src/engines/engine.ts';
import { engineOf } from '../../src/engines/index.ts';
import { pathUnder } from '../../src/engines/link.ts';
import { beginningOf, isFallback } from '../../src/expect/fallback.ts';
import { isOk } from '../../src/expect/reply.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { candidates, configurationOf } from '../../src/site/settings.ts';
import { isDemanded } from '../../src/source/content.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { SourceRule } from './check.ts';
import {
  believable,
  compareBody,
  compareClosely,
  compareFirst,
  gatheredFrom,
  isMarkup,
  isReported,
  stopped,
  urlOf,
  type Comparison,
  type ReadSource,
} from './compare.ts';
import { countingRequests, locatedAtAll } from '../shared.ts';

const CONCURRENCY = 8;
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

type Files = ReadSource['files'];

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
  const reported = all.map((one) => withName(one, crawl)).filter(isReported);
  const leftOut = files.size - all.length;
  return gatheredFrom(all, reported, history, {
    requests: sent() + different.length,
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
  const skipped = await source.skipped();
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
  const { comparisons, gone, mixed, isShallow } = gathered;
  return [
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
      const first = await compareFirst(path, wanted, answer, (reply) => isMissing(path, reply, site));
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
  return gatheredFrom(all, all, read.history, { requests: checked.length, gone: [], facts });
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
async function isMissing(path: string, reply: Reply, site: Site): Promise<boolean> {
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

/** Commits that are looked through; what changed before them is taken for old. */
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

/** The files that every site has, the first to compare first, each with the setting that names it. */
async function settingFiles(source: Source, base: URL): Promise<ReadonlyMap<string, Setting | null>> {
  const textOf = async (path: string) =>
    Buffer.from((await source.read(path).catch(() => null)) ?? '').toString('utf8');
  const [bundle, config] = await Promise.all([textOf(BUNDLE), textOf(CONFIG)]);
  const { profile } = engineOf(bundle, null);
  const { settings } = await profile.configure({ bundle, configuration: configurationOf(config) });
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
