/** Reports for tests of the outputs. */
import { checks as declared } from '../checks/index.ts';
import type { CheckResult, Report } from '../src/core/check.ts';
import type { Evidence, Json } from '../src/core/answer.ts';
import type { Finding } from '../src/core/finding.ts';

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
      ...declaredAs(check.id ?? 'config'),
      ...check,
    })),
  };
}

/** What the check of an id declares of itself. */
function declaredAs(id: string): Pick<CheckResult, 'role' | 'vital'> {
  const { role, vital } = declared.find((check) => check.id === id) ?? {};
  return { ...(role === undefined ? {} : { role }), ...(vital === undefined ? {} : { vital: true }) };
}

/** An error without evidence, by default. */
export const finding = ({
  evidence = {},
  ...rest
}: Partial<Omit<Finding, 'evidence'>> & AnyEvidence = {}): Finding => ({
  rule: 'syntax',
  severity: 'error',
  evidence: anyEvidence(evidence),
  ...rest,
});

interface AnyEvidence {
  readonly evidence?: { readonly [name: string]: Json | undefined };
}

/** Evidence with fields that no check reports, as an old file or a hostile value may have them. */
export const anyEvidence = (evidence: NonNullable<AnyEvidence['evidence']>): Evidence => evidence;
