/** What a run learns of a site beyond single answers: fetched once, shared by all checks. Types only. */
import type { Answer, Evidence, Get, Json, Reply } from '../answer.ts';
import type { RawFinding, EvaluationLimits, Location, NamedFile } from '../check.ts';
import type { PageRule } from '../expect/page.ts';
import type { MISSPELLING_RULES } from '../expect/text.ts';
import type { Reason } from '../http/reasons.ts';
import type { MarkdownFacts, MarkdownLimit } from '../parse/markdown.ts';
import type { Engine, EngineId, EngineSettings, Setting, Settings } from '../engines/engine.ts';
import type { Source } from '../source/types.ts';
import type { RequestedBrowser } from '../browser/open.ts';

/** The site as the run knows it. Every member that is a function requests something once, when it is first called. */
export interface Site {
  /** Base URL: ends with a slash, has no userinfo, query or fragment. */
  readonly base: URL;
  /** A connection of its own for each request. For the core checks. */
  readonly get: Get;
  /** A few connections a host, kept alive and paced (`--rate`, 429). For every check that requests more than one file. */
  readonly pooled: Get;
  readonly requested: RunRequest;
  readonly limits: EvaluationLimits;
  /** The engine bundle (`index.html`): its bytes are the fingerprint of the host's SPA fallback. */
  bundle(): Promise<Answer>;
  config(): Promise<Answer>;
  /** The engine that the bundle shows, or that the user named. */
  engine(): Promise<Engine>;
  /** What `engine` has found; `null`: nothing yet. */
  knownEngine(): Engine | null;
  engineSettings(): Promise<EngineSettings>;
  /** The files that the site names, in `config.json` or where its engine has its settings. */
  settings(): Promise<Settings>;
  /** All of `config.json`; empty if it is not a readable object. Untrusted: any member may be of any type. */
  configuration(): Promise<Readonly<Record<string, Json>>>;
  /** The file that a setting names; the engine's default is requested before the configuration is known. */
  file(setting: Setting): Promise<NamedFile>;
  /** The base URL of a site above this one, where nothing of a site is at this one; `null`: none. */
  baseAbove(): Promise<URL | null>;
  notFound(): Promise<NotFound>;
  hosting(): Promise<Hosting>;
  crawl(): Promise<Crawl>;
}

/** What kind of host serves a site, and how that is known. */
export interface Hosting {
  /** `null`: not known. */
  readonly kind: HostKind | null;
  readonly by: 'option' | 'address' | 'header' | 'behaviour' | null;
  /** E.g. `{ server: 'nginx/1.26.3' }`. */
  readonly evidence: Evidence;
}

/** Extensions under which a file that is not there is requested; `none`: a name without one. */
export type MissingKind = 'md' | 'json' | 'js' | 'txt' | 'none';

export interface MissingProbe {
  readonly kind: MissingKind;
  readonly answer: Answer;
}

/** What a host returns for missing files. */
export interface NotFound {
  readonly probes: readonly MissingProbe[];
  /** Whether a reply is that: its status says so, or its body is the bundle's or that of a probe, whatever its status. */
  isMissing(reply: Reply): boolean;
}

/** What a crawl found. Paths are relative to the base, percent-decoded, as `guide/index.md`. */
export interface Crawl {
  readonly pages: ReadonlyMap<string, CrawledFile>;
  /** What else of the site is linked or shown (images, downloads), by path. */
  readonly files: ReadonlyMap<string, CrawledFile>;
  readonly requests: number;
  readonly links: CrawlLinks;
}

/** A missing target that the agent index alone names is reported by the check `llms-txt`; all others by `links`. */
export interface CrawlLinks {
  /** Links and images that were read, however often they name the same target. */
  readonly count: number;
  /** The roots' paths, whose own faults other checks report: navigation and home page, of whatever language. */
  readonly roots: ReadonlySet<string>;
  /**
   * The path that locations in the agent index are reported under: relative to the base, or of one beyond the base
   * relative to the origin's root; `null`: none, or unreadable.
   */
  readonly index: string | null;
  /** Pages and files that are wrong, or worth a warning, by path. */
  readonly faults: ReadonlyMap<string, CrawledFile>;
  /** Anchors that their page has no heading or id for. */
  readonly missingAnchors: readonly MissingAnchor[];
  readonly mistakes: readonly LinkMistake[];
  /** By URL without fragment. */
  readonly external: ReadonlyMap<string, ExternalTarget>;
  /** Links to the site's own pages that name `http` where the site has `https`. */
  readonly insecure: LinkedFrom;
  /** Pages of the source that nothing leads to, as far as they are live; requested, but not evaluated. */
  readonly unlinked: readonly string[];
  readonly leftOut: LeftOut;
  /** Why the crawl was given up: request after request got no response. */
  readonly gaveUp: { readonly reason: Reason; readonly evidence: Evidence; readonly failures: number } | null;
}

export type Misspelling = keyof typeof MISSPELLING_RULES | 'similar-name';

/** What a broken link most likely means. */
export interface Diagnosis {
  readonly rule: Misspelling;
  /** The path of a file that exists. */
  readonly suggestion: string;
}

export interface MissingAnchor extends LinkedFrom {
  readonly path: string;
  readonly anchor: string;
}

export interface LinkMistake extends LinkedFrom {
  readonly rule: 'misspelled-scheme' | 'encoded-dot' | 'backslash';
  readonly written: string;
}

export interface ExternalTarget extends LinkedFrom {
  /** Whether it is on the site's own origin, beyond the base path. */
  readonly elsewhere: boolean;
}

/** How many known targets were not requested; a lower bound where there were too many to remember. */
export interface LeftOut {
  readonly pages: number;
  readonly files: number;
  /** How many of them because of time or missing responses, and not because of a cap on pages or depth. */
  readonly late: number;
  /** Pages that were not read in full, because they or all together are too large. */
  readonly unread?: number;
  /** The caps that were met; `size`: there were too many links, or pages too large, to remember all of them. */
  readonly by: readonly ('pages' | 'depth' | 'time' | 'gave-up' | 'size')[];
}

/** Every location that links to a target: the first hundred, and how many there are in all. */
export interface LinkedFrom {
  readonly locations: readonly Location[];
  readonly count: number;
}

/** A file of the site that was requested. */
export interface CrawledFile extends LinkedFrom {
  readonly path: string;
  readonly url: string;
  /** A Markdown page, a picture that pages show, or another file that they link to. */
  readonly kind: 'page' | 'image' | 'file';
  /** Links between a root (navigation, home page, agent index) and the file; 0 for a root. */
  readonly depth: number;
  /** Whether a way leads to it from a navigation or a home page, of whatever language. */
  readonly reachable: boolean;
  /** `true`: status 200, no page or error in its place, not what the host sends for a missing file. */
  readonly ok: boolean;
  /** Whether the file is missing, by status or by the response instead of it. */
  readonly missing: boolean;
  /** The evaluation in other cases. */
  readonly findings: readonly RawFinding<PageRule>[];
  /** What a link to a missing file most likely means; only files that were requested are suggested. */
  readonly diagnosis: Diagnosis | null;
  readonly status: number | null;
  readonly mediaType: string | null;
  readonly sha256: string | null;
  readonly bytes: number;
  /** What the parser found, without links; `null` where there was nothing to parse or a limit was met. */
  readonly facts: MarkdownFacts | null;
}

/** Parses whole texts under the run's limits, in a thread beside this one. */
export type ParseMarkdown = (text: string) => Promise<MarkdownFacts | MarkdownLimit>;

/** What the user asks of a run beyond which checks it has. */
export interface RunRequest {
  /** The whole site was requested: the core checks look further, too. */
  readonly full: boolean;
  /** Links to other sites are requested as well. */
  readonly external: boolean;
  readonly host: HostKind | null;
  /** `null`: the one that the bundle shows. */
  readonly engine: EngineId | null;
  readonly source: Source | null;
  /** Compare only so many files of the source, those that changed last first, and crawl nothing; `null`: all of them. */
  readonly samples: number | null;
  /** Files that differed from the source when they were last requested: the first to sample. */
  readonly suspects: readonly string[];
  /** `null`: the user did not ask for a browser. */
  readonly browser: RequestedBrowser | null;
  readonly expected: ExpectedVersion | null;
  /** The run sends credentials: others may receive something else. */
  readonly authorized: boolean;
  readonly pages: number;
  /** Most links between navigation, home page or agent index and a page. */
  readonly depth: number;
  /** Longest time for a crawl, in milliseconds; what is left is reported. */
  readonly crawlMs: number;
}

export interface ExpectedVersion {
  /** The name of the version, most often a commit; `null`: not given. */
  readonly version: string | null;
  /** Other names that are as good, e.g. the commit that a pull request would be merged by. Default: none. */
  readonly alternatives?: readonly string[];
  /** Where the site names its version; `null`: looked for in `version.json`, the bundle's `<meta>` and its headers. */
  readonly from: VersionLocation | null;
  /** The site does not have to publish its version: it is compared where it does. */
  readonly optional: boolean;
  /** What the bundle had before the deploy; `null`: not given. */
  readonly since: Since | null;
}

export interface VersionLocation {
  /** Relative to the base, as `build/info.json`. */
  readonly path: string;
  /** A JSON Pointer (RFC 6901), a regular expression whose first group (or whole match) counts, or `null`: the whole text. */
  readonly pick: { readonly pointer: string } | { readonly pattern: RegExp } | null;
}

/** What a bundle had before a deploy: it is another one when its `ETag` differs, or when it was modified later. */
export type Since = { readonly etag: string } | { readonly modifiedMs: number };

/** A plain web server, a hosting platform, an edge worker. */
export type HostKind = 'server' | 'platform' | 'worker';
