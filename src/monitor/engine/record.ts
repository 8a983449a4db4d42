import type { CheckResult, Finding } from '../../check.ts';
import type { Observation } from '../incident/incident.ts';
import type { CheckRecord, RunRecord } from '../store/store.ts';

/** Codes that are kept of a check. */
const MOST_RULES = 8;

const RANKS: Readonly<Record<Finding['severity'], number>> = { error: 0, unknown: 1, warning: 2, skip: 3, info: 4 };

/** A run as it is kept; `ticks`: how many moments of the schedule it stands for. */
export function recordOf(site: string, observation: Observation, ticks: number): RunRecord {
  const { report, scope, startedAt, endedAt, maintenance, isProbeSide } = observation;
  return {
    site,
    scope,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    verdict: isProbeSide ? 'unknown' : report.verdict,
    maintenance,
    ticks,
    checks: report.checks.map((result) => checkRecord(result, isProbeSide)),
  };
}

function checkRecord(
  { id, status, findings, httpStatus, attempts, timings }: CheckResult,
  probeSide: boolean,
): CheckRecord {
  return {
    id,
    // What was seen while it was us says nothing of the site.
    status: probeSide && status === 'fail' ? 'unknown' : status,
    codes: rulesOf(findings),
    httpStatus,
    durationMs: attempts === 0 ? null : timings.totalMs,
  };
}

/** What is no mere hint, gravest first, each once. */
function rulesOf(findings: readonly Finding[]): readonly string[] {
  const reported = findings
    .filter(({ severity }) => severity !== 'info')
    .toSorted((a, b) => RANKS[a.severity] - RANKS[b.severity]);
  return [...new Set(reported.map(({ rule }) => rule))].slice(0, MOST_RULES);
}
