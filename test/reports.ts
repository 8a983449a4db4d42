/** Reports for tests of the outputs. */
import type { CheckResult, Finding, Report } from '../src/check.ts';

/** A report of these checks; what a check does not say is that of a failed configuration. */
export function reportOf(checks: readonly Partial<CheckResult>[], rest: Partial<Report> = {}): Report {
  return {
    tool: { name: 'docvitals', version: '0.0.0' },
    site: { url: 'http://docs.test/' },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    verdict: 'degraded',
    strict: false,
    interrupted: false,
    fresh: null,
    ...rest,
    checks: checks.map((check) => ({
      id: 'config',
      status: 'fail',
      target: 'GET /config.json',
      url: 'http://docs.test/config.json',
      httpStatus: 200,
      durationMs: 1,
      attempts: 1,
      timings: { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 1, totalMs: 1 },
      findings: [],
      ...check,
    })),
  };
}

/** An error without evidence, unless told otherwise. */
export const finding = (rest: Partial<Finding> = {}): Finding => ({
  code: 'syntax',
  grade: 'error',
  evidence: {},
  ...rest,
});
