/** Asks for what a page loads, and for what that loads in turn. */
import { mapConcurrently } from '../../src/map-concurrently.ts';
import type { Answer, Reply, Site } from '../../src/check.ts';
import { integrityOf, type Integrity } from '../../src/expect/integrity.ts';
import { LONGEST_SHEET } from '../../src/parse/css-urls.ts';
import { decoded } from '../../src/parse/percent.ts';
import { isRequested } from './foreign.ts';
import { namedIn } from './named.ts';
import { Patience } from './patience.ts';
import { seen as outcomeOf, type FileOutcome } from './outcome.ts';
import type { Context, PageRequirements, RequiredFile } from './required-files.ts';

/** A file that something wants, and what came for it. */
export interface Asset extends RequiredFile {
  readonly observed: FileOutcome;
  readonly integrityResult: Integrity | null;
}

export interface Loaded {
  readonly assets: readonly Asset[];
  readonly insecure: PageRequirements['insecure'];
  /** Texts of the style sheets and scripts that name files, by the names that `From` has. */
  readonly texts: ReadonlyMap<string, string>;
  readonly requests: number;
  /** How many files were not requested, because there are too many or they are too large together. */
  readonly left: number;
  /** How many files of other hosts were not asked for, because the user did not want it. */
  readonly foreignLeft: number;
  /** A style sheet or module was not read to its end, because it is too long. */
  readonly cut: boolean;
  /** How many style sheets and modules name too many files, or were not read because all together are too long. */
  readonly unread: number;
}

const MOST_REQUESTS = 400;
/** Of all places that want a file together. */
const MOST_WANTED = 10_000;
/** Of all bodies together, decoded. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Of all texts that name files and are kept for their places in them. In UTF-16 code units. */
const MOST_TEXT = 8 * 1024 * 1024;
/** How many bodies are in memory at once. */
const CONCURRENCY = 8;
/** Files that name files that name files. */
const DEEPEST = 4;
/** Other hosts may be slow or gone: so long without a sign of life is enough. In milliseconds. */
const FOREIGN_MS = 5_000;

/** Loads `start` and what follows from it; each URL is asked for once. */
export async function load(site: Site, start: PageRequirements, context: Context): Promise<Loaded> {
  const notFound = await site.notFound();
  const loader = new Loader(site, (reply) => notFound.isMissing(reply), context);
  loader.insecure.push(...start.insecure);
  await loader.wave(start.wanted, 0);
  const { assets, insecure, texts, left, cut, unread } = loader;
  const [requests, foreignLeft] = [loader.asked.size, loader.foreign.size];
  return { assets, insecure, texts, left, cut, unread, requests, foreignLeft };
}

/** What came for a URL, without the body. */
interface Received {
  readonly observed: FileOutcome;
  /** Where redirects led. */
  readonly url: string;
  /** The beginning of a style sheet or module. */
  readonly text: string | null;
  /** By the `integrity` attributes that name the file. */
  readonly integrity: ReadonlyMap<string, Integrity>;
}

class Loader {
  readonly asked = new Map<string, Promise<Received>>();
  readonly assets: Asset[] = [];
  readonly insecure: PageRequirements['insecure'][number][] = [];
  readonly texts = new Map<string, string>();
  /** URLs of other hosts that are not asked for. */
  readonly foreign = new Set<string>();
  left = 0;
  cut = false;
  unread = 0;
  #bytes = 0;
  #text = 0;
  /** The `integrity` attributes by URL: digests are made while the body is there. */
  readonly #integrity = new Map<string, Set<string>>();
  #wanted = 0;
  readonly #site: Site;
  readonly #isMissing: (reply: Reply) => boolean;
  readonly #context: Context;
  /** Files whose own wants are known. */
  readonly #read = new Set<string>();
  readonly #patience = new Patience(FOREIGN_MS);

  constructor(site: Site, isMissing: (reply: Reply) => boolean, context: Context) {
    this.#site = site;
    this.#isMissing = isMissing;
    this.#context = context;
  }

  async wave(wanted: readonly RequiredFile[], depth: number): Promise<void> {
    if (wanted.length === 0) return;
    const taken = wanted.slice(0, MOST_WANTED - this.#wanted);
    this.#wanted += taken.length;
    this.left += wanted.length - taken.length;
    for (const { urls, integrity } of taken) {
      if (integrity === null) continue;
      for (const { href } of urls) this.#integrity.set(href, (this.#integrity.get(href) ?? new Set()).add(integrity));
    }
    const found = await mapConcurrently(taken, CONCURRENCY, async (file) => this.#loadOne(file, depth));
    await this.wave(found.flat(), depth + 1);
  }

  /** Asks for a file, and answers what it wants itself. */
  async #loadOne(file: RequiredFile, depth: number): Promise<readonly RequiredFile[]> {
    let first: Received | undefined;
    let there: Received | undefined;
    for (const url of file.urls) {
      const came = await this.#ask(url, file);
      if (came === null) return [];
      first ??= came;
      if (came.observed.outcome === 'there') there = came;
      if (there !== undefined) break;
    }
    const came = there ?? first;
    if (came === undefined) return [];
    const integrityResult = (came === there ? came.integrity.get(file.integrity ?? '') : undefined) ?? null;
    this.assets.push({ ...file, observed: came.observed, integrityResult });
    return came === there && depth < DEEPEST ? this.#wantsOf(file, came) : [];
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
    const about = { observed: outcomeOf(answer, this.#isMissing), url: answer.url };
    if (answer.kind === 'no-reply') return { ...about, text: null, integrity: new Map() };
    this.#bytes += answer.body.length;
    const attributes = [...(this.#integrity.get(url.href) ?? [])];
    const integrity = new Map(attributes.map((each) => [each, integrityOf(each, answer.body)]));
    return { ...about, text: about.observed.outcome === 'there' ? this.#textOf(file, answer) : null, integrity };
  }

  /** What is kept of the text of a file that may name others. */
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
    const requested = namedIn(file, text, context);
    if (requested === null) return [];
    if (!requested.whole) this.unread++;
    this.#read.add(url);
    this.texts.set(name, text);
    this.insecure.push(...requested.insecure);
    return requested.wanted;
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

/** The path below the base as a reader of the sources knows it, or the URL of a file elsewhere. */
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
