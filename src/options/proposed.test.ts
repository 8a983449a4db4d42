import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInWorkspace, leadsOut, proposalIn } from './proposed.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(realpathSync(tmpdir()), 'docvitals-proposed-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function proposal(name: string, payload: unknown): ReturnType<typeof proposalIn> {
  const file = path.join(folder, 'event.json');
  writeFileSync(file, JSON.stringify(payload));
  return proposalIn({ GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file });
}

describe('what is checked out', () => {
  const pull = (head: string | null): unknown => ({
    pull_request: {
      head: { repo: head === null ? null : { full_name: head } },
      base: { repo: { full_name: 'octocat/handbook' } },
    },
  });
  const ranFor = (head: string): unknown => ({
    workflow_run: { head_repository: { full_name: head } },
    repository: { full_name: 'octocat/handbook' },
  });
  it.each([
    { name: 'push', payload: {}, isProposed: false },
    { name: 'schedule', payload: {}, isProposed: false },
    { name: 'workflow_dispatch', payload: {}, isProposed: false },
    { name: 'pull_request', payload: pull('octocat/handbook'), isProposed: false },
    { name: 'pull_request', payload: pull('mallory/handbook'), isProposed: true },
    { name: 'pull_request_target', payload: pull('mallory/handbook'), isProposed: true },
    { name: 'pull_request of a fork that is gone', payload: pull(null), isProposed: true },
    { name: 'deployment_status', payload: {}, isProposed: true },
    { name: 'workflow_run', payload: {}, isProposed: true },
    { name: 'workflow_run', payload: ranFor('octocat/handbook'), isProposed: false },
    { name: 'workflow_run', payload: ranFor('mallory/handbook'), isProposed: true },
    { name: 'check_run', payload: { check_run: { check_suite: { head_branch: null } } }, isProposed: true },
    { name: 'check_run', payload: { check_run: { check_suite: { head_branch: 'main' } } }, isProposed: false },
    { name: 'status', payload: { branches: [] }, isProposed: true },
    { name: 'status', payload: { branches: [{ name: 'main' }] }, isProposed: false },
    { name: 'issue_comment', payload: { issue: { pull_request: {} } }, isProposed: true },
    { name: 'issue_comment', payload: { issue: {} }, isProposed: false },
    { name: 'repository_dispatch', payload: {}, isProposed: true },
    { name: 'issue_comment', payload: {}, isProposed: true },
  ])('by $name is proposed: $isProposed', ({ name, payload, isProposed }) => {
    expect(proposal(name, payload) !== null).toBe(isProposed);
  });

  it.each([
    ['pull_request', false],
    ['pull_request_target', true],
    ['workflow_run', true],
    ['deployment', true],
    ['deployment_status', true],
  ])('by %s, in a job that has the secrets of the repository: %s', (name, hasSecrets) => {
    expect(proposal(name, pull('mallory/handbook'))).toEqual({ hasSecrets });
  });

  it('is no proposal outside of GitHub Actions', () => {
    expect(proposalIn({ GITHUB_EVENT_NAME: 'pull_request' })).toBeNull();
  });
});

describe('a path of the workspace', () => {
  beforeAll(() => {
    for (const name of ['work', 'work/docs', 'elsewhere']) mkdirSync(path.join(folder, name));
    const links = {
      out: '../elsewhere',
      'out-and-on': 'out/deeper',
      'to-nothing': '../elsewhere/nothing',
      in: 'docs',
      circle: 'circle',
      root: '/',
    };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(folder, 'work', name));
    symlinkSync('work', path.join(folder, 'linked-work'));
    symlinkSync('work/docs', path.join(folder, 'into-work'));
  });

  it.each([
    ['work/docs', false],
    ['work/new/folder', false],
    ['work/in/file', false],
    ['work/circle/file', false],
    ['work/out', true],
    ['work/out/file', true],
    ['work/out-and-on/file', true],
    ['work/to-nothing', true],
    ['work/to-nothing/new', true],
    ['work/root/etc/passwd', true],
    ['linked-work/out', true],
    // Written as a path outside: the workflow may name that.
    ['elsewhere', false],
    ['work/../elsewhere', false],
  ])('%s leads out of it: %s', (file, expected) => {
    for (const workspace of ['work', 'linked-work']) {
      expect(leadsOut(path.join(folder, file), { GITHUB_WORKSPACE: path.join(folder, workspace) })).toBe(expected);
    }
  });

  it.each([
    ['work/docs', true],
    ['work/out', true],
    ['work/missing', true],
    ['into-work/docvitals.yaml', true],
    ['elsewhere', false],
  ])('%s may be of the proposal: %s', (file, expected) => {
    expect(isInWorkspace(path.join(folder, file), { GITHUB_WORKSPACE: path.join(folder, 'work') })).toBe(expected);
  });
});
