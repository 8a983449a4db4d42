import { createHash } from 'node:crypto';
import { hostOf, isLoopback, scopeOf } from '../../src/http/address-scope.ts';
import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { NotFound } from '../../src/site/not-found.ts';
import { workersOfScript } from '../../src/site/service-workers.ts';
import type { Site } from '../../src/site/types.ts';
import { mapConcurrently, yieldToEventLoop } from '../../src/core/concurrency.ts';
import { pathUnder } from '../../src/engines/link.ts';
import { noReplyReason } from '../../src/expect/not-received.ts';
import { mediaTypeOf } from '../../src/expect/reply.ts';
import { LONGEST_SHEET, MOST_URLS } from '../../src/parse/css-urls.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import type { SyntaxProblem } from '../../src/parse/script-syntax.ts';
import type { HtmlResource, HtmlResources, ResourceKind } from '../../src/parse/html-links.ts';
import { readUntrusted, type ReadLimits } from '../../src/parse/untrusted.ts';
import { resolveAddress } from '../../src/parse/urls.ts';
import type { WorkerRegistration } from '../../src/parse/worker-registrations.ts';

export type RequiredKind = Exclude<ResourceKind, 'frame'> | 'chunk' | 'worker';

export interface RequiredFile extends Pick<HtmlResource, 'module' | 'integrity' | 'crossorigin'> {
  readonly kind: RequiredKind;
  /** Where it may be; one is enough. The first is reported. */
  readonly urls: readonly [URL, ...URL[]];
  readonly written: string;
  readonly from: From;
  /** The page can do without: for old browsers, loaded in its own time, or beside what is the engine. */
  readonly aside: 'nomodule' | 'async' | 'beside' | null;
  /** A script that the page cannot start without. */
  readonly starts: boolean;
  readonly setting: string | null;
}

/** The file that says it, by its path below the base (or its URL, from another host), and where (UTF-16 code units). */
export interface From {
  readonly file: string;
  readonly offset: number;
}

/** What browsers do not load over `http` into an `https` page. `upgraded`: they ask over `https` instead. */
export interface Insecure {
  readonly kind: Named['kind'];
  readonly url: URL;
  readonly upgraded: boolean;
  readonly from: From;
}

export type Requirement = RequiredFile | Insecure;

export const isFile = (one: Requirement): one is RequiredFile => 'urls' in one;

export interface Context {
  readonly base: URL;
  readonly page: URL;
  /** What scripts resolve addresses against: the page, or its `<base href>`. */
  readonly document: URL;
  readonly file: string;
  /** The page asks browsers to use `https` for all it loads (`upgrade-insecure-requests`). */
  readonly upgrades: boolean;
}

export type Named = Pick<HtmlResource, 'url' | 'offset'> &
  Partial<Pick<HtmlResource, 'module' | 'nomodule' | 'async' | 'integrity' | 'crossorigin'>> & {
    readonly kind: ResourceKind | 'chunk' | 'worker';
  };

/** What is known of the engine that a page starts. */
export interface StartedEngine {
  /** As of its profile. */
  readonly isOwnScript?: ((url: string) => boolean) | undefined;
  /** Whether the page itself shows which engine it is. */
  readonly isRecognised: boolean;
}

export async function requiredByPage(
  { resources, inlineScript }: HtmlResources,
  context: Context,
  engine: StartedEngine,
) {
  const all: Requirement[] = [];
  for (const resource of resources) {
    const base = resource.base === null ? null : resolveAddress(resource.base, context.page);
    all.push(...requiredBy([resource], base === null ? context : { ...context, base }));
    await yieldToEventLoop();
  }
  return withEngine(all, { page: context.page, inlineScript, engine });
}

/** Files that stylesheets name for Internet Explorer only: current browsers do not request them. */
const OBSOLETE = /\.(?:eot|htc)$/i;

/** Pictures, films and sounds (Mixed Content, section 4.1). */
const UPGRADED: ReadonlySet<string> = new Set(['image', 'icon', 'media']);

export function requiredBy(named: readonly Named[], context: Context): readonly Requirement[] {
  return named.flatMap((each): readonly Requirement[] => {
    const url = webUrl(each.url, context);
    if (url === null || [context.page.href, new URL('./', context.page).href].includes(url.href)) return [];
    const from = { file: context.file, offset: each.offset };
    const { kind, url: written, nomodule, async, module = false, integrity = null, crossorigin = null } = each;
    if (isInsecure(url, context.page)) return [{ kind, url, upgraded: UPGRADED.has(kind), from }];
    if (kind === 'frame' || OBSOLETE.test(url.pathname)) return [];
    const aside = async === true ? 'async' : null;
    const facts = { module, integrity, crossorigin, setting: null, starts: false };
    const file = { kind, urls: [url], written, from, ...facts } as const;
    return [{ ...file, aside: nomodule === true ? 'nomodule' : aside }];
  });
}

/** Service workers of the site itself: browsers refuse those of others. */
export function requiredWorkers(registrations: readonly WorkerRegistration[], context: Context) {
  const named = registrations.map(({ url, offset }): Named => ({ kind: 'worker', url, offset }));
  const required = requiredBy(named, { ...context, base: context.document });
  return required.filter((one) => isFile(one) && one.urls[0].origin === context.page.origin);
}

/** Absolute, without fragment, upgraded where the page requests it; `null` where no request is made (`data:`, nonsense). */
function webUrl(written: string, { base, page, upgrades }: Context): URL | null {
  const url = resolveAddress(written, base);
  if (url === null) return null;
  if (url.href.includes('#')) url.hash = '';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return upgrades && isInsecure(url, page) ? new URL(url.href.replace(/^http:/, 'https:')) : url;
}

/** Mixed Content, section 3.1; loopback is as good as https. */
function isInsecure(url: URL, page: URL): boolean {
  if (page.protocol !== 'https:' || url.protocol !== 'http:') return false;
  return !isLoopback(hostOf(url));
}

interface Page {
  readonly page: URL;
  readonly inlineScript: number;
  readonly engine: StartedEngine;
}

/** From here on the scripts in the page itself may be its engine (UTF-16 code units); settings and snippets are shorter. */
const SHORTEST_ENGINE = 4_000;

/** What hosts put in by themselves, and serve only where it is switched on. */
const OF_THE_HOST = /^\/(?:_vercel|cdn-cgi|\.netlify)\//;

const COUNTERS =
  /(?:^|[/._-])(?:analytics|gtag|gtm|matomo|piwik|plausible|umami|fathom|insights|tracker|tracking|beacon|hotjar|clarity|telemetry)(?=[/._-]|$)/i;

/**
 * The files that a page wants, those of its scripts marked that are not its engine: what its host puts in, what counts
 * visitors beside other scripts, and classic scripts beside a module. A script that is the only one is the engine,
 * however it is loaded. What cannot be determined is taken for the engine.
 */
function withEngine(
  required: readonly Requirement[],
  { page, inlineScript, engine: { isOwnScript, isRecognised } }: Page,
): readonly Requirement[] {
  const scripts = required.filter(isScript).filter((file) => !isOfTheHost(file, page));
  const only = new Set(scripts.map(({ urls: [url] }) => url.href)).size === 1;
  const inPage = inlineScript >= SHORTEST_ENGINE;
  const others = scripts.filter((file) => !isCounter(file));
  // A module of another host may as well be the plugin of a classic engine.
  const isModular = others.some(({ module, aside, urls: [url] }) => module && !aside && url.origin === page.origin);
  const isNamed = ({ urls: [url] }: RequiredFile): boolean => isOwnScript?.(url.href) === true;
  // An engine that is known by its script shows its pages without others, such as plugins.
  const hasNamed = scripts.some(isNamed);
  // MDwiki and VertiWiki can be one file: what is loaded beside it is not the engine.
  const isComplete = inPage && isRecognised && isOwnScript === undefined;
  const asideOf = (file: RequiredFile): RequiredFile['aside'] => {
    if (isOfTheHost(file, page)) return 'beside';
    if (isComplete) return file.aside ?? 'beside';
    if (hasNamed) return isNamed(file) ? null : (file.aside ?? 'beside');
    if (only && !inPage) return null;
    if (isCounter(file) && (others.length > 0 || inPage)) return 'beside';
    return file.aside ?? (isModular && !file.module ? 'beside' : null);
  };
  return required.map((file) => {
    if (!isScript(file)) return file;
    const aside = asideOf(file);
    // A script of another host beside others may be anything.
    const starts = aside === null && (file.urls[0].origin === page.origin || (only && !inPage) || hasNamed);
    return { ...file, aside, starts };
  });
}

export const isScript = (one: Requirement): one is RequiredFile =>
  isFile(one) && one.kind === 'script' && one.aside !== 'nomodule';

const isOfTheHost = ({ urls: [url] }: RequiredFile, page: URL): boolean =>
  url.origin === page.origin && OF_THE_HOST.test(url.pathname);

const isCounter = ({ urls: [url] }: RequiredFile): boolean => COUNTERS.test(url.pathname);

/**
 * Gives up what a host has not answered within `ms` since it was requested first or responded last, so that one which
 * hangs costs that time once, and one with many files gets its turn. What comes later is ignored.
 */
export function patience(ms: number): (url: URL, get: () => Promise<Answer>) => Promise<Answer> {
  const hosts = new Map<string, { waiting: number; since: number; silent: boolean }>();
  return async (url, get) => {
    const host = hosts.get(url.host) ?? { waiting: 0, since: 0, silent: false };
    hosts.set(url.host, host);
    if (host.waiting === 0) host.since = performance.now();
    host.waiting += 1;
    const answer = host.silent
      ? null
      : get().finally(() => {
          host.waiting -= 1;
          host.since = performance.now();
        });
    while (!host.silent) {
      const timeout = Promise.withResolvers<null>();
      const timer = setTimeout(() => timeout.resolve(null), host.since + ms - performance.now());
      const came = await Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
      if (came !== null) return came;
      host.silent = performance.now() >= host.since + ms;
    }
    return {
      kind: 'no-reply',
      requestUrl: url.href,
      url: url.href,
      redirects: [],
      attempts: 1,
      timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: ms },
      reason: 'headers-timeout',
      evidence: { timeoutMs: ms },
    };
  };
}

export interface Asset extends RequiredFile {
  /** Whether it is another host's, as the page names it. */
  readonly foreign: boolean;
  readonly observed: FileOutcome;
  readonly integrityResult: Integrity | null;
  /** Of a script that the page cannot start without, where the whole site is checked. */
  readonly syntax: SyntaxProblem | null;
}

const MOST_REQUESTS = 400;
const MOST_WANTED = 10_000;
/** Of their addresses together: below a long one, short names become long addresses. In UTF-16 code units. */
const MOST_ADDRESSES = 4 * 1024 * 1024;
const MOST_BYTES = 128 * 1024 * 1024;
/** Of all texts that name files and are kept for the locations in them. In UTF-16 code units. */
const MOST_TEXT = 8 * 1024 * 1024;
const CONCURRENCY = 8;
const DEEPEST = 4;
/** Other hosts may be slow or gone. In milliseconds. */
const FOREIGN_MS = 5_000;

interface Received {
  readonly observed: FileOutcome;
  readonly url: string;
  readonly text: string | null;
  readonly integrity: ReadonlyMap<string, Integrity>;
  readonly syntax: SyntaxProblem | null;
}

const NOTHING_READ: Omit<Received, 'observed' | 'url'> = { text: null, integrity: new Map(), syntax: null };

/** `deepest`: how many files lead to a file; 0: only those of `start` are loaded. */
export async function load(site: Site, start: readonly Requirement[], context: Context, deepest = DEEPEST) {
  // A core run does not find out how the host responds for a missing file: HTML is none.
  const notFound = site.requested.full ? await site.notFound() : { isMissing: () => false };
  const request = requester(site, context);
  const asked = new Map<string, Promise<Received>>();
  const assets: Asset[] = [];
  const insecure: Insecure[] = [];
  /** Texts that name files, by their own names. */
  const texts = new Map<string, string>();
  const read = new Set<string>();
  /** Files of other hosts that are not requested. */
  const skipped = new Set<string>();
  const sum = { wanted: 0, addresses: 0, bytes: 0, text: 0 };
  /** How many files were left out, and how many texts were not read; `cut`: not to their end. */
  const missed = { left: 0, unread: 0, cut: false };
  const isFull = (): boolean => sum.wanted > MOST_WANTED || sum.addresses > MOST_ADDRESSES;

  /** Notes what browsers do not load; returns the files that they do, as many as there is room for. */
  const take = (all: readonly Requirement[]): readonly RequiredFile[] =>
    all.flatMap((one) => {
      sum.wanted += 1;
      for (const { href } of isFile(one) ? one.urls : [one.url]) sum.addresses += href.length;
      if (isFull()) missed.left++;
      else if (isFile(one)) return [one];
      else insecure.push(one);
      return [];
    });

  const integrities = (url: URL): readonly string[] =>
    start.flatMap((one) => (isFile(one) && one.urls[0].href === url.href ? (one.integrity ?? []) : []));
  const get = async (url: URL, file: RequiredFile): Promise<Received> => {
    const answer = await request(url, file);
    const observed = fileOutcome(answer, notFound);
    if (answer.kind === 'no-reply') return { ...NOTHING_READ, observed, url: answer.url };
    sum.bytes += answer.body.length;
    // Digests are computed while the body is in memory.
    const integrity = new Map(integrities(url).map((each) => [each, integrityOf(each, answer.body)]));
    const isRead = observed.outcome === 'there' && (mayName(file) || mayRegister(file, answer));
    if (isRead && sum.text >= MOST_TEXT) missed.unread++;
    const text = isRead && sum.text < MOST_TEXT ? beginningOf(answer) : null;
    sum.text += text?.length ?? 0;
    missed.cut ||= text !== null && text.length > LONGEST_SHEET;
    return { observed, url: answer.url, text, integrity, syntax: await syntaxOf(answer, file, site) };
  };

  const ask = async (url: URL, file: RequiredFile): Promise<Received | null> => {
    const known = asked.get(url.href);
    if (known !== undefined) return known;
    if (!isRequested(file, url, context.page, site.requested.external)) skipped.add(url.href);
    else if (asked.size >= MOST_REQUESTS || sum.bytes >= MOST_BYTES) missed.left++;
    else asked.set(url.href, get(url, file));
    return asked.get(url.href) ?? null;
  };

  const { parseMs: limitMs, signal, read: inWorker } = site.limits;
  const limits = { limitMs, signal, read: inWorker };
  const namedBy = async (file: RequiredFile, came: Received): Promise<readonly RequiredFile[]> => {
    const { observed, url: landed, text } = came;
    const { url } = observed;
    if (text === null || read.has(url)) return [];
    read.add(url);
    const name = pathUnder(new URL(url), site.base) ?? url;
    // Nothing that it names is loaded any more, and resolving addresses takes time.
    const most = Math.ceil((MOST_ADDRESSES - sum.addresses) / landed.length);
    const from = { ...context, base: new URL(landed), file: name };
    const named = isFull() ? null : await namedIn(file, { text, most, limits }, from);
    if (isFull() || named?.whole === false) missed.unread++;
    if (named === null) return [];
    texts.set(name, text);
    // What a script imports first starts the page as well.
    const starting = (one: Requirement): Requirement =>
      file.starts && isFile(one) && one.kind === 'script' ? { ...one, starts: true } : one;
    return take(named.all.map(starting));
  };

  let files = take(start);
  for (let depth = 0; files.length > 0; depth++) {
    const loaded = await mapConcurrently(files, CONCURRENCY, async (file) => {
      return { file, came: await firstThere(file.urls, (url) => ask(url, file)) };
    });
    const named: RequiredFile[] = [];
    // In the order of the page, whichever came first: reports of two runs must not differ.
    for (const { file, came } of loaded) {
      if (came === null) continue;
      const integrityResult = came.integrity.get(file.integrity ?? '') ?? null;
      const foreign = file.urls[0].origin !== context.page.origin;
      assets.push({ ...file, foreign, observed: came.observed, integrityResult, syntax: came.syntax });
      if (depth < deepest) named.push(...(await namedBy(file, came)));
      await yieldToEventLoop();
    }
    files = named;
  }
  return { assets, insecure, texts, foreign: skipped.size, requests: asked.size, ...missed };
}

/** What came from the first URL where a file is; otherwise from the first of all. `null`: one of them is not requested. */
async function firstThere(urls: readonly URL[], ask: (url: URL) => Promise<Received | null>): Promise<Received | null> {
  let first: Received | null = null;
  for (const url of urls) {
    const came = await ask(url);
    if (came === null || came.observed.outcome === 'there') return came;
    first ??= came;
  }
  return first;
}

function requester({ pooled, requested }: Site, { page: { origin } }: Context) {
  const askPatiently = patience(FOREIGN_MS);
  return (url: URL, file: RequiredFile): Promise<Answer> => {
    // A host may say who is allowed to read only where it is asked with an origin.
    const reuse = requested.full ? {} : { reuse: true as const };
    const headers = url.origin === origin || !isCors(file) ? {} : { headers: { origin } };
    const request = (): Promise<Answer> => pooled({ url, accept: '*/*', ...reuse, ...headers });
    return url.origin === origin ? request() : askPatiently(url, request);
  };
}

/** Whether a file may turn out to be a stylesheet or a module: a preload may be either. */
function mayName({ kind, module }: RequiredFile): boolean {
  return module || kind === 'style' || kind === 'chunk' || kind === 'modulepreload' || kind === 'preload';
}

function mayRegister({ kind }: RequiredFile, { body }: Reply): boolean {
  return kind === 'script' && Buffer.from(body.buffer, body.byteOffset, body.length).includes('serviceWorker');
}

/** Whether browsers ask other hosts for it with CORS (HTML standard: modules, and what has `crossorigin`). */
export function isCors({ module, crossorigin, kind }: RequiredFile): boolean {
  return module || crossorigin !== null || kind === 'chunk' || kind === 'modulepreload';
}

/** What scripts import beside scripts. */
export const OF_OTHER_TYPE = /\.(?:json|css|wasm)$/;

/** `null`: nothing is wrong with it, or it is not checked. */
async function syntaxOf(answer: Reply, { starts, module, urls }: RequiredFile, { requested, limits }: Site) {
  if (!requested.full || !starts || OF_OTHER_TYPE.test(urls[0].pathname)) return null;
  const script = beginningOf(answer);
  if (script.length > LONGEST_SHEET) return null;
  const { parseMs: limitMs, signal, read } = limits;
  const result = await readUntrusted('script-syntax', script, { isModule: module }, { limitMs, signal, read });
  return result.ok ? result.problem : null;
}

/** As much of a text as is read, and one code unit more where it is longer: that much takes three times as many octets at most. */
function beginningOf({ body }: Reply): string {
  const most = LONGEST_SHEET + 1;
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 3 * most)).toString('utf8');
  // A slice would keep all of the text in memory.
  return text.length <= most ? text : Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

const NEEDED: ReadonlySet<RequiredKind> = new Set<RequiredKind>(['script', 'style', 'modulepreload', 'chunk']);

/** What a page merely shows from other hosts is requested only where the user wants `external` links checked. */
function isRequested({ kind }: Pick<RequiredFile, 'kind'>, url: URL, page: URL, external: boolean): boolean {
  const host = hostOf(url);
  // For an address of the author's own machine or network no request leaves, and no visitor gets the file.
  const isLocal = isLoopback(host) || scopeOf(host) !== 'public';
  return external || url.hostname === page.hostname || NEEDED.has(kind) || isLocal;
}

const UNREAD = { all: [], whole: false };

/** What a stylesheet or a script names, `most` files of each way of naming; `null` for what names nothing. */
async function namedIn(
  file: RequiredFile,
  { text, most, limits }: { readonly text: string; readonly most: number; readonly limits: ReadLimits },
  context: Context,
) {
  if (file.kind === 'style') {
    const sheet = await readUntrusted('css-urls', text, null, limits);
    if (!sheet.ok) return UNREAD;
    const { urls } = sheet;
    const named = urls.filter(({ fallback }) => fallback !== true);
    return { all: requiredBy(named.slice(0, most), context), whole: urls.length < MOST_URLS && named.length <= most };
  }
  const isChunk = file.kind === 'chunk' || file.kind === 'modulepreload';
  const workers = file.kind === 'script' ? requiredWorkers(await workersOfScript(text, limits), context) : [];
  if (!file.module && !isChunk) return workers.length === 0 ? null : { all: workers, whole: true };
  const module = await readUntrusted('module-imports', text.slice(0, LONGEST_SHEET), null, limits);
  if (!module.ok) return UNREAD;
  const { first, later, mapped, cut } = module;
  const async = file.aside !== null;
  const named = [
    ...modules(first.slice(0, most), text, { kind: isChunk ? 'chunk' : 'script', async }),
    ...modules(later.slice(0, most), text, { kind: 'chunk', async }),
  ];
  const ahead = modules(mapped.slice(0, most), text, { kind: 'chunk' }).flatMap((each) => requiredByMap(each, context));
  return {
    all: [...requiredBy(named, context), ...ahead, ...workers],
    whole: cut !== true && [first, later, mapped].every(({ length }) => length <= most),
  };
}

function modules(urls: readonly string[], text: string, as: Pick<Named, 'kind' | 'async'>): readonly Named[] {
  let offset = 0;
  return urls.map((url) => {
    offset = Math.max(offset, text.indexOf(url, offset));
    return { ...as, url, offset, module: true };
  });
}

/** What Vite loads ahead of a chunk: scripts and stylesheets, relative to the module or to the base of the build. */
function requiredByMap(chunk: Named, context: Context): readonly Requirement[] {
  const { url } = chunk;
  const named: Named = /\.css$/i.test(url) ? { ...chunk, kind: 'style', module: false } : chunk;
  if (/^(?:\.{0,2}\/|https?:)/i.test(url)) return requiredBy([named], context);
  const [base, ...bases] = basesOf(url, context);
  return requiredBy([named], { ...context, base }).map((one) =>
    isFile(one) ? { ...one, urls: [one.urls[0], ...bases.map((each) => new URL(url, each))] } : one,
  );
}

const MOST_BASES = 4;

/** Where the base of a build may be: above the folder that module and file have in common, at the page, above the module. */
function basesOf(url: string, { base: module, page }: Context): readonly [URL, ...URL[]] {
  const folder = new URL('./', module);
  const parts = folder.pathname.split('/').slice(1, -1);
  const common = parts.lastIndexOf(url.split('/', 1)[0] ?? '');
  const above = (depth: number): URL => new URL(`/${parts.slice(0, depth).join('/')}/`.replace('//', '/'), folder);
  const known = common === -1 ? [] : [above(common)];
  const found = [...known, new URL('./', page), ...[1, 2, 0].map((up) => above(Math.max(0, parts.length - up)))];
  const distinct = new Map(found.map((each) => [each.href, each]));
  const [first = folder, ...more] = [...distinct.values()].slice(0, MOST_BASES);
  return [first, ...more];
}

type FileOutcome = ReturnType<typeof fileOutcome>;

const HEAD = 4096;
const NOTHING = { status: null, mediaType: null, bytes: 0, nosniff: false, allowOrigin: null };

type Missing = Pick<NotFound, 'isMissing'>;

function fileOutcome(answer: Answer, notFound: Missing) {
  const { requestUrl: url, redirects } = answer;
  const [way] = redirects.map(({ status, location }) => ({ redirect: status, location }));
  if (answer.kind === 'no-reply') {
    const reason = noReplyReason(answer);
    const outcome = reason === 'too-large' ? ('there' as const) : ('no-reply' as const);
    const evidence: Evidence = { url, ...way, reason, ...answer.evidence };
    return { ...NOTHING, lfsPointer: false, svg: false, url, outcome, reason, evidence };
  }
  const { status, body, headers } = answer;
  const head = Buffer.from(body.subarray(0, HEAD)).toString('utf8');
  const outcome = outcomeOf(answer, head, notFound);
  const about = { status, mediaType: mediaTypeOf(answer), bytes: body.length };
  // With a status of success it has to be said what came: the fallback of the host, or another page.
  const isInstead = status <= 299 && outcome !== 'there';
  const instead = isInstead && { inPlace: outcome === 'html' ? 'page' : 'fallback' };
  return {
    ...about,
    url,
    outcome,
    reason: null,
    nosniff: /^\s*nosniff\s*(?:,|$)/i.test(headers.get('x-content-type-options') ?? ''),
    allowOrigin: headers.get('access-control-allow-origin'),
    lfsPointer: head.startsWith('version https://git-lfs.github.com/spec/v'),
    svg: /^(?:<\?xml[^>]*>|<!--[^>]*-->|<!doctype svg[^>]*>|[\s\uFEFF])*<svg[\s>]/i.test(head.slice(0, 1024)),
    evidence: { url, ...way, ...about, ...instead } as Evidence,
  };
}

function outcomeOf(reply: Reply, head: string, notFound: Missing): 'there' | 'gone' | 'html' | 'status' {
  if (notFound.isMissing(reply)) return 'gone';
  if (reply.status < 200 || reply.status > 299) return 'status';
  return isHtmlDocument(head) && !isPage(reply) ? 'html' : 'there';
}

const isPage = ({ requestUrl }: Reply): boolean => /(?:\/|\.x?html?)$/i.test(new URL(requestUrl).pathname);

type Integrity = ReturnType<typeof integrityOf>;

/** One value: `sha384-` and a digest in base64 (or base64url), options after a question mark left out. */
const VALUE = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/;

/**
 * Whether a body is what an `integrity` attribute announces (Subresource Integrity, section 3.3.4): of several values
 * those of the strongest function count, and one of them has to match. Values that browsers do not understand count for nothing.
 */
export function integrityOf(attribute: string, body: Uint8Array) {
  const values = attribute.split(/\s+/).flatMap((value) => {
    const [, algorithm, digest = ''] = VALUE.exec(value) ?? [];
    return algorithm === undefined ? [] : [{ algorithm, digest }];
  });
  const byAlgorithm = Map.groupBy(values, ({ algorithm }) => algorithm);
  // The names of the functions are in the order of their strength.
  const strongest = [...byAlgorithm.keys()].toSorted().at(-1);
  if (strongest === undefined) return { ok: true } as const;
  const actual = createHash(strongest).update(body).digest();
  const expected = byAlgorithm.get(strongest)?.map(({ digest }) => digest) ?? [];
  if (expected.some((digest) => Buffer.from(digest, 'base64').equals(actual))) return { ok: true } as const;
  return {
    ok: false,
    expected: expected.map((digest) => `${strongest}-${digest}`),
    actual: `${strongest}-${actual.toString('base64')}`,
  } as const;
}
