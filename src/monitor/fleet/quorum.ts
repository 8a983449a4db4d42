/** What the results of several locations come to. Pure. */
import type { Check, CheckResult, Finding, Report } from '../../check.ts';
import { isFailed, verdictOf } from '../../verdict.ts';
import { hasAnswered } from '../connectivity/connectivity.ts';
import type { LocationResult, Measurement } from '../engine/local-probe.ts';

export interface QuorumRules {
  /** The checks of the site's runs. */
  readonly declared: readonly Pick<Check, 'id' | 'vital' | 'freshness'>[];
  readonly strict: boolean;
  /** How many locations have to see a failure; absent: the majority of those that vote. */
  readonly needed?: number | undefined;
  /** Whether what fewer locations see is a failure, though not one that takes the site down. */
  readonly countsFewer: boolean;
  /** Locations that were asked and whose runners are alive, those among them that have not responded. */
  readonly silent: number;
}

type Combined = Pick<Measurement, 'report' | 'probeSide' | 'failingFrom'>;

/**
 * A check fails where enough locations see it fail; its findings name them. What fewer see is in `failingFrom`. A location
 * whose result is about its own network does not vote. `null`: no location responded.
 */
export function combine(results: readonly LocationResult[], rules: QuorumRules): Combined | null {
  const [first] = results;
  if (first === undefined) return null;
  const votes = results.filter(({ probeSide }) => probeSide === null);
  const middle = votes.toSorted((a, b) => a.report.durationMs - b.report.durationMs)[
    Math.floor((votes.length - 1) / 2)
  ];
  if (middle === undefined) return { report: first.report, probeSide: first.probeSide };
  const needed = rules.needed ?? Math.floor((votes.length + rules.silent) / 2) + 1;
  const fewer = new Set<string>();
  const ids = [...new Set(votes.flatMap(({ report }) => report.checks.map(({ id }) => id)))];
  const checks = ids.flatMap((id): CheckResult[] => {
    const seen = votes.flatMap(({ location, report }) => {
      const result = report.checks.find((check) => check.id === id);
      return result === undefined ? [] : [{ location, result }];
    });
    const failing = seen.filter(({ result }) => isFailed(result, rules));
    const others = seen.filter(({ result }) => !isFailed(result, rules));
    const isConfirmed = failing.length >= needed;
    const from = failing.map(({ location }) => location);
    const [failed] = failing;
    if (failed !== undefined && !isConfirmed) for (const location of from) fewer.add(location);
    // What the silent ones see may be what was missing.
    const [known] = seen;
    if (known !== undefined && !isConfirmed && failing.length + rules.silent >= needed) return [unknown(known.result)];
    if (failed !== undefined && (isConfirmed || rules.countsFewer)) {
      const findings = failed.result.findings.map((finding) => seenFrom(finding, from));
      return [{ ...failed.result, findings, ...(isConfirmed ? {} : { vital: false }) }];
    }
    const typical = others.find(({ location }) => location === middle.location) ?? others[0];
    if (typical !== undefined) return [typical.result];
    // Every vote fails, and they are too few: nothing is known.
    return failed === undefined ? [] : [unknown(failed.result)];
  });
  return {
    report: { ...middle.report, checks, verdict: verdictOf(checks, rules.declared, rules.strict) },
    probeSide: null,
    failingFrom: [...fewer],
  };
}

const unknown = (result: CheckResult): CheckResult => ({ ...result, status: 'unknown', findings: [] });

function seenFrom(finding: Finding, locations: readonly string[]): Finding {
  const isReported = finding.severity === 'error' || finding.severity === 'warning';
  return isReported ? { ...finding, evidence: { ...finding.evidence, seenFrom: locations.join(', ') } } : finding;
}

/** The report of a run that no location could do. */
export function nothingMeasured(url: string, version: string, startedAt: number, strict: boolean): Report {
  return {
    tool: { name: 'docvitals', version },
    site: { url },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: 0,
    verdict: 'unknown',
    strict,
    interrupted: false,
    fresh: null,
    checks: [],
  };
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
