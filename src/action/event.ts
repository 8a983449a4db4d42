/** What happened that made the workflow run, as far as the Action needs to know it. The payload is what GitHub sent. */
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';
import { eventPayload, isProposed } from '../project/proposed.ts';

/** The event behind a run. */
export interface RunEvent {
  /** `push`, `pull_request`, `deployment_status`, … */
  readonly name: string;
  /** What `deployment_status` tells; `null` for other events. */
  readonly deployment: Deployment | null;
  /** The commit that the event is about, or else the one that the workflow runs at; `null`: none is known. */
  readonly commit: string | null;
  /** The commit that the event says to be deployed, or to have been; `null`: it does not speak of any. */
  readonly deployed: string | null;
  /** Others that may be deployed in its place, as builders of pull requests do it either way. */
  readonly orDeployed: readonly string[];
  /** What the workflow has checked out may be what somebody has proposed, and nobody has agreed to. */
  readonly isProposed: boolean;
  /** `null`: the event does not name one. */
  readonly pullRequest: number | null;
}

/** A deployment and how it is getting on. */
export interface Deployment {
  /** `success`, `failure`, `error`, `inactive`, `in_progress`, `queued` or `pending`. */
  readonly state: string;
  /** Where it can be seen; `null`: not told. */
  readonly url: string | null;
  /** `Production`, `Preview`, … */
  readonly environment: string;
}

/** Events that bring a commit. Others run at the newest one of the default branch, of which nobody says that it is live. */
const BRINGING: ReadonlySet<string> = new Set(['push', 'release', 'create']);

/**
 * Events that run at a commit that merges the branch of a pull request: what is built of it is deployed by its name, while
 * platforms deploy the branch itself. `pull_request_target` runs at the base, which is what is live already.
 */
const MERGING: ReadonlySet<string> = new Set(['pull_request', 'pull_request_review', 'pull_request_review_comment']);

/** Reads the event that the runner tells of. One that cannot be read says nothing. */
export function readEvent(env: NodeJS.ProcessEnv): RunEvent {
  const payload = eventPayload(env['GITHUB_EVENT_PATH']);
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  const reported = commitOf(name, payload);
  const head = commit(env['GITHUB_SHA']);
  return {
    name,
    deployment: name === 'deployment_status' ? deploymentOf(payload) : null,
    commit: reported ?? head,
    deployed: reported ?? (BRINGING.has(name) ? head : null),
    orDeployed: MERGING.has(name) && reported !== null && head !== null && head !== reported ? [head] : [],
    isProposed: isProposed(name, payload),
    pullRequest: pullRequestOf(name, payload),
  };
}

function deploymentOf(payload: Json): Deployment {
  const status = member(payload, 'deployment_status');
  // `target_url` is where the log is, whatever it was once.
  const url = text(member(status, 'environment_url'));
  const deployment = member(payload, 'deployment');
  const environment = text(member(status, 'environment')) ?? text(member(deployment, 'environment')) ?? '';
  return { state: text(member(status, 'state')) ?? '', url, environment };
}

/** The commit that an event is about, where that is not the one that the workflow runs at. */
function commitOf(name: string, payload: Json): string | null {
  const at = (...names: readonly string[]): string | null =>
    commit(names.reduce<Json | undefined>((value, key) => member(value, key), payload));
  if (name.startsWith('pull_request')) return at('pull_request', 'head', 'sha');
  if (name === 'deployment_status' || name === 'deployment') return at('deployment', 'sha');
  if (name === 'workflow_run') return at('workflow_run', 'head_sha');
  // What platforms report instead of deployments.
  if (name === 'status') return at('sha');
  if (name === 'check_run' || name === 'check_suite') return at(name, 'head_sha');
  if (name === 'page_build') return at('build', 'commit');
  if (name === 'repository_dispatch') {
    return at('client_payload', 'sha') ?? at('client_payload', 'git', 'sha') ?? at('client_payload', 'commit');
  }
  return null;
}

function pullRequestOf(name: string, payload: Json): number | null {
  if (name.startsWith('pull_request')) return number(member(member(payload, 'pull_request'), 'number'));
  const issue = member(payload, 'issue');
  if (issue !== undefined) return member(issue, 'pull_request') === undefined ? null : number(member(issue, 'number'));
  const pulls = member(member(payload, 'workflow_run'), 'pull_requests');
  return Array.isArray(pulls) ? number(member((pulls as readonly Json[])[0], 'number')) : null;
}

/** A whole name of a commit, SHA-1 or SHA-256: it becomes part of an address. */
function commit(value: Json | undefined): string | null {
  return typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(value) ? value.toLowerCase() : null;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function number(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}
