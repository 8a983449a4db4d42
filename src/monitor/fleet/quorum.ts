/** What the results of several locations come to. Pure. */
import type { Check, CheckResult } from '../../core/check.ts';
import type { Finding } from '../../core/finding.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { isFailed, verdictOf } from '../../core/verdict.ts';
import { hasAnswered } from '../connectivity/connectivity.ts';
import type { LocationResult, Measurement } from '../engine/local-probe.ts';

interface QuorumRules {
  /** The checks of the site's runs. */
  readonly declared: readonly Pick<Check, 'id' | 'vital' | 'freshness' | 'older'>[];
  readonly strict: boolean;
  /** How many locations have to see a failure; absent: the majority of those that vote. */
  readonly needed?: number | undefined;
  /** Whether what fewer locations see is a failure, though not one that takes the site down. */
  readonly countsFewer: boolean;
  /** Locations that were asked and whose runners are alive, those among them that have not responded. */
  readonly silent: readonly string[];
  /** By a monotonic clock, ms. */
  readonly now: number;
}

/** What one location saw of one check, and when. */
interface Vote {
  readonly location: string;
  readonly result: CheckResult;
  readonly at: number;
}

/** By check: the votes of the majority that saw it fail last. */
export type Failures = ReadonlyMap<string, readonly Vote[]>;

interface Combined extends Pick<Measurement, 'report' | 'probeSide' | 'failingFrom'> {
  /** For the next run. */
  readonly failures: Failures;
}

/** How long a failure counts that a location saw as one of a majority, if it does not vote any more. */
const REMEMBERED_MS = 5 * MINUTE_MS;

/**
 * A check fails where enough locations see it fail; its findings name them. What fewer see is in `failingFrom`. A location
 * whose result is about its own network does not vote. One that is gone while a majority sees a failure counts as it voted
 * last, for five minutes: its end is not the end of the outage. `null`: no location responded.
 */
export function combine(
  results: readonly LocationResult[],
  rules: QuorumRules,
  before: Failures = new Map(),
): Combined | null {
  const [first] = results;
  if (first === undefined) return null;
  const votes = results.filter(({ probeSide }) => probeSide === null);
  const middle = votes.toSorted((a, b) => a.report.durationMs - b.report.durationMs)[
    Math.floor((votes.length - 1) / 2)
  ];
  if (middle === undefined) return { report: first.report, probeSide: first.probeSide, failures: before };
  const voting = new Set(votes.map(({ location }) => location));
  const isRemembered = ({ location, at }: Vote): boolean => !voting.has(location) && rules.now - at <= REMEMBERED_MS;
  const fewer = new Set<string>();
  const failures = new Map<string, readonly Vote[]>();
  const all = votes.flatMap(({ location, report }) =>
    report.checks.map((result): Vote => ({ location, result, at: rules.now })),
  );
  const checks = [...Map.groupBy(all, ({ result }) => result.id)].flatMap(([id, seen]): CheckResult[] => {
    const unknown = seen.slice(0, 1).map(({ result }) => ({ ...result, status: 'unknown' as const, findings: [] }));
    const remembered = before.get(id)?.filter(isRemembered) ?? [];
    const silent = rules.silent.filter((one) => !remembered.some(({ location }) => location === one)).length;
    const needed = rules.needed ?? Math.floor((votes.length + remembered.length + silent) / 2) + 1;
    const failing = [...seen.filter(({ result }) => isFailed(result, rules)), ...remembered];
    const others = seen.filter(({ result }) => !isFailed(result, rules));
    const isConfirmed = failing.length >= needed;
    const from = failing.map(({ location }) => location);
    const [failed] = failing;
    if (isConfirmed) failures.set(id, failing);
    else for (const location of from) if (voting.has(location)) fewer.add(location);
    // What the silent ones see may be what was missing.
    if (!isConfirmed && failing.length + silent >= needed) return unknown;
    if (failed !== undefined && (isConfirmed || rules.countsFewer)) {
      const findings = failed.result.findings.map((finding) => seenFrom(finding, from));
      return [{ ...failed.result, findings, ...(isConfirmed ? {} : { vital: false }) }];
    }
    const typical = others.find(({ location }) => location === middle.location) ?? others[0];
    if (typical !== undefined) return [typical.result];
    // Every vote fails, and they are too few: nothing is known.
    return unknown;
  });
  return {
    report: { ...middle.report, checks, verdict: verdictOf(checks, rules.declared, rules.strict) },
    probeSide: null,
    failingFrom: [...fewer],
    failures,
  };
}

function seenFrom(finding: Finding, locations: readonly string[]): Finding {
  const isReported = finding.severity === 'error' || finding.severity === 'warning';
  return isReported ? { ...finding, evidence: { ...finding.evidence, seenFrom: locations.join(', ') } } : finding;
}

/** A location that alone got no response from so many sites, one after the other, is cut off. */
const CUT_OFF_AFTER = 3;

/** Finds out which location is cut off: the sites that it alone cannot reach are more than a coincidence. */
export class Isolation {
  /** By location: sites that responded to others only, since one responded to it. */
  readonly #silent = new Map<string, Set<string>>();

  /** The results of a run, those of locations that are cut off marked. */
  apply(site: string, results: readonly LocationResult[]): readonly LocationResult[] {
    const isReached = results.some(({ report, probeSide }) => probeSide === null && hasAnswered(report));
    for (const { location, report, probeSide } of results) {
      if (probeSide !== null) continue;
      const silent = this.#silent.get(location) ?? new Set();
      if (hasAnswered(report)) silent.clear();
      else if (isReached) silent.add(site);
      this.#silent.set(location, silent);
    }
    return results.map((result) =>
      result.probeSide === null && this.isCutOff(result.location) ? { ...result, probeSide: 'no-network' } : result,
    );
  }

  isCutOff(location: string): boolean {
    return (this.#silent.get(location)?.size ?? 0) >= CUT_OFF_AFTER;
  }
}
