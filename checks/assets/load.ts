import { mapConcurrently } from '../../src/map-concurrently.ts';
import type { Answer, Evidence, NotFound, Reply, Site, NoReply } from '../../src/check.ts';
import { LONGEST_SHEET, cssUrls, MOST_URLS } from '../../src/parse/css-urls.ts';
import { decoded } from '../../src/parse/urls.ts';
import { takeTurns } from '../../src/take-turns.ts';
import {
  type Context,
  type Insecure,
  isFile,
  type RequiredFile,
  type RequiredKind,
  type Requirement,
  requiredBy,
  type Named,
} from './required-files.ts';
import { scopeOf } from '../../src/address-scope.ts';
import { moduleImports } from '../../src/parse/module-imports.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { noReplyReason } from '../../src/expect/not-received.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { createHash } from 'node:crypto';

interface Waiting {
  /** It has kept silent: nothing more is asked of it. */
  silent: boolean;
  readonly giveUp: Set<() => void>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Gives up what a host has not answered within `ms` since it was asked first or answered last, so that one which hangs
 * costs that time once, and one with many files, or that is asked slowly, gets its turn. What comes later is ignored.
 */
export class Patience {
  readonly #ms: number;
  readonly #hosts = new Map<string, Waiting>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  async ask(url: URL, get: () => Promise<Answer>): Promise<Answer> {
    const host = this.#hosts.get(url.host) ?? { silent: false, giveUp: new Set(), timer: undefined };
    this.#hosts.set(url.host, host);
    if (host.silent) return silence(url, this.#ms);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const giveUp = (): void => resolve(silence(url, this.#ms));
    host.giveUp.add(giveUp);
    if (host.timer === undefined) this.#start(host);
    const answer = await Promise.race([get(), promise]);
    host.giveUp.delete(giveUp);
    this.#start(host);
    return answer;
  }

  #start(host: Waiting): void {
    clearTimeout(host.timer);
    host.timer = undefined;
    if (host.giveUp.size === 0) return;
    host.timer = setTimeout(() => {
      host.silent = true;
      for (const giveUp of host.giveUp) giveUp();
    }, this.#ms);
  }
}

function silence(url: URL, ms: number): NoReply {
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
}

export interface Asset extends RequiredFile {
  readonly observed: FileOutcome;
  readonly integrityResult: Integrity | null;
}

const MOST_REQUESTS = 400;
const MOST_WANTED = 10_000;
/** Of their addresses together: below a long one, short names become long addresses. In UTF-16 code units. */
const MOST_ADDRESSES = 4 * 1024 * 1024;
const MOST_BYTES = 128 * 1024 * 1024;
/** Of all texts that name files and are kept for their places in them. In UTF-16 code units. */
const MOST_TEXT = 8 * 1024 * 1024;
const CONCURRENCY = 8;
const DEEPEST = 4;
/** Other hosts may be slow or gone: so long without a sign of life is enough. In milliseconds. */
const FOREIGN_MS = 5_000;

/** Loads what is required, and what that requires in turn. */
export async function load(site: Site, start: readonly Requirement[], context: Context): Promise<Loader> {
  const loader = new Loader(site, await site.notFound(), context);
  await loader.load(loader.take(start), 0);
  return loader;
}

interface Received {
  readonly observed: FileOutcome;
  readonly url: string;
  readonly text: string | null;
  /** By the `integrity` attributes that name the file. */
  readonly integrity: ReadonlyMap<string, Integrity>;
}

class Loader {
  readonly asked = new Map<string, Promise<Received>>();
  readonly assets: Asset[] = [];
  readonly insecure: Insecure[] = [];
  /** Texts that name files, by their own names. */
  readonly texts = new Map<string, string>();
  /** Files of other hosts that are not requested. */
  readonly foreign = new Set<string>();
  /** How many files were left out. */
  left = 0;
  /** Whether a text was not read to its end. */
  cut = false;
  unread = 0;
  #bytes = 0;
  #text = 0;
  /** The `integrity` attributes by URL: digests are computed while the body is in memory. */
  readonly #integrity = new Map<string, Set<string>>();
  #wanted = 0;
  #addresses = 0;
  readonly #site: Site;
  readonly #notFound: NotFound;
  readonly #context: Context;
  readonly #read = new Set<string>();
  readonly #patience = new Patience(FOREIGN_MS);

  constructor(site: Site, notFound: NotFound, context: Context) {
    this.#site = site;
    this.#notFound = notFound;
    this.#context = context;
  }

  /** Notes what browsers do not load, and gives the files that they do, as many as there is room for; others are counted. */
  take(all: readonly Requirement[]): readonly RequiredFile[] {
    const taken = all.filter((one) => this.#hasRoomFor(isFile(one) ? one.urls : [one.url]));
    this.insecure.push(...taken.filter((one): one is Insecure => !isFile(one)));
    return taken.filter(isFile);
  }

  async load(files: readonly RequiredFile[], depth: number): Promise<void> {
    if (files.length === 0) return;
    for (const { urls, integrity } of files) {
      if (integrity === null) continue;
      for (const { href } of urls) this.#integrity.set(href, (this.#integrity.get(href) ?? new Set()).add(integrity));
    }
    const found = await mapConcurrently(files, CONCURRENCY, async (file) => this.#loadOne(file, depth));
    await this.load(found.flat(), depth + 1);
  }

  #hasRoomFor(urls: readonly URL[]): boolean {
    this.#wanted += 1;
    this.#addresses += urls.reduce((sum, { href }) => sum + href.length, 0);
    if (this.#isFull) this.left++;
    return !this.#isFull;
  }

  get #isFull(): boolean {
    return this.#wanted > MOST_WANTED || this.#addresses > MOST_ADDRESSES;
  }

  async #loadOne(file: RequiredFile, depth: number): Promise<readonly RequiredFile[]> {
    let came: Received | undefined;
    for (const url of file.urls) {
      const one = await this.#ask(url, file);
      if (one === null) return [];
      came ??= one;
      if (one.observed.outcome !== 'there') continue;
      came = one;
      break;
    }
    if (came === undefined) return [];
    const isThere = came.observed.outcome === 'there';
    const integrityResult = (isThere ? came.integrity.get(file.integrity ?? '') : undefined) ?? null;
    this.assets.push({ ...file, observed: came.observed, integrityResult });
    if (!isThere || depth === DEEPEST) return [];
    await takeTurns();
    return this.#wantsOf(file, came);
  }

  async #ask(url: URL, file: RequiredFile): Promise<Received | null> {
    const known = this.asked.get(url.href);
    if (known !== undefined) return known;
    if (!isRequested(file, url, this.#context.page, this.#site.requested.external)) {
      this.foreign.add(url.href);
      return null;
    }
    if (this.asked.size >= MOST_REQUESTS || this.#bytes >= MOST_BYTES) {
      this.left++;
      return null;
    }
    const came = this.#get(url, file);
    this.asked.set(url.href, came);
    return came;
  }

  async #get(url: URL, file: RequiredFile): Promise<Received> {
    const { origin } = this.#context.page;
    // A host may say who is allowed to read only where it is asked with an origin.
    const headers = url.origin === origin || !isCors(file) ? {} : { headers: { origin } };
    const get = (): Promise<Answer> => this.#site.pooled({ url, accept: '*/*', ...headers });
    const answer = await (url.origin === origin ? get() : this.#patience.ask(url, get));
    const about = { observed: fileOutcome(answer, this.#notFound), url: answer.url };
    if (answer.kind === 'no-reply') return { ...about, text: null, integrity: new Map() };
    this.#bytes += answer.body.length;
    const attributes = [...(this.#integrity.get(url.href) ?? [])];
    const integrity = new Map(attributes.map((each) => [each, integrityOf(each, answer.body)]));
    return { ...about, text: about.observed.outcome === 'there' ? this.#textOf(file, answer) : null, integrity };
  }

  #textOf(file: RequiredFile, answer: Reply): string | null {
    if (!mayName(file)) return null;
    const text = this.#text < MOST_TEXT ? beginningOf(answer) : null;
    this.#text += text?.length ?? 0;
    if (text === null) this.unread++;
    else this.cut ||= text.length > LONGEST_SHEET;
    return text;
  }

  #wantsOf(file: RequiredFile, { observed: { url }, url: landed, text }: Received): readonly RequiredFile[] {
    if (text === null || this.#read.has(url)) return [];
    const name = nameOf(url, this.#site.base);
    const context = { ...this.#context, base: new URL(landed), file: name };
    this.#read.add(url);
    // Nothing that it names is loaded any more, and resolving addresses takes time.
    const most = Math.ceil((MOST_ADDRESSES - this.#addresses) / context.base.href.length);
    const named = this.#isFull ? null : namedIn(file, text, context, most);
    if (this.#isFull || named?.whole === false) this.unread++;
    if (named === null) return [];
    this.texts.set(name, text);
    return this.take(named.all);
  }
}

/** Whether a file may turn out to be a style sheet or a module: a preload may be either. */
function mayName({ kind, module }: RequiredFile): boolean {
  return module || kind === 'style' || kind === 'chunk' || kind === 'modulepreload' || kind === 'preload';
}

/** Whether browsers ask other hosts for it with CORS (HTML standard: modules, and what has `crossorigin`). */
export function isCors({ module, crossorigin, kind }: RequiredFile): boolean {
  return module || crossorigin !== null || kind === 'chunk' || kind === 'modulepreload';
}

function nameOf(url: string, base: URL): string {
  if (!url.startsWith(base.href)) return url;
  return decoded(url.slice(base.href.length).replace(/[?#].*$/s, ''));
}

/** As much of a text as is read, and one code unit more where it goes on: that much takes three times as many octets at most. */
function beginningOf({ body }: Reply): string {
  const most = LONGEST_SHEET + 1;
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 3 * most)).toString('utf8');
  // A slice would keep all of the text in memory.
  return text.length <= most ? text : Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

/** What a page needs to work as it is meant, wherever it is. */
const NEEDED: ReadonlySet<RequiredKind> = new Set<RequiredKind>(['script', 'style', 'modulepreload', 'chunk']);

/**
 * Whether a file is requested. Other hosts are no part of the site: what the page merely shows from there (pictures,
 * fonts, films, icons) is checked only where the user wants `external` links checked.
 */
function isRequested({ kind }: Pick<RequiredFile, 'kind'>, url: URL, page: URL, external: boolean): boolean {
  return external || url.hostname === page.hostname || NEEDED.has(kind) || isLocal(url);
}

/** An address of the author's own machine or network: no request leaves for it, and no visitor gets the file. */
function isLocal({ hostname }: URL): boolean {
  return /(?:^|\.)localhost$/.test(hostname) || scopeOf(hostname.replace(/^\[|\]$/g, '')) !== 'public';
}

/**
 * What a style sheet or a module names, `most` files of each way of naming; `null` for what names nothing. Resolving more
 * takes time, much of it below a long address.
 */
function namedIn(file: RequiredFile, text: string, context: Context, most: number) {
  if (file.kind === 'style') {
    const urls = cssUrls(text);
    const named = urls.filter(({ fallback }) => fallback !== true);
    return { all: requiredBy(named.slice(0, most), context), whole: urls.length < MOST_URLS && named.length <= most };
  }
  const chunk = file.kind === 'chunk' || file.kind === 'modulepreload';
  if (!file.module && !chunk) return null;
  const { first, later, mapped, cut } = moduleImports(text.slice(0, LONGEST_SHEET));
  const named = [
    ...scripts(first.slice(0, most), text).map((each) => ({ ...each, chunk })),
    ...scripts(later.slice(0, most), text).map((each) => ({ ...each, chunk: true })),
  ].map((each) => ({ ...each, async: file.aside !== null }));
  const ahead = scripts(mapped.slice(0, most), text).flatMap((each) => requiredByMap(each, context));
  return {
    all: [...requiredBy(named, context), ...ahead],
    whole: cut !== true && [first, later, mapped].every(({ length }) => length <= most),
  };
}

/** Modules that a text names in this order, each looked for from the one before it on. */
function scripts(urls: readonly string[], text: string): readonly Named[] {
  let from = 0;
  return urls.map((url) => {
    from = Math.max(from, text.indexOf(url, from));
    return { kind: 'script', url, offset: from, module: true };
  });
}

/** What Vite loads ahead of a chunk: scripts and style sheets, by a way from the module or from the base of the build. */
function requiredByMap(script: Named, context: Context): readonly Requirement[] {
  const { url } = script;
  const style = /\.css$/i.test(url);
  const named: Named = { ...script, ...(style ? { kind: 'style', module: false } : { chunk: true }) };
  if (/^(?:\.{0,2}\/|https?:)/i.test(url)) return requiredBy([named], context);
  const bases = basesOf(url, context);
  const others = bases.slice(1).map((base) => new URL(url, base));
  return requiredBy([named], { ...context, base: bases[0] }).map((one) =>
    isFile(one) ? { ...one, urls: [one.urls[0], ...others] } : one,
  );
}

const MOST_BASES = 4;

/**
 * Where the base of a build may be, the likeliest first: above the folder that the module and the file have in common,
 * in the folder of the page, above the module.
 */
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

function fileOutcome(answer: Answer, notFound: NotFound) {
  const way = answer.redirects.slice(0, 1).map(({ status: redirect, location }) => ({ redirect, location }));
  const reply = answer.kind === 'reply' ? answer : null;
  const reason = answer.kind === 'reply' ? null : noReplyReason(answer);
  const [status, bytes] = reply === null ? [null, 0] : [reply.status, reply.body.length];
  const mediaType = reply && mediaTypeOf(reply);
  const head = Buffer.from(reply?.body.subarray(0, HEAD) ?? '').toString('utf8');
  const outcome = reply === null ? 'no-reply' : outcomeOf(reply, head, notFound);
  // With a status of success it has to be said what came: the fallback of the host, or another page.
  const servedInstead = (status ?? 0) <= 299 ? INSTEAD[outcome] : {};
  const about =
    answer.kind === 'reply' ? { status, mediaType, bytes, ...servedInstead } : { reason, ...answer.evidence };
  const header = (name: string): string | null => reply?.headers.get(name) ?? null;
  return {
    url: answer.requestUrl,
    outcome: reason === 'too-large' ? 'there' : outcome,
    reason,
    status,
    mediaType,
    bytes,
    whole: reply !== null,
    nosniff: /^\s*nosniff\s*(?:,|$)/i.test(header('x-content-type-options') ?? ''),
    allowOrigin: header('access-control-allow-origin'),
    lfsPointer: head.startsWith('version https://git-lfs.github.com/spec/v'),
    svg: /^(?:<\?xml[^>]*>|<!--[^>]*-->|<!doctype svg[^>]*>|[\s\uFEFF])*<svg[\s>]/i.test(head.slice(0, 1024)),
    evidence: { url: answer.requestUrl, ...way[0], ...about } as Evidence,
  };
}

const INSTEAD = {
  there: {},
  gone: { inPlace: 'fallback' },
  status: { inPlace: 'fallback' },
  html: { inPlace: 'page' },
  'no-reply': {},
} as const;

function outcomeOf(reply: Reply, head: string, notFound: NotFound): 'there' | 'gone' | 'html' | 'status' {
  if (notFound.isMissing(reply)) return 'gone';
  if (reply.status < 200 || reply.status > 299) return 'status';
  return isHtmlDocument(head) && !isPage(reply) ? 'html' : 'there';
}

const isPage = ({ requestUrl }: Reply): boolean => /(?:\/|\.x?html?)$/i.test(new URL(requestUrl).pathname);

/** The hash functions of Subresource Integrity (W3C, section 3.2), the strongest first. */
const ALGORITHMS = ['sha512', 'sha384', 'sha256'] as const;

/** What an `integrity` attribute says of a body; `actual` is its digest under the strongest function that is named. */
export type Integrity =
  | { readonly ok: true }
  | { readonly ok: false; readonly expected: readonly string[]; readonly actual: string };

/** One value: `sha384-` and a digest in base64 (or base64url), options after a question mark left out. */
const VALUE = /^(sha256|sha384|sha512)-([A-Za-z0-9+/_-]+={0,2})(?:\?.*)?$/;

/**
 * Whether a body is what an `integrity` attribute announces (Subresource Integrity, section 3.3.4): of several values
 * those of the strongest function count, and one of them has to match. Values that browsers do not understand count for nothing.
 */
export function integrityOf(attribute: string, body: Uint8Array): Integrity {
  const values = attribute.split(/\s+/).flatMap((value) => {
    const [, algorithm, digest] = VALUE.exec(value) ?? [];
    return algorithm === undefined || digest === undefined ? [] : [{ algorithm, digest }];
  });
  const strongest = ALGORITHMS.find((name) => values.some(({ algorithm }) => algorithm === name));
  if (strongest === undefined) return { ok: true };
  const actual = createHash(strongest).update(body).digest('base64');
  const expected = values.filter(({ algorithm }) => algorithm === strongest).map(({ digest }) => digest);
  if (expected.some((digest) => plain(digest) === plain(actual))) return { ok: true };
  return {
    ok: false,
    expected: expected.map((digest) => `${strongest}-${digest}`),
    actual: `${strongest}-${actual}`,
  };
}

const plain = (digest: string): string => digest.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
