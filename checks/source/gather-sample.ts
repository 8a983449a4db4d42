import type { Answer, Reply, Site } from '../../src/check.ts';
import { mapConcurrently } from '../../src/map-concurrently.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import type { Setting } from '../../src/site/settings.ts';
import { contentHash } from '../../src/source/content.ts';
import type { Source, SourceFile } from '../../src/source/types.ts';
import type { GatheredSource } from './check.ts';
import { difference, urlOf, type Comparison } from './compare.ts';
import { filesOf, stopped } from './readable.ts';
import { sampleOf, settingFiles, type ReadSource } from './sample.ts';
import { believable, isMarkup, wordFor, WRONG } from './conclusions.ts';
import { mixture } from './versions.ts';

const CONCURRENCY = 4;
/** Further files that are asked for where a line was added to one: it is put in on the way where others have it, too. */
const MORE = 2;

/**
 * Compares a few files with what is live, with one request for each and no crawl: a site that is waited for is asked
 * often, and caches that were never asked for a file hold no old one.
 */
export async function gatherSample(site: Site, source: Source, most: number): Promise<GatheredSource> {
  const files = await filesOf(source);
  if (files instanceof Error) return stopped('unreadable', { source: source.name, error: files.message });
  if (files.size === 0) return stopped('empty-source', { source: source.name });
  const read: ReadSource = { source, files, history: await source.history().catch(() => null) };
  const sample = await sampleOf(read, site.base, most + MORE, site.requested.suspects);
  const checked = await compareAt(sample.paths, most, read, site);
  if (checked.every(({ difference: found }) => found === 'not-compared')) {
    return {
      answer: null,
      requests: checked.length,
      finding: { rule: 'no-answer', evidence: checked[0]?.evidence ?? {} },
    };
  }
  if (checked.every(({ difference: found }) => found === 'not-live')) {
    const folder = await folderOfSite(files, site);
    if (folder !== null) return stopped('other-folder', { source: source.name, folder });
  }
  const comparisons = believable(checked);
  const mixed = read.history === null ? null : mixture(comparisons, read.history);
  return {
    answer: null,
    requests: checked.length,
    facts: {
      ...wordFor(comparisons, mixed !== null),
      sampled: true,
      // Whether one of the files, at least, is another one than in the version before.
      telling: sample.reports(checked.map(({ path }) => path)),
      files: checked.length,
      of: files.size,
      differing: comparisons.filter(({ difference: found }) => WRONG.has(found)).length,
    },
    comparisons,
    gone: [],
    mixed,
    isShallow: read.history?.isShallow === true,
  };
}

async function compareAt(
  paths: readonly string[],
  most: number,
  read: ReadSource,
  site: Site,
): Promise<readonly Comparison[]> {
  // Where there is more than one file to look at, the checks of single files are part of the run.
  const shared = most > 1 ? await settingFiles(read.source, site.base) : new Map<string, null>();
  const comparison = (some: readonly string[]): Promise<readonly Comparison[]> =>
    mapConcurrently(some, CONCURRENCY, async (path) =>
      compare(path, read.files.get(path) as SourceFile, {
        ...read,
        site,
        answer: await ask(path, site, shared.get(path) ?? null),
      }),
    );
  const checked = await comparison(paths.slice(0, most));
  const isDoubtful = checked.some(({ added }) => added !== undefined && !isMarkup(added));
  return isDoubtful ? [...checked, ...(await comparison(paths.slice(most)))] : checked;
}

interface Live extends ReadSource {
  readonly site: Site;
  /** What came for the file. */
  readonly answer: Answer;
}

async function compare(path: string, wanted: SourceFile, { site, answer, ...read }: Live): Promise<Comparison> {
  if (answer.kind === 'no-reply') return { path, difference: 'not-compared', evidence: { reason: answer.reason } };
  const { status, body } = answer;
  if (status === 404 || status === 410) return { path, difference: 'not-live', evidence: {} };
  if (status === 401 || status === 403) return { path, difference: 'forbidden', evidence: { status } };
  if (status !== 200) return { path, difference: 'not-compared', evidence: { status } };
  if (contentHash(body).sha256 === wanted.sha256) return { path, difference: 'same', evidence: {} };
  if (await isLive(path, answer, site)) return { path, difference: 'not-live', evidence: {} };
  return difference(path, body, wanted, read);
}

/** The bundle, the configuration and the files that it names are asked for once in a run, whoever looks at them. */
async function ask(path: string, site: Site, setting: Setting | null): Promise<Answer> {
  if (path === 'index.html') return site.bundle();
  if (path === 'config.json') return site.config();
  const url = urlOf(path, site.base);
  const named = setting === null ? null : (await site.file(setting)).answer;
  // The live configuration may name another file than that of the source.
  return named !== null && named.requestUrl === url.href ? named : site.pooled({ url, accept: '*/*' });
}

/** Whether the host sends a page in place of a file that is none; what else it may send for missing files is not asked. */
async function isLive(path: string, reply: Reply, site: Site): Promise<boolean> {
  if (/\.html?$/i.test(path)) return false;
  const isPage = isHtmlDocument(Buffer.from(reply.body.subarray(0, 4096)).toString('utf8'));
  return isPage && isFallback(reply, await site.bundle());
}

/**
 * The folder of the source that most likely is the site, where nothing of the source itself is live: the one folder that
 * has a configuration, where the site has one and the source none beside that.
 */
async function folderOfSite(files: ReadonlyMap<string, SourceFile>, site: Site): Promise<string | null> {
  if (files.has('config.json')) return null;
  const folders = [...files.keys()].filter((path) => path.endsWith('/config.json'));
  const [folder] = folders;
  if (folders.length !== 1 || folder === undefined) return null;
  const config = await site.config();
  const isThere =
    config.kind === 'reply' && config.status === 200 && Object.keys(await site.configuration()).length > 0;
  return isThere ? folder.slice(0, -'/config.json'.length) : null;
}
