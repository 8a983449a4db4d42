/** The site as a run knows it, and what the run was asked for. */
import type { RequestedBrowser } from '../browser/open.ts';
import type { Answer, Get, Json } from '../core/answer.ts';
import type { RawFinding } from '../core/finding.ts';
import type { Gathered } from '../core/gathered.ts';
import type { Crawl } from '../crawl/crawl.ts';
import type { Engine, EngineId, EngineSettings, Setting, Settings } from '../engines/engine.ts';
import type { ReadInWorker } from '../parse/untrusted.ts';
import type { HostKind, HostProduct } from './host-product.ts';
import type { Hosting } from './hosting.ts';
import type { WhyMissing } from './missing-file.ts';
import type { NotFound } from './not-found.ts';
import type { Source } from '../source/types.ts';

/** A file that a setting of `config.json` names, and what is needed to evaluate it. */
export interface NamedFile extends Gathered {
  readonly answer: Answer;
  readonly bundle: Answer;
  readonly setting: Setting;
  readonly settingName: string;
  /** As in the configuration; `undefined`: the engine's default. */
  readonly value: string | null | undefined;
  readonly why?: WhyMissing;
  /** The text is what the host returns for missing files (`--full`). */
  readonly missing?: true;
}

/** Why nothing is known of the site. `host`: under which name fixes have instructions for what refuses. */
export interface RefusedRun {
  readonly finding: RawFinding<'client-refused'>;
  readonly host?: HostProduct;
}

/** What bounds the evaluation of a check. */
export interface EvaluationLimits {
  readonly parseMs: number;
  /** Aborted when the run ends, its reason an `Ended`. */
  readonly signal?: AbortSignal | undefined;
  /** The worker of the run, where it has one: a full check reads whole pages. */
  readonly read?: ReadInWorker | undefined;
}

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
  /** Why the host refuses this client; `null`: it does not. */
  refusal(): Promise<RefusedRun | null>;
  /** Whether visitors can read the page of an unknown engine without its scripts and files. */
  hasOwnText(): Promise<boolean>;
  /** Why the bundle is not the page of the site, or not all of it: nothing that other files have is about the site then. */
  brokenPage(): Promise<RawFinding<'host-page' | 'cut-off'> | null>;
  notFound(): Promise<NotFound>;
  hosting(): Promise<Hosting>;
  crawl(): Promise<Crawl>;
}

/** What the user asks of a run beyond which checks it has. */
export interface RunRequest {
  /** The whole site was requested: the core checks look further, too. */
  readonly full: boolean;
  /** The scripts that the bundle cannot start without are requested. */
  readonly scripts: boolean;
  /** Links to other sites are requested as well. */
  readonly external: boolean;
  readonly host: HostKind | null;
  /** `host` is the kind of a product that the user named: it says how the site is hosted, not which rules the user wrote. */
  readonly hostByProduct: boolean;
  /** Whether page paths should negotiate; `null`: the user said nothing of it. */
  readonly negotiation: boolean | null;
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

/** The version that should be live. */
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

/** Where the site publishes its version. */
export interface VersionLocation {
  /** Relative to the base, as `build/info.json`. */
  readonly path: string;
  /** A JSON Pointer (RFC 6901), a regular expression whose first group (or whole match) counts, or `null`: the whole text. */
  readonly pick: { readonly pointer: string } | { readonly pattern: RegExp } | null;
}

/** What a bundle had before a deploy: it is another one when its `ETag` differs, or when it was modified later. */
export type Since = { readonly etag: string } | { readonly modifiedMs: number };
