/** Whether a site that gave no response is silent because this machine has no network, or resolves no names. */
import type { CheckResult, Report } from './check.ts';
import type { Finding } from './finding.ts';
import { hostOf, isPublic } from '../http/address-scope.ts';
import type { Control } from '../http/control.ts';
import type { Reason } from '../http/reasons.ts';

const OF_NAMES: ReadonlySet<string> = new Set(['dns-not-found', 'dns-temporary', 'dns-timeout'] satisfies Reason[]);
const OF_NETWORKS: ReadonlySet<string> = new Set(['unreachable', 'connect-timeout'] satisfies Reason[]);

/** Such a name never exists (RFC 6761, section 6.4). */
const NEVER = /\.invalid\.?$/;

/**
 * The results, with `no-network` instead of what the site seems to be at fault for, where public servers that have nothing to
 * do with it are silent as well. Only a site on the internet, of which nothing came, is compared with them.
 */
export async function withControl(
  results: readonly CheckResult[],
  base: URL,
  control: Control,
): Promise<Report['checks']> {
  const errors = results.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
  const isOf = (rules: ReadonlySet<string>): boolean => errors.every(({ rule }) => rules.has(rule));
  const isSilent = errors.length > 0 && results.every(({ httpStatus }) => httpStatus === null);
  if (!isSilent || !isPublic(base) || NEVER.test(hostOf(base))) return results;
  const isReached = isOf(OF_NAMES)
    ? await control.resolvesNames()
    : !isOf(OF_NETWORKS) || (await control.reachesServers());
  return isReached ? results : results.map(ofThisMachine);
}

function ofThisMachine(result: CheckResult): CheckResult {
  if (result.status !== 'fail') return result;
  const findings = result.findings.map((finding): Finding =>
    finding.severity === 'error'
      ? { ...finding, rule: 'no-network', severity: null, evidence: { reason: finding.rule, ...finding.evidence } }
      : finding,
  );
  return { ...result, status: 'unknown', findings };
}
