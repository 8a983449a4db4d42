import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvent } from './event.ts';

const HEAD = 'ffac537e6cbbf934b08745a378932722df287a53';
const SHA = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const SHA256 = 'a'.repeat(64);

let file = '';
beforeAll(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'docvitals-event-')), 'event.json');
});
afterAll(() => rmSync(path.dirname(file), { recursive: true }));

function read(name: string, payload: unknown): ReturnType<typeof readEvent> {
  writeFileSync(file, typeof payload === 'string' ? payload : JSON.stringify(payload));
  return readEvent({ GITHUB_EVENT_NAME: name, GITHUB_EVENT_PATH: file, GITHUB_SHA: HEAD });
}

describe('the commit that is deployed, as the event says', () => {
  it.each([
    { name: 'push', payload: { after: SHA }, commit: HEAD },
    { name: 'release', payload: { release: { target_commitish: 'main' } }, commit: HEAD },
    { name: 'pull_request', payload: { pull_request: { head: { sha: SHA } } }, commit: SHA },
    { name: 'pull_request_target', payload: { pull_request: { head: { sha: SHA } } }, commit: SHA },
    { name: 'deployment_status', payload: { deployment: { sha: SHA256 } }, commit: SHA256 },
    { name: 'workflow_run', payload: { workflow_run: { head_sha: SHA } }, commit: SHA },
    // Netlify and GitHub Pages report so, and Cloudflare.
    { name: 'status', payload: { sha: SHA, state: 'success' }, commit: SHA },
    { name: 'check_run', payload: { check_run: { head_sha: SHA } }, commit: SHA },
    { name: 'page_build', payload: { build: { commit: SHA } }, commit: SHA },
    { name: 'repository_dispatch', payload: { client_payload: { sha: SHA } }, commit: SHA },
    { name: 'repository_dispatch', payload: { client_payload: { git: { sha: SHA.toUpperCase() } } }, commit: SHA },
    { name: 'repository_dispatch', payload: { client_payload: { commit: SHA } }, commit: SHA },
  ])('of $name with $payload', ({ name, payload, commit }) => {
    expect(read(name, payload)).toMatchObject({ deployed: commit, commit });
  });

  it.each([
    { name: 'pull_request', payload: { pull_request: { head: { sha: SHA } } }, others: [HEAD] },
    { name: 'pull_request_review', payload: { pull_request: { head: { sha: SHA } } }, others: [HEAD] },
    { name: 'pull_request', payload: { pull_request: { head: { sha: HEAD } } }, others: [] },
    { name: 'pull_request', payload: {}, others: [] },
    // Runs at the base, which is what is live before.
    { name: 'pull_request_target', payload: { pull_request: { head: { sha: SHA } } }, others: [] },
    { name: 'workflow_run', payload: { workflow_run: { head_sha: SHA } }, others: [] },
    { name: 'push', payload: { after: SHA }, others: [] },
  ])('of $name may also be $others, which merges it', ({ name, payload, others }) => {
    expect(read(name, payload).orDeployed).toEqual(others);
  });

  it.each([
    { name: 'schedule', payload: {} },
    { name: 'workflow_dispatch', payload: { inputs: {} } },
    { name: 'issue_comment', payload: {} },
    { name: 'deployment_status', payload: {} },
    { name: 'repository_dispatch', payload: { client_payload: { commit: { id: SHA } } } },
    { name: 'repository_dispatch', payload: { client_payload: { sha: '../../x' } } },
    { name: 'repository_dispatch', payload: { client_payload: null } },
  ])('is none of $name with $payload: the newest one of the branch need not be live', ({ name, payload }) => {
    expect(read(name, payload)).toMatchObject({ deployed: null, commit: HEAD });
  });
});

describe('the pull request', () => {
  it.each([
    { name: 'pull_request', payload: { pull_request: { number: 12 } }, pullRequest: 12 },
    { name: 'issue_comment', payload: { issue: { number: 12, pull_request: {} } }, pullRequest: 12 },
    { name: 'issue_comment', payload: { issue: { number: 12 } }, pullRequest: null },
    { name: 'workflow_run', payload: { workflow_run: { pull_requests: [{ number: 12 }] } }, pullRequest: 12 },
    { name: 'workflow_run', payload: { workflow_run: { pull_requests: [] } }, pullRequest: null },
    { name: 'push', payload: {}, pullRequest: null },
    { name: 'pull_request', payload: { pull_request: { number: '12/../..' } }, pullRequest: null },
  ])('of $name with $payload', ({ name, payload, pullRequest }) => {
    expect(read(name, payload).pullRequest).toBe(pullRequest);
  });
});

describe('the deployment', () => {
  const status = { state: 'success', environment_url: 'https://x.test/', target_url: 'https://log.test/' };
  it.each([
    {
      name: 'as GitHub tells it',
      payload: { deployment_status: { ...status, environment: 'Preview' } },
      deployment: { state: 'success', url: 'https://x.test/', environment: 'Preview' },
    },
    {
      name: 'with the address of its log only',
      payload: { deployment_status: { ...status, environment_url: '' }, deployment: { environment: 'Production' } },
      deployment: { state: 'success', url: null, environment: 'Production' },
    },
    { name: 'of nothing', payload: {}, deployment: { state: '', url: null, environment: '' } },
  ])('$name', ({ payload, deployment }) => {
    expect(read('deployment_status', payload).deployment).toEqual(deployment);
  });

  it('is none of other events', () => {
    expect(read('push', { deployment_status: status }).deployment).toBeNull();
  });
});

it.each(['', '[]', 'null', '"x"', '{"pull_request": ', '12'])('the payload %j says nothing', (payload) => {
  expect(read('pull_request', payload)).toEqual({
    deployment: null,
    commit: HEAD,
    deployed: null,
    orDeployed: [],
    pullRequest: null,
  });
});

it('no event at all', () => {
  expect(readEvent({})).toEqual({
    deployment: null,
    commit: null,
    deployed: null,
    orDeployed: [],
    pullRequest: null,
  });
});
