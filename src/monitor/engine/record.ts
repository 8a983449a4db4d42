import type { CheckResult, Finding } from '../../check.ts';
import type { Observation } from '../incident/incident.ts';
import type { CheckRecord, RoundRecord } from '../store/store.ts';

/** Codes that are kept of a check. */
const MOST_CODES = 8;

const RANKS: Readonly<Record<Finding['grade'], number>> = { error: 0, unknown: 1, warning: 2, skip: 3, info: 4 };

/** A round as it is kept; `ticks`: how many moments of the schedule it stands for. */
export function recordOf(site: string, observation: Observation, ticks: number): RoundRecord {
  const { report, scope, startedAt, endedAt, maintenance, ours } = observation;
  return {
    site,
    scope,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    verdict: ours ? 'unknown' : report.verdict,
    maintenance,
    ticks,
    checks: report.checks.map((result) => checkRecord(result, ours)),
  };
}

function checkRecord({ id, status, findings, httpStatus, attempts, timings }: CheckResult, ours: boolean): CheckRecord {
  return {
    id,
    // What was seen while it was us says nothing of the site.
    status: ours && status === 'fail' ? 'unknown' : status,
    codes: codesOf(findings),
    httpStatus,
    durationMs: attempts === 0 ? null : timings.totalMs,
  };
}

/** What is no mere hint, gravest first, each once. */
function codesOf(findings: readonly Finding[]): readonly string[] {
  const told = findings.filter(({ grade }) => grade !== 'info').toSorted((a, b) => RANKS[a.grade] - RANKS[b.grade]);
  return [...new Set(told.map(({ code }) => code))].slice(0, MOST_CODES);
}
