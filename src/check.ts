/** The vocabulary of docvitals: what a check is, what it finds, and the report that every output is made from. */
import type { Answer, Evidence, Get, Json, Timings } from './answer.ts';
import type { RenderedPage, RequestedBrowser } from './browser/open.ts';
import type { Crawl } from './crawl/crawl.ts';
import type { Engine, EngineId, EngineSettings, Setting, Settings } from './engines/engine.ts';
import type { HostKind, HostProduct } from './host-product.ts';
import type { ReadInWorker } from './parse/untrusted.ts';
import type { Hosting } from './site/hosting.ts';
import type { WhyMissing } from './site/missing-file.ts';
import type { NotFound } from './site/not-found.ts';
import type { Source } from './source/types.ts';

export type * from './answer.ts';
export type { Crawl, Hosting, HostKind, NotFound };
export type { CrawlLinks, LeftOut, MissingAnchor } from './crawl/crawl.ts';
export type { Diagnosis, Misspelling } from './crawl/diagnose.ts';
export type { CrawledFile, ExternalTarget, LinkedFrom, LinkMistake } from './crawl/frontier.ts';
export type { MissingKind, MissingProbe } from './site/not-found.ts';

/** `line` and `column` count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The lines around a fault, for a code frame. `firstLine` and `caretColumn` count from 1; long lines are cut. */
export interface Excerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
  /** The fault's column in its line as cut. */
  readonly caretColumn?: number;
}

/** `info` does not affect the result, `skip`: the check does not apply, `unknown`: this machine could not determine it. */
export type Severity = 'error' | 'warning' | 'info' | 'skip' | 'unknown';

/** A finding before its severity, which the run adds. */
export interface RawFinding<Rule extends string = string> {
  readonly rule: Rule;
  readonly evidence?: Evidence;
  readonly location?: Location;
  /** All locations of the fault: the first hundred, `location` among them. */
  readonly locations?: readonly Location[];
  readonly excerpt?: Excerpt;
  /** How many more findings of this rule there are; on the last that is reported. */
  readonly omitted?: number;
}

export interface Finding extends Omit<RawFinding, 'omitted'> {
  readonly severity: Severity;
  /** The finding that this one is an effect of, as `<check id>/<rule>`: its fix is the fix of both. */
  readonly cause?: string;
  readonly evidence: Evidence;
}

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

/** What a check gathered, for the evaluation and the report. */
export interface Gathered {
  /** `null`: there is not one answer that counts. */
  readonly answer: Answer | null;
  /** Requests of a check that sends more than one. */
  readonly requests?: number;
  /** What the check found, whatever the result: numbers and names, never prose. */
  readonly facts?: Evidence;
  readonly rendered?: readonly RenderedPage[];
  /** Overrides `vital` of the check: engines differ in which files they need. */
  readonly vital?: boolean;
}

/** What a check is for the rest of the program, which uses roles and never ids: see ARCHITECTURE.md. */
export type Role = 'bundle' | 'source' | 'version' | 'certificate' | 'browser';

/** The declaration of a check. `gather` does the requests, `evaluate` is pure. */
export interface DeclaredCheck<G extends Gathered = Gathered, Rule extends string = string> {
  readonly id: string;
  /** The default target relative to the base, or a pattern for many files, e.g. `**\/*.md` or `<missing>`. */
  readonly target: string;
  /** Runs under `--full` only, or when it is requested by its id. */
  readonly full?: true;
  readonly role?: Role;
  readonly rules: Readonly<Record<Rule, Severity>>;
  /** A failure of it, or one of these rules, takes the site down: visitors see a blank page. */
  readonly vital?: true | readonly Rule[];
  /** The rules that an old version breaks. A site that has no other fault is stale. */
  readonly freshness?: readonly Rule[];
  /** The finding of another check that explains a finding of this one, as `<check id>/<rule>`. */
  readonly causeOf?: (finding: Finding, others: readonly CheckResult[], base: URL) => string | null;
  gather(site: Site): Promise<G>;
  evaluate(gathered: G, limits: EvaluationLimits): readonly RawFinding<Rule>[] | Promise<readonly RawFinding<Rule>[]>;
}

declare const defined: unique symbol;

/** A check that `defineCheck` has made. */
export interface Check<G extends Gathered = Gathered, Rule extends string = string> extends DeclaredCheck<G, Rule> {
  /** Exists for the compiler only: an object that is no result of `defineCheck` is not a check. */
  readonly [defined]: true;
}

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
  notFound(): Promise<NotFound>;
  hosting(): Promise<Hosting>;
  crawl(): Promise<Crawl>;
}

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

export type Status = 'pass' | 'warn' | 'fail' | 'skip' | 'unknown';

/** `down`: visitors see a blank page. `stale`: the only fault is that the expected version is not live. */
export type Verdict = 'healthy' | 'degraded' | 'down' | 'stale' | 'unknown';

/** What a site was waited for with; `health`: only for healthy runs. */
export type FreshBy = 'source' | 'version' | 'since' | 'health';

/** How a site was waited for. Times are since the waiting began; `null`: that did not happen. */
export interface Waited {
  readonly forMs: number;
  readonly elapsedMs: number;
  readonly rounds: number;
  readonly by: FreshBy;
  readonly firstNewMs: number | null;
  readonly allNewMs: number | null;
  /** To the end of the required healthy runs. */
  readonly allGreenMs: number | null;
  /** Every run was good from the first one on. */
  readonly alreadyLive?: true;
  /** The old version came again after the new one. */
  readonly inTurn?: true;
}

export interface CheckResult {
  readonly id: string;
  readonly role?: Role;
  /** As in {@link Check.vital}; `false` where this site's engine works without it. */
  readonly vital?: boolean;
  readonly status: Status;
  readonly target: string;
  readonly url: string;
  /** The host confirmed a body that the monitor has (status 304). */
  readonly revalidated?: true;
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly attempts: number;
  readonly timings: Timings;
  readonly requests?: number;
  readonly facts?: Evidence;
  readonly rendered?: readonly RenderedPage[];
  /** Without the reason for a skip. */
  readonly findings: readonly Finding[];
  /** How many findings of a rule there are beyond those that are reported. */
  readonly omitted?: Readonly<Record<string, number>>;
  readonly skipped?: Finding;
}

export interface ReportedEngine {
  readonly id: EngineId;
  readonly name: string;
  readonly version: string | null;
}

export interface ReportedSite {
  readonly url: string;
  readonly host?: HostProduct;
  readonly engine?: ReportedEngine;
}

export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  readonly site: ReportedSite;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Headers included, before content codings were undone. */
  readonly receivedBytes?: number;
  readonly verdict: Verdict;
  readonly strict: boolean;
  readonly interrupted: boolean;
  /** Whether the expected version is live; `null`: not known, or none was expected. */
  readonly fresh: boolean | null;
  readonly waited?: Waited;
  readonly checks: readonly CheckResult[];
}
