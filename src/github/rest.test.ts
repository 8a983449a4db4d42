import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restOf, resultOf, startGitHub, type FakeGitHub } from '../../test/github.ts';
import { GRAPHQL } from './rest.ts';

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
    expect(await resultOf(rest(GET))).toEqual({ ok: false, problem, status, detail: 'said' });
    expect(github.asked).toHaveLength(gets);
    expect(await resultOf(rest(POST))).toMatchObject({ ok: false, problem });
    expect(github.asked).toHaveLength(gets + posts);
  });

  it('a limit that is reported in words only', async () => {
    github.refuse = () => ({ status: 403, message: 'You have exceeded a secondary rate limit.' });
    expect(await resultOf(restOf(github)(GET))).toMatchObject({ problem: 'rate-limited' });
  });

  it('pauses as long as GitHub says, and no longer in all than it may', async () => {
    const pauses: number[] = [];
    github.refuse = () => ({ status: 429, message: '', headers: { 'retry-after': '7' } });
    await resultOf(restOf(github, { sleep: (ms) => Promise.resolve(pauses.push(ms)) })(GET));
    expect(pauses).toEqual([7000, 7000]);
  });
});

describe('no answer', () => {
  it.each([
    { name: 'nobody there', apiUrl: 'http://127.0.0.1:9' },
    { name: 'an address that is none', apiUrl: 'nowhere' },
  ])('$name', async ({ apiUrl }) => {
    expect(await resultOf(restOf(github, { apiUrl })(GET))).toMatchObject({
      ok: false,
      problem: 'unreachable',
      status: null,
    });
  });

  it.each([
    { request: GET, times: 3 },
    { request: POST, times: 1 },
  ])('a server that says nothing: $request.method is asked $times times', async ({ request, times }) => {
    const silence = createServer();
    let asked = 0;
    silence.on('request', () => (asked += 1));
    await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(silence.address() as AddressInfo).port}`;
    expect(await resultOf(restOf(github, { apiUrl, timeoutMs: 250 })(request))).toMatchObject({
      problem: 'unreachable',
    });
    silence.closeAllConnections();
    silence.close();
    expect(asked).toBe(times);
  });

  it('a run that is over', async () => {
    expect(await resultOf(restOf(github, { signal: AbortSignal.abort() })(GET))).toMatchObject({
      problem: 'unreachable',
    });
    expect(github.asked).toEqual([]);
  });
});

it('asks below the path of an Enterprise server, with the token', async () => {
  const rest = restOf(github, { apiUrl: `${github.url}/api/v3/` });
  await resultOf(rest(GET));
  await resultOf(rest({ method: 'POST', path: GRAPHQL, body: {} }));
  expect(github.asked).toMatchObject([
    { path: '/api/v3/user', authorization: 'Bearer token' },
    { path: '/api/graphql', authorization: 'Bearer token' },
  ]);
});

describe('a redirect, as of a repository that was renamed', () => {
  let elsewhere: FakeGitHub;
  beforeEach(async () => {
    elsewhere = await startGitHub();
  });
  afterEach(() => elsewhere.stop());

  const redirects = (status: number, to: string): void => {
    github.refuse = ({ path }) => (path === '/moved' ? null : { status, message: 'Moved', headers: { location: to } });
  };
  const outcome = async (method: 'GET' | 'POST' | 'PATCH', to: string, status: number): Promise<unknown> => {
    redirects(status, to);
    const body = method === 'GET' ? {} : { body: { title: 'x' } };
    const result = await resultOf(restOf(github)({ method, path: '/repos/octocat/handbook/issues', ...body }));
    return { asked: github.asked.map((asked) => `${asked.method} ${asked.path}`), result };
  };

  it.each([
    { method: 'GET', status: 301, isFollowed: true },
    { method: 'GET', status: 302, isFollowed: true },
    { method: 'GET', status: 307, isFollowed: true },
    { method: 'POST', status: 307, isFollowed: true },
    { method: 'PATCH', status: 308, isFollowed: true },
    // It would become a GET, and pass for success.
    { method: 'POST', status: 301, isFollowed: false },
    { method: 'PATCH', status: 302, isFollowed: false },
    { method: 'GET', status: 303, isFollowed: false },
  ] as const)('$method, $status: followed is $isFollowed', async ({ method, status, isFollowed }) => {
    const asked = [`${method} /repos/octocat/handbook/issues`];
    const expected = isFollowed
      ? { asked: [...asked, `${method} /moved`], result: { ok: false, problem: 'not-found', status: 404 } }
      : { asked, result: { ok: false, problem: 'redirected', status } };
    expect(await outcome(method, '/moved', status)).toMatchObject(expected);
    expect(github.asked.at(-1)?.body).toEqual(method === 'GET' ? null : { title: 'x' });
  });

  it.each(['GET', 'POST'] as const)('to another origin: neither token nor text goes there, %s', async (method) => {
    expect(await outcome(method, `${elsewhere.url}/moved`, 307)).toMatchObject({ result: { problem: 'redirected' } });
    expect(elsewhere.asked).toEqual([]);
  });

  it.each(['', 'http://[', '/repos/octocat/handbook/issues'])('to %j: it ends', async (to) => {
    expect(await outcome('GET', to, 307)).toMatchObject({ result: { ok: false, problem: 'redirected', status: 307 } });
    expect(github.asked.length).toBeLessThan(10);
  });
});
