/** The event that started the workflow, as far as the Action needs it. The payload is GitHub's. */
import type { Json } from '../core/answer.ts';
import { member } from '../parse/json.ts';
import { eventPayload, memberAt } from '../options/proposed.ts';

export type RunEvent = ReturnType<typeof readEvent>;

/** Events that bring a commit. Others run at the newest one of the default branch, which need not be live. */
const BRINGING: ReadonlySet<string> = new Set(['push', 'release', 'create']);

/**
 * Events that run at a commit that merges the branch of a pull request. A build of it is deployed by its name, while
 * platforms deploy the branch itself. `pull_request_target` runs at the base, which is live already.
 */
const MERGING: ReadonlySet<string> = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment']);

/** Where the payload names the commit that an event is about, if that is not the one that the workflow runs at. */
const COMMITS: Readonly<Record<string, readonly string[]>> = {
  deployment_status: ['deployment.sha'],
  deployment: ['deployment.sha'],
  workflow_run: ['workflow_run.head_sha'],
  // What platforms report instead of deployments.
  status: ['sha'],
  check_run: ['check_run.head_sha'],
  check_suite: ['check_suite.head_sha'],
  page_build: ['build.commit'],
  repository_dispatch: ['client_payload.sha', 'client_payload.git.sha', 'client_payload.commit'],
};

export function readEvent(env: NodeJS.ProcessEnv) {
  const payload = eventPayload(env['GITHUB_EVENT_PATH']);
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  const known = name.startsWith('pull_request') ? ['pull_request.head.sha'] : (COMMITS[name] ?? []);
  const reported = known.map((path) => commit(memberAt(payload, path.split('.')))).find((one) => one !== null) ?? null;
  const head = commit(env['GITHUB_SHA']);
  return {
    deployment: name === 'deployment_status' ? deploymentOf(payload) : null,
    /** The commit that the event is about, or else the one that the workflow runs at; `null`: none is known. */
    commit: reported ?? head,
    /** The commit that the event says is deployed or will be; `null`: none. */
    deployed: reported ?? (BRINGING.has(name) ? head : null),
    /** Others that may be deployed instead, because builders of pull requests differ. */
    orDeployed: MERGING.has(name) && reported !== null && head !== null && head !== reported ? [head] : [],
    pullRequest: pullRequestOf(name, payload),
  };
}

function deploymentOf(payload: Json) {
  const text = (...names: readonly string[]): string => {
    const value = memberAt(payload, names);
    return typeof value === 'string' ? value.trim() : '';
  };
  return {
    /** `success`, `failure`, `error`, `inactive`, `in_progress`, `queued` or `pending`. */
    state: text('deployment_status', 'state'),
    // `target_url` is where the log is.
    url: text('deployment_status', 'environment_url') || null,
    environment: text('deployment_status', 'environment') || text('deployment', 'environment'),
  };
}

function pullRequestOf(name: string, payload: Json): number | null {
  if (name.startsWith('pull_request')) return number(memberAt(payload, ['pull_request', 'number']));
  const issue = member(payload, 'issue');
  if (issue !== undefined) return member(issue, 'pull_request') === undefined ? null : number(member(issue, 'number'));
  const pulls = memberAt(payload, ['workflow_run', 'pull_requests']);
  return Array.isArray(pulls) ? number(member((pulls as readonly Json[])[0], 'number')) : null;
}

/** A whole name of a commit, SHA-1 or SHA-256: it becomes part of an address. */
function commit(value: Json | undefined): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value) ? value.toLowerCase() : null;
}

function number(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
