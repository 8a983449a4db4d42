import { isNoIndex, metasOf, readRobotsMetas, readRobotsTags } from './robots-tags.ts';
import { evaluateRobotsTxt } from './robots-txt-rules.ts';
import { type RobotsFile, parseRobots } from './robots-txt.ts';
import { type IndexingRule, PASSED_ON, type Rule } from './rules.ts';
import { type Target, agentIndex, isThere, targetsOf } from './targets.ts';
import type { Answer, Evidence, Gathered, HostKind, NotFound, RawFinding, Reply, Site } from '../../src/check.ts';
import { type NotReceived, notEvaluated, notReceived, notReceivedFindings } from '../../src/expect/not-received.ts';
import { replyEvidence } from '../../src/expect/reply.ts';
import { REASONS, type Reason } from '../../src/http/reasons.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { startFiles } from '../../src/site/loaded.ts';

export interface RobotsGathered extends Gathered {
  readonly answer: Answer;
  readonly bundle: Answer;
  readonly targets: readonly Target[];
  readonly missing: NotFound;
  /** `null`: there is no file whose rules could be read. */
  readonly file: RobotsFile | null;
  readonly indexed: readonly IndexedFile[];
  readonly base: URL;
  readonly host: HostKind | null;
  /** Whether search engines are meant to be kept out: by the address, or because the site is open to few. */
  readonly preview: boolean;
  /** What of the site could not be seen, so that neither rules nor headers were held against it. */
  readonly cut: readonly NotReceived[];
  /** How many files were checked, beside the pages. */
  readonly wanted: number;
}

/** The file, and the paths and headers that it is held against. */
export async function gather(site: Site): Promise<RobotsGathered> {
  // The file counts for the whole origin, whatever path the site lives under (section 2.3).
  const url = new URL('/robots.txt', site.base);
  const [answer, bundle, missing, targets, indexed, { kind: host }, starts] = await Promise.all([
    site.pooled({ url, accept: '*/*' }),
    site.bundle(),
    site.notFound(),
    targetsOf(site),
    indexedFiles(site),
    site.hosting(),
    startFiles(site),
  ]);
  const file = fileOf(answer, missing);
  const checked = [answer, bundle, ...starts];
  return {
    answer,
    bundle,
    missing,
    targets,
    file,
    indexed,
    base: site.base,
    host,
    preview: site.requested.authorized || isPreview(site.base.hostname),
    cut: checked.flatMap((one) => notReceived(one) ?? []),
    wanted: checked.length,
    requests: 1,
    facts: factsOf(file, targets),
  };
}

export async function evaluate(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { indexed, preview, cut, wanted } = gathered;
  return [...(await evaluateFile(gathered)), ...indexing(indexed, preview), ...notReceivedFindings(cut, wanted)];
}

async function evaluateFile(gathered: RobotsGathered): Promise<readonly RawFinding<Rule>[]> {
  const { answer, bundle, targets, file, base, preview } = gathered;
  if (notReceived(answer) !== null) return [];
  if (answer.kind === 'no-reply') return [noReply(answer.reason, answer.evidence, answer, bundle)];
  if (answer.status >= 500) {
    return isHealthy(bundle) ? [{ rule: 'server-failure', evidence: replyEvidence(answer) }] : [notEvaluated(answer)];
  }
  // Every other status than 200 means that there are no rules (section 2.3.1.3).
  if (answer.status !== 200) return [];
  if (file === null) return [{ rule: servedInstead(answer, gathered), evidence: replyEvidence(answer) }];
  const path = base.pathname === '/' ? 'robots.txt' : '/robots.txt';
  return evaluateRobotsTxt({ file, targets, preview, path });
}

/** What came instead of the file. A plain web server has a fallback by design, so that the site just has no such file. */
function servedInstead(reply: Reply, { missing, host }: RobotsGathered): Rule {
  if (!missing.isMissing(reply)) return 'html';
  return host === 'server' ? 'fallback-by-design' : 'spa-fallback';
}

function noReply(reason: Reason, evidence: Evidence, answer: Answer, bundle: Answer): RawFinding<Rule> {
  if (Object.hasOwn(PASSED_ON, reason)) return { rule: reason as keyof typeof PASSED_ON, evidence };
  if (!isHealthy(bundle) || REASONS[reason] !== 'error') return notEvaluated(answer);
  return { rule: 'server-failure', evidence: { reason, ...evidence } };
}

/** Where the whole host fails, that is reported by other checks. */
function isHealthy(bundle: Answer): boolean {
  return bundle.kind === 'reply' && bundle.status < 500;
}

/** The rules, where the reply is no page that came instead of the file. */
function fileOf(answer: Answer, missing: NotFound): RobotsFile | null {
  if (answer.kind !== 'reply' || answer.status !== 200) return null;
  if (answer.body.length === 0) return parseRobots(answer.body);
  const beginning = Buffer.from(answer.body.subarray(0, 4096)).toString('utf8');
  return missing.isMissing(answer) || isHtmlDocument(beginning) ? null : parseRobots(answer.body);
}

function factsOf(file: RobotsFile | null, targets: readonly Target[]): Evidence {
  if (file === null) return { paths: targets.length };
  const rules = file.groups.reduce((sum, group) => sum + group.rules.length, 0);
  return { groups: file.groups.length, rules, sitemaps: file.sitemaps, paths: targets.length };
}

/** The files whose headers tell search engines something: the bundle, and those that agents read. */
async function indexedFiles(site: Site): Promise<readonly IndexedFile[]> {
  const [bundle, home, navigation, index, missing] = await Promise.all([
    site.bundle(),
    site.file('homePage'),
    site.file('navigationFile'),
    agentIndex(site),
    site.notFound(),
  ]);
  const pages = [home.answer, navigation.answer, index].flatMap((answer) =>
    answer?.kind === 'reply' && isThere(answer, false, missing) ? [indexedFile(answer, 'page', [])] : [],
  );
  if (bundle.kind !== 'reply' || bundle.status !== 200) return pages;
  const html = Buffer.from(bundle.body.subarray(0, LONGEST_BUNDLE)).toString('utf8');
  return [indexedFile(bundle, 'bundle', metasOf(html)), ...pages];
}

/** What `<meta>` elements are looked for in: they stand in the head. In bytes. */
const LONGEST_BUNDLE = 256 * 1024;

function indexedFile(reply: Reply, kind: IndexedFile['kind'], metas: IndexedFile['metas']): IndexedFile {
  return { kind, path: new URL(reply.requestUrl).pathname, headers: reply.headers.all('x-robots-tag'), metas };
}

/** The addresses that hosting platforms give to deploys which are no production. */
const PREVIEWS = [
  // <project>-git-<branch>-<team>, <project>-<hash>-<team>
  /-git-[a-z0-9-]+\.vercel\.app$/,
  /-(?=[a-z]*\d)[a-z0-9]{9}-[a-z0-9-]+\.vercel\.app$/,
  // <hash or branch>.<project>
  /^[a-z0-9-]+\.[a-z0-9-]+\.pages\.dev$/,
  // <version>-<worker>.<account>
  /^[0-9a-f]{8}-[a-z0-9-]+\.[a-z0-9-]+\.workers\.dev$/,
  // deploy-preview-<number>--<site>, <branch>--<site>
  /--[a-z0-9-]+\.netlify\.app$/,
];

/** Parts of a name, between dots, that owners give to what is no production. */
const LABELS = [
  /^(?:dev|development|test|testing|stage|qa|uat|beta|canary|sandbox)\d*$/,
  /(?:^|-)(?:staging|preview|previews)\d*(?:-|$)/,
  // Of one pull or merge request, or of one branch.
  /^(?:pr|mr)-?\d+(?:-|$)/,
  /-(?:pr|mr)-?\d+$/,
  /-git-/,
];

/** Whether a host name is that of a preview or a test site, which search engines are meant to be kept out of. */
export function isPreview(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    PREVIEWS.some((form) => form.test(name)) || ownLabels(name).some((label) => LABELS.some((form) => form.test(label)))
  );
}

/** The parts of a name before the one that was registered: `dev` in `dev.harbour.example`, not in `harbour.dev`. */
function ownLabels(hostname: string): readonly string[] {
  const labels = hostname.split('.');
  // As in `harbour.co.uk`.
  const registered = /(?:^|\.)[a-z]{2,3}\.[a-z]{2}$/.test(hostname) && labels.length > 2 ? 3 : 2;
  return labels.slice(0, -registered);
}

/* Judges what `X-Robots-Tag` headers and `<meta name="robots">` say to search engines. Pure. */

/** A file, and what came with it for search engines. */
interface IndexedFile {
  readonly kind: 'bundle' | 'page';
  readonly path: string;
  /** The lines of `X-Robots-Tag`. */
  readonly headers: readonly string[];
  /** The `<meta>` elements of an HTML page. */
  readonly metas: readonly { readonly name: string; readonly content: string }[];
}

/** The findings about what keeps pages out of search results. Markdown kept out beside an indexed site is usual. */
function indexing(files: readonly IndexedFile[], preview: boolean): readonly RawFinding<IndexingRule>[] {
  const bundle = files.find(({ kind }) => kind === 'bundle');
  const ofBundle = bundle === undefined ? null : noIndex(bundle);
  const pages = files.filter((file) => file.kind === 'page' && noIndex(file)?.everybody === true);
  if (ofBundle?.everybody === true) {
    return [{ rule: preview ? 'preview-noindex' : 'noindex', evidence: ofBundle.evidence }];
  }
  return [
    ...(ofBundle === null ? [] : [{ rule: 'noindex-agents', evidence: ofBundle.evidence } as const]),
    ...(pages.length === 0
      ? []
      : [{ rule: 'pages-noindex', evidence: { paths: pages.map(({ path }) => path) } } as const]),
  ];
}

interface NoIndex {
  /** Whether it is said to all search engines, or only to those that are named. */
  readonly everybody: boolean;
  readonly evidence: Evidence;
}

function noIndex({ path, headers, metas }: IndexedFile): NoIndex | null {
  const byHeader = readRobotsTags(headers).filter(isNoIndex);
  const byMeta = readRobotsMetas(metas).filter(isNoIndex);
  const all = [...byHeader, ...byMeta];
  if (all.length === 0) return null;
  const everybody = all.some(({ agent }) => agent === null);
  const evidence = {
    path,
    ...(byHeader.length > 0 ? { xRobotsTag: headers } : {}),
    ...(byMeta.length > 0
      ? { meta: metas.filter((meta) => readRobotsMetas([meta]).some(isNoIndex)).map(({ content }) => content) }
      : {}),
    ...(everybody ? {} : { agents: all.flatMap(({ agent }) => agent ?? []) }),
  };
  return { everybody, evidence };
}
