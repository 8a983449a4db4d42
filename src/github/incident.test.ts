import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { restOf, resultOf, startGitHub, written, type Entry, type FakeGitHub } from '../../test/github.ts';
import { trackIncident, type IncidentTarget } from './incident.ts';

const LOCATION: IncidentTarget = { repository: 'octocat/handbook', site: 'https://docs.test/', label: 'docvitals' };
const MALLORY = { login: 'mallory', type: 'User' } as const;

let github: FakeGitHub;
beforeEach(async () => {
  github = await startGitHub();
});
afterEach(() => github.stop());

/** Tracks one run; what was written, without the repository. */
async function track(failing: readonly string[], location: Partial<IncidentTarget> = {}): Promise<string[]> {
  github.asked.length = 0;
  await trackIncident(
    restOf(github),
    { ...LOCATION, ...location },
    {
      failing,
      title: 'title',
      body: `failing ${failing.join(' ')}`,
      changed: (added, gone) => `+ ${added.join()} - ${gone.join()}`,
      reopened: 'reopened',
      recovered: 'recovered',
    },
  );
  return written(github).map((line) => line.replace('/repos/octocat/handbook/', ''));
}

const comments = (): string[] => github.comments.map(({ body }) => body);

describe('an incident', () => {
  it('is opened, kept up to date, commented on where something changes, and closed', async () => {
    expect(await track([])).toEqual([]);
    expect(await track(['config/syntax'])).toEqual(['POST issues']);
    expect(github.issues).toMatchObject([{ state: 'open', labels: ['docvitals'], title: 'title' }]);
    expect(await track(['config/syntax'])).toEqual(['PATCH issues/1']);
    expect(await track(['home/empty', 'links/missing'])).toEqual(['PATCH issues/1', 'POST issues/1/comments']);
    expect(await track(['home/empty', 'links/missing'])).toEqual(['PATCH issues/1']);
    expect(await track([])).toEqual(['PATCH issues/1', 'POST issues/1/comments']);
    expect(github.issues).toMatchObject([{ state: 'closed', state_reason: 'completed' }]);
    expect(comments()).toEqual(['+ home/empty,links/missing - config/syntax', 'recovered']);
    // What was wrong is still to be read.
    expect(github.issues[0]?.body).toContain('failing home/empty links/missing');
    expect(await track([])).toEqual([]);
    expect(await track(['config/syntax'])).toEqual(['POST issues']);
    expect(github.issues).toHaveLength(2);
  });

  it.each([
    {
      name: 'as completed: it is opened again',
      reason: 'completed',
      acts: ['PATCH issues/1', 'POST issues/1/comments'],
    },
    { name: 'as not planned: it is left alone', reason: 'not_planned', acts: [] },
  ])('that somebody closes before it is over, $name', async ({ reason, acts }) => {
    await track(['config/syntax']);
    Object.assign(github.issues[0] as Entry, { state: 'closed', state_reason: reason });
    expect(await track(['config/syntax'])).toEqual(acts);
    expect(github.issues).toHaveLength(1);
  });

  it.each(['completed', 'not_planned'])(
    'that somebody closes as %s before the site recovers is over with it: the next is another one',
    async (reason) => {
      await track(['config/syntax']);
      Object.assign(github.issues[0] as Entry, { state: 'closed', state_reason: reason });
      // Noted, without a comment, and the issue stays closed as it was.
      expect(await track([])).toEqual(['PATCH issues/1']);
      expect(github.issues).toMatchObject([{ state: 'closed', state_reason: reason }]);
      expect(github.issues[0]?.body).toContain('failing config/syntax');
      expect(await track([])).toEqual([]);
      expect(await track(['config/syntax'])).toEqual(['POST issues']);
      expect(comments()).toEqual([]);
    },
  );

  it('that somebody closes although an older one is open: both are over when the site recovers', async () => {
    await track(['config/syntax']);
    const [own] = github.issues as [Entry];
    github.issues.push({ ...own, id: 1, number: 2, state: 'closed', state_reason: 'not_planned' });
    expect(await track([])).toEqual(['PATCH issues/1', 'POST issues/1/comments', 'PATCH issues/2']);
    expect(await track(['config/syntax'])).toEqual(['POST issues']);
  });

  it('that lost its label is found although an older one has it', async () => {
    await track(['config/syntax']);
    await track([]);
    await track(['config/syntax']);
    Object.assign(github.issues[1] as Entry, { labels: [] });
    expect(await track(['config/syntax'])).toEqual(['PATCH issues/2']);
    expect(await track([])).toEqual(['PATCH issues/2', 'POST issues/2/comments']);
    expect(await track(['config/syntax'])).toEqual(['POST issues']);
  });

  it('is none that another app wrote', async () => {
    await track(['config/syntax']);
    const [own] = github.issues as [Entry];
    Object.assign(own, { user: { login: 'mirror[bot]', type: 'Bot' } });
    expect(await track(['config/syntax'])).toEqual(['POST issues']);
    // Unless it is the one that asks.
    github.issues.splice(1);
    github.app = 'mirror[bot]';
    expect(await track(['config/syntax'])).toEqual(['PATCH issues/1']);
  });

  it.each([
    { path: '/graphql', app: '' },
    { path: '/user', app: '' },
  ])('is not opened again where $path fails for a moment', async ({ path }) => {
    await track(['config/syntax']);
    const [own] = github.issues as [Entry];
    Object.assign(own, { user: { login: 'docs-bot', type: 'User' } });
    github.asked.length = 0;
    github.refuse = (asked) =>
      asked.path === path || asked.path === '/graphql' ? { status: 502, message: 'Bad Gateway' } : null;
    const condition = { failing: ['a/b'], title: '', body: '', changed: () => '', reopened: '', recovered: '' };
    expect(await resultOf(trackIncident(restOf(github), LOCATION, condition))).toMatchObject({
      ok: false,
      problem: 'server-error',
    });
    expect(written(github)).toEqual([]);
  });

  it('that lost its label is found all the same, and is no pull request and nothing that a person wrote', async () => {
    await track(['config/syntax']);
    const [own] = github.issues.splice(0) as [Entry];
    github.issues.push(
      { ...own, labels: [] },
      { ...own, id: 1, number: 91, pull_request: {} },
      { ...own, id: 2, number: 92, user: MALLORY },
      { ...own, id: 3, number: 93, body: `> ${own.body}` },
    );
    expect(await track(['config/syntax'])).toEqual(['PATCH issues/1']);
  });

  it('that two runs opened at once is closed twice', async () => {
    await track(['config/syntax']);
    const [own] = github.issues as [Entry];
    github.issues.push({ ...own, id: 1, number: 2 });
    expect(await track(['config/syntax'])).toEqual(['PATCH issues/1']);
    await track([]);
    expect(github.issues.map(({ state }) => state)).toEqual(['closed', 'closed']);
  });

  it('of another site is another one', async () => {
    await track(['config/syntax']);
    await track(['config/syntax'], { site: 'https://other.test/', label: 'docs' });
    expect(github.issues.map(({ labels }) => labels)).toEqual([['docvitals'], ['docs']]);
  });

  it('comments once where a comment fails', async () => {
    await track(['config/syntax']);
    github.refuse = ({ path }) => (path.endsWith('/comments') ? { status: 403, message: 'x' } : null);
    const condition = {
      failing: ['home/empty'],
      title: '',
      body: '',
      changed: () => '',
      reopened: '',
      recovered: '',
    };
    expect(await resultOf(trackIncident(restOf(github), LOCATION, condition))).toMatchObject({
      ok: false,
      problem: 'forbidden',
    });
    github.refuse = () => null;
    expect(await track(['home/empty'])).toEqual(['PATCH issues/1']);
  });
});
