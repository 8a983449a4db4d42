import type { Answer, Reply, Site } from '../../src/check.ts';
import { mapConcurrently } from '../../src/concurrency.ts';
import { beginningOf, isFallback } from '../../src/expect/fallback.ts';
import { isOk } from '../../src/expect/reply.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { engineOf } from '../../src/engines/index.ts';
import type { Setting } from '../../src/engines/engine.ts';
import { candidates, configurationOf } from '../../src/site/settings.ts';
import { isDemanded } from '../../src/source/content.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import { believable, compareBody, compareFirst, gatheredFrom, isMarkup, stopped, urlOf } from './compare.ts';
import type { Comparison, ReadSource } from './compare.ts';
import { pathUnder } from '../../src/engines/link.ts';

const CONCURRENCY = 4;
/** Further files that are requested where a line was added to one: it is put in on the way where others have it, too. */
const MORE = 2;

/**
 * Compares a few files with what is live, with one request for each and no crawl: a site that is waited for is asked
 * often, and caches that never received a request for a file have no old one.
 */
export async function gatherSample(site: Site, source: Source, files: ReadSource['files'], most: number) {
  const read: ReadSource = { source, files, history: await source.history().catch(() => null) };
  const sample = await sampleOf(read, site.base, most + MORE, site.requested.suspects);
  const compare = (paths: readonly string[]): Promise<readonly Comparison[]> =>
    mapConcurrently(paths, CONCURRENCY, async (path) => {
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
    const folder = await folderOfSite(files, site);
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
  if (path === 'index.html') return site.bundle();
  if (path === 'config.json') return site.config();
  const url = urlOf(path, site.base);
  const named = setting === null ? null : (await site.file(setting)).answer;
  // The live configuration may name another file than that of the source.
  return named !== null && named.requestUrl === url.href ? named : site.pooled({ url, accept: '*/*' });
}

/** Whether the host says that a file is missing, or returns a page for missing files; other responses are not tried. */
async function isMissing(path: string, reply: Reply, site: Site): Promise<boolean> {
  if (reply.status === 404 || reply.status === 410) return true;
  if (reply.status !== 200 || /\.html?$/i.test(path)) return false;
  const isPage = isHtmlDocument(beginningOf(reply.body));
  return isPage && isFallback(reply, await site.bundle());
}

/** The only folder of the source with a configuration, where nothing of the source itself is live. */
async function folderOfSite(files: ReadonlyMap<string, SourceFile>, site: Site): Promise<string | null> {
  if (files.has('config.json')) return null;
  const folders = [...files.keys()].filter((path) => path.endsWith('/config.json'));
  const [folder] = folders;
  if (folders.length !== 1 || folder === undefined) return null;
  const isThere = isOk(await site.config()) && Object.keys(await site.configuration()).length > 0;
  return isThere ? folder.slice(0, -'/config.json'.length) : null;
}

/** Commits that are looked through; what changed before them is taken for old. */
const MOST_COMMITS = 50;
/** Larger files are requested last: they should not be loaded every few seconds. */
const LARGE = 256 * 1024;
/** Files that are new altogether, of those that are requested early: caches keep that they are not there yet. */
const MOST_ADDED = 2;
const BUNDLE = 'index.html';
const CONFIG = 'config.json';

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
  const [bundle = '', config = ''] = await Promise.all(
    [BUNDLE, CONFIG].map(async (path) =>
      Buffer.from((await source.read(path).catch(() => null)) ?? '').toString('utf8'),
    ),
  );
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
