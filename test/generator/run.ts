/** Runs every check over a deployment, through the same door as the command, and sums up what was found. */
import { checks } from '../../checks/index.ts';
import { parseBaseUrl } from '../../src/core/base-url.ts';
import type { CheckResult, Report } from '../../src/core/check.ts';
import type { RunRequest } from '../../src/site/types.ts';
import { checkSite } from '../../src/core/check-site.ts';
import type { Codes } from './codes.ts';
import type { Deployment } from './deployment.ts';
import type { SiteServer } from './serve.ts';
import { addressOf } from './site.ts';

/** Deploys the site and checks it as `docvitals check <url> --full` does. */
export async function checkDeployment(
  deployment: Deployment,
  server: SiteServer,
  wants: Partial<Omit<RunRequest, 'pages' | 'depth' | 'crawlMs'>> = {},
): Promise<Report> {
  server.deploy(deployment);
  const site = parseBaseUrl(addressOf(deployment.site.options));
  if (!site.ok) throw new Error(`no address: ${site.given}`);
  return checkSite({
    site,
    checks,
    limits: { retries: 0, timeoutMs: 5_000, deadlineMs: 30_000 },
    requested: { full: true, host: deployment.kind, ...wants },
  });
}

/** What a report holds against the site, and what it could not tell. */
export function trouble(report: Report): Codes {
  return codesBy(report, ({ findings }) =>
    findings.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule),
  );
}

/** Which checks did not apply, and why. */
export function skipped(report: Report): Codes {
  return codesBy(report, (result) => (result.skipped === undefined ? [] : [result.skipped.rule]));
}

function codesBy({ checks: results }: Report, codesOf: (result: CheckResult) => readonly string[]): Codes {
  const told = results.map((result) => [result.id, [...new Set(codesOf(result))].toSorted()] as const);
  return Object.fromEntries(told.filter(([, codes]) => codes.length > 0));
}
