/** The vocabulary of docvitals: what a check is, what it finds, and the report that every output is made from. */
import type { RenderedPage } from '../browser/open.ts';
import type { Evidence, Timings } from './answer.ts';
import type { Finding, RawFinding, SeverityOrOutcome } from './finding.ts';
import type { Gathered } from './gathered.ts';
import type { EngineId } from '../engines/engine.ts';
import type { HostProduct } from '../site/host-product.ts';
import type { EvaluationLimits, Site } from '../site/types.ts';

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
  readonly rules: Readonly<Record<Rule, SeverityOrOutcome>>;
  /** A failure of it, or one of these rules, takes the site down: visitors see a blank page. */
  readonly vital?: true | readonly Rule[];
  /** The rules of what is not the expected version. */
  readonly freshness?: readonly Rule[];
  /** Those by which an older version is known to be live: a site with no fault besides that of its version is stale. */
  readonly older?: readonly Rule[];
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

/** The status of a check. */
export type Status = 'pass' | 'warn' | 'fail' | 'skip' | 'unknown';

/** `down`: visitors see a blank page. `stale`: the only fault is that an older version is live. */
export type Verdict = 'healthy' | 'degraded' | 'down' | 'stale' | 'unknown';

/** What a site was waited for with; `health`: only for healthy runs. */
export type FreshBy = 'source' | 'version' | 'since' | 'health';

/** How a site was waited for. Times are since the waiting began; `null`: that did not happen. */
export interface Waited {
  readonly forMs: number;
  readonly elapsedMs: number;
  readonly runs: number;
  readonly by: FreshBy;
  readonly firstNewMs: number | null;
  readonly allNewMs: number | null;
  /** To the end of the required healthy runs. */
  readonly allPassedMs: number | null;
  /** Every run was good from the first one on. */
  readonly alreadyLive?: true;
  /** The old version came again after the new one. */
  readonly alternating?: true;
}

/** What one check found. */
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

/** The documentation engine, as a report has it. */
export interface ReportedEngine {
  readonly id: EngineId;
  readonly name: string;
  readonly version: string | null;
}

/** The site, as a report has it. */
export interface ReportedSite {
  readonly url: string;
  readonly host?: HostProduct;
  readonly engine?: ReportedEngine;
}

/** Everything that one run found, without words. */
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
