/** Whether a job of GitHub Actions runs at files that are only proposed, and has secrets that they must not get. */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../answer.ts';
import { member } from '../parse/json.ts';

/** Events that run at what is in the repository already. */
const SETTLED: ReadonlySet<string> = new Set([
  'push',
  'release',
  'create',
  'schedule',
  'workflow_dispatch',
  'merge_group',
  'page_build',
]);

/**
 * Events whose workflow comes from the proposal itself: who proposes it could change the workflow as well, and GitHub
 * gives none of the secrets to forks. All others run the workflow of the default branch, with its secrets.
 */
const UNPRIVILEGED: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
  'deployment',
  'deployment_status',
]);

/** Whether what is checked out may come from someone who may not change the repository. `payload`: what GitHub sent. */
export function isProposed(name: string, payload: Json): boolean {
  const at = (...names: readonly string[]): Json | undefined => memberAt(payload, names);
  const isSame = (one: Json | undefined, other: Json | undefined): boolean => one !== undefined && one === other;
  // People who may push a branch may change the repository anyway.
  if (name.startsWith('pull_request'))
    return !isSame(at('pull_request', 'head', 'repo', 'full_name'), at('pull_request', 'base', 'repo', 'full_name'));
  if (name === 'workflow_run')
    return !isSame(at('workflow_run', 'head_repository', 'full_name'), at('repository', 'full_name'));
  // GitHub knows no branch of a commit that was pushed to a fork.
  if (name === 'check_suite') return typeof at('check_suite', 'head_branch') !== 'string';
  if (name === 'check_run') return typeof at('check_run', 'check_suite', 'head_branch') !== 'string';
  if (name === 'status') {
    const branches = at('branches');
    return !Array.isArray(branches) || branches.length === 0;
  }
  if (name === 'issue_comment') return at('issue') === undefined || at('issue', 'pull_request') !== undefined;
  return !SETTLED.has(name);
}

export function memberAt(payload: Json, names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>((value, key) => member(value, key), payload);
}

export function eventPayload(file: string | undefined): Json {
  if (file === undefined || file === '') return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch {
    return null;
  }
}

/** Whether this job has the secrets of the repository, and may run at files that were only proposed. */
export function isPrivilegedProposal(env: NodeJS.ProcessEnv): boolean {
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  if (env['GITHUB_ACTIONS'] !== 'true' || name === '' || UNPRIVILEGED.has(name)) return false;
  return isProposed(name, eventPayload(env['GITHUB_EVENT_PATH']));
}

/** Whether a file is in the workspace of the job, where a proposal may be checked out. */
export function isInWorkspace(file: string, { GITHUB_WORKSPACE: workspace }: NodeJS.ProcessEnv): boolean {
  try {
    const below = path.relative(realpathSync(workspace || '.'), realpathSync(file));
    return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
  } catch {
    return true;
  }
}
