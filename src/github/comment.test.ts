import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restOf, resultOf, startGitHub, written, type Entry, type FakeGitHub } from '../../test/github.ts';
import { pullRequestOf, writeComment, type CommentTarget } from './comment.ts';

const LOCATION: CommentTarget = {
  repository: 'octocat/handbook',
  pullRequest: 12,
  step: 'docs.yml docs __self',
  site: 'https://docs.test/',
  run: '1/1',
};
const SHA = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';
const MALLORY = { login: 'mallory', type: 'User' } as const;

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

const write = (rest: Partial<CommentTarget> = {}, markdown = 'text'): ReturnType<typeof writeComment> =>
  writeComment(restOf(github), { ...LOCATION, ...rest }, markdown);

describe('a comment', () => {
  it('is written, then rewritten by the next run', async () => {
    await write();
    await write({ run: '2/1' }, 'other text');
    expect(written(github)).toEqual([
      'POST /repos/octocat/handbook/issues/12/comments',
      'PATCH /repos/octocat/handbook/issues/comments/1000',
    ]);
    expect(github.comments.map(({ body }) => body.split('\n').slice(1))).toEqual([['other text']]);
  });

  it.each([
    { name: 'the same site in the same run, as when a job is run twice', next: {}, comments: 1 },
    {
      name: 'a preview with another address, in the next run',
      next: { site: 'https://x2.test/', run: '2/1' },
      comments: 1,
    },
    {
      name: 'a preview with another address, in the next attempt',
      next: { site: 'https://x2.test/', run: '1/2' },
      comments: 1,
    },
    { name: 'another site of a matrix, in the same run', next: { site: 'https://x2.test/' }, comments: 2 },
    { name: 'another step', next: { step: 'docs.yml docs __self_2', run: '2/1' }, comments: 2 },
  ])('and $name: $comments', async ({ next, comments }) => {
    await write();
    await write(next);
    expect(github.comments).toHaveLength(comments);
  });

  it('of each site of a matrix stays that of its site', async () => {
    const sites = ['https://a.test/', 'https://b.test/'];
    for (const run of ['1/1', '2/1']) for (const site of sites) await write({ site, run }, site);
    expect(github.comments.map(({ body }) => body.split('\n')[1])).toEqual(sites);
  });

  it('is found behind hundreds of others, and is none that a person wrote or that quotes it', async () => {
    await write();
    const [own] = github.comments.splice(0) as [Entry];
    for (let id = 0; id < 250; id++) {
      const isPerson = id % 2 === 0;
      const body = isPerson ? own.body : `> ${own.body}`;
      github.comments.push({ id, on: 12, body, user: isPerson ? MALLORY : own.user });
    }
    github.comments.push(own);
    await write({ run: '2/1' });
    expect(written(github).at(-1)).toBe(`PATCH /repos/octocat/handbook/issues/comments/${own.id}`);
    // With the token of a person, the comments of that person are its own.
    github.user = 'mallory';
    await write({ run: '3/1' });
    expect(written(github).at(-1)).toBe('PATCH /repos/octocat/handbook/issues/comments/0');
  });
});

describe('among the comments of other apps', () => {
  const MIRROR = { login: 'mirror[bot]', type: 'Bot' } as const;
  it.each([
    { name: 'the one of the app that asks is taken', app: 'github-actions[bot]', graphql: 200, id: 1000 },
    { name: 'and not the other one', app: 'mirror', graphql: 200, id: 1 },
    // A server that is not GitHub's.
    { name: 'or the first, where nobody says who asks', app: '', graphql: 404, id: 1 },
  ])('$name', async ({ app, graphql, id }) => {
    await write();
    const [own] = github.comments.splice(0) as [Entry];
    github.comments.push({ ...own, id: 1, user: MIRROR }, own);
    github.app = app;
    github.refuse = ({ path }) => (path === '/graphql' && graphql !== 200 ? { status: graphql, message: '' } : null);
    await write({ run: '2/1' });
    expect(written(github).at(-1)).toBe(`PATCH /repos/octocat/handbook/issues/comments/${id}`);
  });
});

describe('where GitHub does not say whose the token is', () => {
  const app = { status: 403, message: 'Resource not accessible by integration' };
  it.each([
    { name: 'as to apps', user: app, graphql: { status: 404, message: '' }, acts: ['PATCH 1000'] },
    { name: 'as older servers to apps', user: { status: 404, message: '' }, graphql: app, acts: ['PATCH 1000'] },
    {
      name: 'for a moment',
      user: { status: 502, message: '' },
      graphql: { status: 502, message: '' },
      problem: 'server-error',
    },
    { name: 'for a moment, to apps', user: app, graphql: { status: 502, message: '' }, problem: 'server-error' },
    {
      name: 'for a moment, after a bad answer',
      user: { status: 503, message: '' },
      graphql: app,
      problem: 'server-error',
    },
    { name: 'for a while', user: { status: 429, message: '' }, graphql: app, problem: 'rate-limited' },
    { name: 'to a token that is none', user: { status: 401, message: '' }, graphql: app, problem: 'unauthorized' },
  ])('$name: $acts $problem', async ({ user, graphql, acts = [], problem }) => {
    await write();
    const [own] = github.comments as [Entry];
    Object.assign(own, { user: { login: 'mirror[bot]', type: 'Bot' } });
    github.asked.length = 0;
    github.refuse = ({ path }) =>
      new Map([
        ['/graphql', graphql],
        ['/user', user],
      ]).get(path) ?? null;
    const result = await resultOf(write({ run: '2/1' }));
    expect(written(github).map((line) => line.replace(/ \/.*\//, ' '))).toEqual(acts);
    expect(result).toMatchObject(problem === undefined ? { ok: true } : { ok: false, problem });
  });
});

describe('the pull request of a commit', () => {
  it.each([
    { name: 'the open one that it is the head of', pull: { number: 5, state: 'open', head: { sha: SHA } }, number: 5 },
    { name: 'not a closed one', pull: { number: 5, state: 'closed', head: { sha: SHA } }, number: null },
    { name: 'not one that it is only a part of', pull: { number: 5, state: 'open', head: { sha: 'f' } }, number: null },
    { name: 'not what is none', pull: null, number: null },
  ])('is $name', async ({ pull, number }) => {
    github.pulls.set(SHA, [pull]);
    expect(await pullRequestOf(restOf(github), LOCATION.repository, SHA)).toBe(number);
  });

  it('is none for a commit that is not there', async () => {
    github.refuse = () => ({ status: 422, message: `No commit found for SHA: ${SHA}` });
    expect(await pullRequestOf(restOf(github), LOCATION.repository, SHA)).toBeNull();
  });
});
