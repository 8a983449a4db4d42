import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restOf, startGitHub, type FakeGitHub } from '../../test/github.ts';

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const GET = { method: 'GET', path: '/user' } as const;
const POST = { method: 'POST', path: '/repos/octocat/handbook/issues', body: {} } as const;

describe('what GitHub refuses', () => {
  it.each([
    { name: 'a bad token', status: 401, headers: {}, problem: 'unauthorized', gets: 1, posts: 1 },
    { name: 'a missing permission', status: 403, headers: {}, problem: 'forbidden', gets: 1, posts: 1 },
    { name: 'what is not there', status: 404, headers: {}, problem: 'not-found', gets: 1, posts: 1 },
    { name: 'what is turned off', status: 410, headers: {}, problem: 'gone', gets: 1, posts: 1 },
    { name: 'what it does not understand', status: 422, headers: {}, problem: 'invalid', gets: 1, posts: 1 },
    // What was perhaps done is not done again.
    { name: 'a server that is ill', status: 502, headers: {}, problem: 'server-error', gets: 3, posts: 1 },
    {
      name: 'a limit that ends soon',
      status: 429,
      headers: { 'retry-after': '5' },
      problem: 'rate-limited',
      gets: 3,
      posts: 3,
    },
    {
      name: 'a limit that ends late',
      status: 429,
      headers: { 'retry-after': '900' },
      problem: 'rate-limited',
      gets: 1,
      posts: 1,
    },
    { name: 'a limit of unknown length', status: 429, headers: {}, problem: 'rate-limited', gets: 1, posts: 1 },
    {
      name: 'a date as Retry-After',
      status: 429,
      headers: { 'retry-after': 'Fri, 20 Nov 2026 15:00:00 GMT' },
      problem: 'rate-limited',
      gets: 1,
      posts: 1,
    },
    {
      name: 'a hidden limit',
      status: 403,
      headers: { 'retry-after': '5' },
      problem: 'rate-limited',
      gets: 3,
      posts: 3,
    },
    {
      name: 'a limit by the hour that is about to end',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '10' },
      problem: 'rate-limited',
      gets: 3,
      posts: 3,
    },
    {
      name: 'a limit by the hour',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3000' },
      problem: 'rate-limited',
      gets: 1,
      posts: 1,
    },
  ])('$name: $problem, asked $gets times', async ({ status, headers, problem, gets, posts }) => {
    github.refuse = () => ({ status, message: 'said', headers });
    const rest = restOf(github);
    expect(await rest(GET)).toEqual({ ok: false, problem, status, detail: 'said' });
    expect(github.asked).toHaveLength(gets);
    expect(await rest(POST)).toMatchObject({ ok: false, problem });
    expect(github.asked).toHaveLength(gets + posts);
  });

  it('a limit that is told in words only', async () => {
    github.refuse = () => ({ status: 403, message: 'You have exceeded a secondary rate limit.' });
    expect(await restOf(github)(GET)).toMatchObject({ problem: 'rate-limited' });
  });

  it('pauses as long as GitHub says, and no longer in all than it may', async () => {
    const pauses: number[] = [];
    github.refuse = () => ({ status: 429, message: '', headers: { 'retry-after': '7' } });
    await restOf(github, { sleep: (ms) => Promise.resolve(pauses.push(ms)) })(GET);
    expect(pauses).toEqual([7000, 7000]);
  });
});

describe('no answer', () => {
  it.each([
    { name: 'nobody there', apiUrl: 'http://127.0.0.1:9' },
    { name: 'an address that is none', apiUrl: 'nowhere' },
  ])('$name', async ({ apiUrl }) => {
    expect(await restOf(github, { apiUrl })(GET)).toMatchObject({ ok: false, problem: 'unreachable', status: null });
  });

  it('a run that is over', async () => {
    expect(await restOf(github, { signal: AbortSignal.abort() })(GET)).toMatchObject({ problem: 'unreachable' });
    expect(github.asked).toEqual([]);
  });
});

it('asks below the path of an Enterprise server, with the token', async () => {
  await restOf(github, { apiUrl: `${github.url}/api/v3/` })(GET);
  expect(github.asked).toMatchObject([{ path: '/api/v3/user', authorization: 'Bearer token' }]);
});
