/**
 * The vocabulary of docvitals: what a check is, what an evaluation says of an answer, and the report that every output is
 * made from. Types and the function that declares a check; no behaviour.
 */
import type { Answer, Evidence, Timings } from './answer.ts';
import type { ParseMarkdown, Site } from './site/facts.ts';
import type { EngineId, Setting } from './engines/engine.ts';
import type { HostProduct } from './host-product.ts';
import type { WhyMissing } from './site/missing-file.ts';
import type { RenderedPage } from './browser/types.ts';

export type * from './answer.ts';
export type * from './site/facts.ts';

/** Where a fault sits in a text file. `line` and `column` count from 1; `column` counts UTF-16 code units, as editors do. */
export interface Location {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The lines around a fault, for a code frame. `firstLine` and `caretColumn` count from 1. */
export interface Excerpt {
  readonly firstLine: number;
  /** Long lines are cut around the fault. */
  readonly lines: readonly string[];
  /** The fault's column in its line as cut; equal to `location.column` in a line that is whole. */
  readonly caretColumn?: number;
}

/**
 * How grave a finding code is:
 * `error` fails the check, `warning` warns, `info` shows what is good to know and does not affect the result,
 * `skip` says why the check does not apply, `unknown` says that this machine could not determine it.
 */
export type Severity = 'error' | 'warning' | 'info' | 'skip' | 'unknown';

/** A finding before its severity: a rule of the check's own list and the facts behind it. The run adds the severity. */
export interface RawFinding<Rule extends string = string> {
  readonly rule: Rule;
  readonly evidence?: Evidence;
  readonly location?: Location;
  /** Where else the fault shows: every place that links to a missing page. The first hundred, `location` among them. */
  readonly locations?: readonly Location[];
  readonly excerpt?: Excerpt;
  /** How many more findings of this code there are than are reported; on the last of those that are. */
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
  /** The setting's name in the engine of the site. */
  readonly settingName: string;
  /** As in the configuration; `undefined` where it says nothing, so that the engine's default holds. */
  readonly value: string | null | undefined;
  /** Why the file is missing, where that is known. */
  readonly why?: WhyMissing;
  /** Set under `--full` where a text came that is what the host sends for files that are not there. */
  readonly missing?: true;
}

/** What a check gathered: the answer that the report shows, and whatever else the evaluation needs. */
export interface Gathered {
  /** `null`: nothing had to be requested, or more than one request counts alike. */
  readonly answer: Answer | null;
  /** How many requests a check that requests more than one file has sent. */
  readonly requests?: number;
  /** What the check saw, for the report, whatever the result: numbers and names, never prose. */
  readonly facts?: Evidence;
  /** Pages that a browser has rendered. */
  readonly rendered?: readonly RenderedPage[];
  /** Overrides `vital` of the check: what visitors of this site see without the file depends on its engine. */
  readonly vital?: boolean;
}

/**
 * The role of a check for the rest of the program, which uses roles and never ids:
 * `bundle` requests the page that every visitor loads first, `source` compares with what the site is deployed from,
 * `version` knows which version is live, `certificate` reads the TLS certificate,
 * `browser` renders pages and runs only where the user asks for a browser.
 */
export type Role = 'bundle' | 'source' | 'version' | 'certificate' | 'browser';

/** A declared check. `gather` does the requests, `evaluate` is pure. */
export interface Check<G extends Gathered = Gathered, Rule extends string = string> {
  /** kebab-case noun. */
  readonly id: string;
  /**
   * The default target relative to the base, e.g. `navigation.md`; shown before the run knows better. A check that asks
   * for more than one file has a pattern, e.g. `**\/*.md` or `<missing>`.
   */
  readonly target: string;
  /** Set for a check that runs under `--full` only, or when it is requested by its id. */
  readonly full?: true;
  readonly role?: Role;
  /** Every rule that `evaluate` may report, with its default severity. */
  readonly rules: Readonly<Record<Rule, Severity>>;
  /** Set for what visitors see a blank page without: a failure of it, or one of these codes, takes the site down. */
  readonly vital?: true | readonly Rule[];
  /** The codes that say that what is live is not the version that was expected. A site that has no other fault is stale. */
  readonly freshness?: readonly Rule[];
  /**
   * The finding of another check that explains a finding of this one, as `<check id>/<rule>`; `null`: none does. `others`:
   * results that failed or warn.
   */
  readonly causeOf?: (finding: Finding, others: readonly CheckResult[], base: URL) => string | null;
  gather(site: Site): Promise<G>;
  evaluate(gathered: G, limits: EvaluationLimits): Promise<readonly RawFinding<Rule>[]>;
}

/** The limits of an evaluation. */
export interface EvaluationLimits {
  readonly parseMs: number;
  /** Aborted when the run ends, its reason an `Ended`: nothing more is parsed. */
  readonly signal?: AbortSignal | undefined;
  /** Parses pages; where it is absent they are parsed in this thread. */
  readonly parse?: ParseMarkdown;
}

/** Declares a check, so that its rules are inferred and its evaluation can report no other. */
export function defineCheck<G extends Gathered, Rule extends string>(check: Check<G, Rule>): Check<G, Rule> {
  return check;
}

export type Status = 'pass' | 'warn' | 'fail' | 'skip' | 'unknown';

/**
 * The site's state. `down`: the bundle or the configuration failed, without which visitors see a blank page.
 * `stale`: nothing is wrong but that the version which was expected is not live.
 */
export type Verdict = 'healthy' | 'degraded' | 'down' | 'stale' | 'unknown';

/** What a site was waited for with: the first of these that was given; `health`: none was. */
export type FreshBy = 'source' | 'version' | 'since' | 'health';

/** How a site was waited for. Clocks are in milliseconds since the waiting began; `null`: it did not come to that. */
export interface Waited {
  readonly forMs: number;
  readonly elapsedMs: number;
  /** How often the site was asked. */
  readonly rounds: number;
  readonly by: FreshBy;
  /** To the first sign of the new version. */
  readonly firstNewMs: number | null;
  /** To the first run in which all samples were new. */
  readonly allNewMs: number | null;
  /** To the end of the good runs in a row that were requested. */
  readonly allGreenMs: number | null;
  /** Every run was good, from the first one on: there was nothing to wait for. */
  readonly alreadyLive?: true;
  /** The old version is reported because it came again after the new one: servers answer in turn. */
  readonly inTurn?: true;
}

export interface CheckResult {
  readonly id: string;
  readonly role?: Role;
  /** `true` for a check without which visitors see a blank page; `false` where this site's engine continues without it. */
  readonly vital?: boolean;
  readonly status: Status;
  /** `GET /navigation.md`: the method and the path that was asked last. */
  readonly target: string;
  /** The requested URL, without userinfo. */
  readonly url: string;
  /** Set where the host confirmed a body that the monitor has received before (status 304). */
  readonly revalidated?: true;
  /** HTTP status of the answer, `null` when none came. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  readonly attempts: number;
  readonly timings: Timings;
  /** How many requests were sent by a check that requests more than one file. */
  readonly requests?: number;
  /** What the check saw, whatever it evaluated. */
  readonly facts?: Evidence;
  readonly rendered?: readonly RenderedPage[];
  /** Everything but the reason for a skip, in the order of the evaluation. */
  readonly findings: readonly Finding[];
  /** How many findings of a code there are beyond those that are reported; codes that are reported whole are not in it. */
  readonly omitted?: Readonly<Record<string, number>>;
  /** Why the check was skipped; only with status `skip`. */
  readonly skipped?: Finding;
}

/** The engine of a site, as far as its bundle or the user names it. */
export interface ReportedEngine {
  readonly id: EngineId;
  readonly name: string;
  /** `null`: not known. */
  readonly version: string | null;
}

export interface ReportedSite {
  readonly url: string;
  /** The product that serves the site, where an address or a header names it. */
  readonly host?: HostProduct;
  /** Absent where the engine is not known. */
  readonly engine?: ReportedEngine;
}

export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  readonly site: ReportedSite;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** What the run received, headers included, before content codings were undone. In bytes. */
  readonly receivedBytes?: number;
  readonly verdict: Verdict;
  readonly strict: boolean;
  readonly interrupted: boolean;
  /** Whether the version that was expected is live; `null`: not known, or none was expected. */
  readonly fresh: boolean | null;
  readonly waited?: Waited;
  readonly checks: readonly CheckResult[];
}
