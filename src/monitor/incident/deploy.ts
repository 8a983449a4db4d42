/** Which version is live, and which deploy may have broken a site. Pure. */
import type { Report } from '../../check.ts';
import type { Observation, SiteState, SuspectedDeploy, Suspicion, VersionKind } from './incident.ts';

/** A deploy that is longer ago than this is not suspected. */
const SUSPECTED_MS = 15 * 60_000;

/** What begins like this is no version that a site tells, but a hash of its bundle. */
const OF_BUNDLE = 'sha256:';

/** The version that a round saw, as the site itself tells it; `null`: it does not, or nobody looked for it. */
export function versionOf({ checks }: Pick<Report, 'checks'>): string | null {
  const told = checks.find(({ id }) => id === 'deployed-version')?.facts?.['version'];
  return typeof told === 'string' && told !== '' ? told : null;
}

type Versions = Pick<SiteState, 'deploy' | 'versions'>;

/** What is known of deploys after a round. */
export function versionsAfter({ deploy, versions }: Versions, { version, endedAt, ours }: Observation): Versions {
  if (ours || version === null) return { deploy, versions };
  const kind = kindOf(version);
  const before = versions[kind] ?? null;
  if (version === before) return { deploy, versions };
  const seen = { version, before, seenAt: endedAt };
  return { deploy: deployAfter(deploy, seen), versions: { ...versions, [kind]: version } };
}

const kindOf = (version: string): VersionKind => (version.startsWith(OF_BUNDLE) ? 'hashed' : 'told');

/** A version that is seen for the first time is no deploy. */
function deployAfter(deploy: SuspectedDeploy | null, seen: SuspectedDeploy): SuspectedDeploy | null {
  if (seen.before === null) return deploy ?? seen;
  // The site's own name for what the bundle told before: bundles are looked at more often.
  const isSame = deploy !== null && deploy.before !== null && kindOf(deploy.version) !== kindOf(seen.version);
  return isSame && kindOf(seen.version) === 'told' ? { ...seen, seenAt: deploy.seenAt } : seen;
}

/** The deploy that may have caused what failed first at `since`: it was seen shortly before, or with the first failure. */
export function suspectedDeploy(
  { deploy }: Versions,
  { since }: Pick<Suspicion, 'since'>,
  { startedAt, detectedAt }: { readonly startedAt: number; readonly detectedAt: number },
): SuspectedDeploy | null {
  if (deploy === null || deploy.before === null) return null;
  const from = Math.min(since - SUSPECTED_MS, startedAt);
  return deploy.seenAt >= from && deploy.seenAt <= detectedAt ? deploy : null;
}
