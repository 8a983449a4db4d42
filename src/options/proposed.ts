/**
 * Whether a job of GitHub Actions runs at files that are only proposed. What is proposed chooses no program, no recipient
 * of the job's secrets, and no path outside the workspace.
 */
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../core/answer.ts';
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
 * Events whose workflow comes from the proposal itself: GitHub gives forks none of the secrets there. All others have the
 * secrets of the repository: they run the workflow of the default branch, or of a commit that a platform deploys.
 */
const UNPRIVILEGED: ReadonlySet<string> = new Set([
  'pull_request',
  'pull_request_review',
  'pull_request_review_comment',
]);

/** Whether what is checked out may come from someone who may not change the repository. `payload`: what GitHub sent. */
function isProposed(name: string, payload: Json): boolean {
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

/** What this job runs at, if that was only proposed; `hasSecrets`: the job has those of the repository. */
export function proposalIn(env: NodeJS.ProcessEnv): { readonly hasSecrets: boolean } | null {
  const name = env['GITHUB_EVENT_NAME'] ?? '';
  if (env['GITHUB_ACTIONS'] !== 'true' || name === '') return null;
  return isProposed(name, eventPayload(env['GITHUB_EVENT_PATH'])) ? { hasSecrets: !UNPRIVILEGED.has(name) } : null;
}

/** Whether a path is one of the workspace of the job, where a proposal may be checked out: it, or a folder on its way. */
export function isInWorkspace(file: string, env: NodeJS.ProcessEnv): boolean {
  const workspace = realWorkspace(env);
  const isInside = (location: string): boolean =>
    isBelow(workspace, realLocation(location)) ||
    (path.dirname(location) !== location && isInside(path.dirname(location)));
  return isInside(path.resolve(file));
}

/** Whether a path of the workspace leads out of it, through symbolic links. */
export function leadsOut(file: string, env: NodeJS.ProcessEnv): boolean {
  return isInWorkspace(file, env) && !isBelow(realWorkspace(env), realLocation(file));
}

const realWorkspace = ({ GITHUB_WORKSPACE: workspace }: NodeJS.ProcessEnv): string => realLocation(workspace || '.');

function isBelow(folder: string, file: string): boolean {
  const below = path.relative(folder, file);
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}

/** As many as Linux follows. */
const MOST_LINKS = 40;

/** Where a path leads through symbolic links, also where nothing exists yet. Links that lead in circles stay as they are. */
function realLocation(file: string, links = 0): string {
  const location = path.resolve(file);
  try {
    return realpathSync(location);
  } catch {
    const folder = path.dirname(location);
    if (folder === location || links > MOST_LINKS) return location;
    const real = path.join(realLocation(folder, links), path.basename(location));
    const target = linkOf(real);
    return target === null ? real : realLocation(path.resolve(path.dirname(real), target), links + 1);
  }
}

function linkOf(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
