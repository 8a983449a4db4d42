/** The built Action and GitHub: a comment on a pull request, an issue for each incident. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../site/host.ts';
import { startGitHub, written, type FakeGitHub } from '../github.ts';
import { runAction, TOKEN, type ActionOptions, type ActionResult } from './run.ts';
import { smallSite, type Files } from './workspace.ts';

const SITE = smallSite('one');
const BROKEN: Files = { ...SITE, 'config.json': '{"homePage": "index.md",}' };
const WORSE: Files = { ...BROKEN, 'llms.txt': '' };
const SHA = '0d1a26e67d8f5eaf1f6ba5c57fc3c7d91ac0fd1c';

let github: FakeGitHub;
let host: Host;
const files = new Map<string, string>();

beforeEach(async () => {
  github = await startGitHub();
  host = await startHost(files, { fallback: false });
  show(SITE);
});
afterEach(async () => {
  await github.stop();
  await host.close();
});

function show(site: Files): void {
  files.clear();
  for (const [name, content] of Object.entries(site)) files.set(name, content);
}

let runs = 0;

function run(options: ActionOptions): Promise<ActionResult> {
  runs += 1;
  const env = { GITHUB_API_URL: github.url, GITHUB_RUN_ID: String(runs), ...options.env };
  return runAction({ ...options, inputs: { url: host.url, ...options.inputs }, env });
}

const told = ({ warnings }: ActionResult): string[] =>
  warnings.filter(({ properties }) => properties['title'] === 'docvitals').map(({ data }) => data);

const PULL_REQUEST: ActionOptions = {
  inputs: { comment: 'true' },
  event: { pull_request: { number: 12, head: { sha: SHA } } },
  env: { GITHUB_EVENT_NAME: 'pull_request' },
};

describe('the comment', () => {
  it('is written once, and rewritten by the next runs', async () => {
    show(BROKEN);
    const first = await run(PULL_REQUEST);
    show(SITE);
    const second = await run(PULL_REQUEST);
    expect([first.status, second.status]).toEqual([1, 0]);
    expect(written(github)).toEqual([
      'POST /repos/octocat/handbook/issues/12/comments',
      'PATCH /repos/octocat/handbook/issues/comments/1000',
    ]);
    expect(new Set(github.asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${TOKEN}`]));
    expect(github.comments).toHaveLength(1);
    expect(github.comments[0]?.body).toContain('/octocat/handbook/actions/runs/');
    expect(github.comments[0]?.body).not.toContain('trailing-comma');
  });

  it('finds the pull request of a commit that was deployed', async () => {
    github.pulls.set(SHA, [
      { number: 3, state: 'closed', head: { sha: SHA } },
      { number: 4, state: 'open', head: { sha: 'f'.repeat(40) } },
      { number: 5, state: 'open', head: { sha: SHA } },
    ]);
    const event = { deployment_status: { state: 'success', environment_url: host.url }, deployment: { sha: SHA } };
    await run({ inputs: { comment: 'true', url: '' }, event, env: { GITHUB_EVENT_NAME: 'deployment_status' } });
    expect(written(github)).toEqual(['POST /repos/octocat/handbook/issues/5/comments']);
  });

  it('is not written where there is no pull request', async () => {
    const result = await run({ inputs: { comment: 'true' } });
    expect([result.status, written(github), told(result)]).toEqual([0, [], []]);
    expect(result.commands.map(({ name }) => name)).toContain('notice');
  });

  it('holds no more than GitHub takes', async () => {
    const pages = Array.from({ length: 800 }, (_, index) => `[${index}](${'x'.repeat(400)}-${index}.md)`);
    show({ ...SITE, 'navigation.md': `# N\n\n${pages.join('\n')}\n` });
    await run({ ...PULL_REQUEST, inputs: { comment: 'true', full: 'true' } });
    expect(github.comments[0]?.body.length).toBeLessThan(65_536);
  });
});

describe('what GitHub does not take is a warning, and fails nothing', () => {
  it.each([
    {
      name: 'a missing permission',
      status: 403,
      message: 'Resource not accessible by integration',
      says: 'pull-requests: write',
    },
    { name: 'a token that sees nothing', status: 404, message: 'Not Found', says: 'pull-requests: write' },
    { name: 'a bad token', status: 401, message: 'Bad credentials', says: 'github-token' },
    { name: 'a redirect that would lose the text', status: 301, message: 'Moved Permanently', says: '301' },
    { name: 'comments that are turned off', status: 410, message: 'Gone', says: '410' },
    { name: 'what it does not like', status: 422, message: 'Validation Failed ::error::x\r##[error]y', says: '422' },
  ])('$name', async ({ status, message, says }) => {
    github.refuse = ({ method }) => (method === 'POST' ? { status, message } : null);
    const result = await run(PULL_REQUEST);
    expect(result.status).toBe(0);
    expect(told(result)).toEqual([expect.stringContaining(says)]);
    // What was perhaps done is not done again.
    expect(written(github)).toHaveLength(1);
  });

  it('a rate limit that ends soon is sat out', async () => {
    let refused = 0;
    github.refuse = ({ method }) =>
      method === 'POST' && refused++ === 0
        ? { status: 429, message: 'slow down', headers: { 'retry-after': '1' } }
        : null;
    const result = await run(PULL_REQUEST);
    expect([told(result), written(github).length, github.comments.length]).toEqual([[], 2, 1]);
  });

  it('no token', async () => {
    const result = await run({ ...PULL_REQUEST, inputs: { comment: 'true', 'github-token': '' } });
    expect([result.status, told(result).length, github.asked]).toEqual([0, 1, []]);
  });
});

describe('the issue', () => {
  const NIGHTLY: ActionOptions = { inputs: { issue: 'true' }, env: { GITHUB_EVENT_NAME: 'schedule' } };
  const issueRun = async (site: Files, options: ActionOptions = NIGHTLY): Promise<string[]> => {
    show(site);
    github.asked.length = 0;
    const result = await run(options);
    expect(told(result)).toEqual([]);
    return written(github).map((line) => line.replace('/repos/octocat/handbook/', ''));
  };

  it('is opened, kept up to date, commented on changes only, and closed', async () => {
    expect(await issueRun(SITE)).toEqual([]);
    expect(await issueRun(BROKEN)).toEqual(['POST issues']);
    expect(github.issues[0]).toMatchObject({ state: 'open', labels: ['docvitals'] });
    expect(await issueRun(WORSE)).toEqual(['PATCH issues/1', 'POST issues/1/comments']);
    expect(await issueRun(WORSE)).toEqual(['PATCH issues/1']);
    expect(await issueRun(SITE)).toEqual(['PATCH issues/1', 'POST issues/1/comments']);
    expect(github.issues[0]).toMatchObject({ state: 'closed', state_reason: 'completed' });
    // What was wrong is still to be read.
    expect(github.issues[0]?.body).toContain('trailing-comma');
  });

  it.each(['completed', 'not_planned'])(
    'that somebody closes as %s is over when the site recovers, and the next failure is another one',
    async (reason) => {
      await issueRun(BROKEN);
      Object.assign(github.issues[0] ?? {}, { state: 'closed', state_reason: reason });
      expect(await issueRun(SITE)).toEqual(['PATCH issues/1']);
      expect(github.issues).toMatchObject([{ state: 'closed', state_reason: reason }]);
      expect(await issueRun(BROKEN)).toEqual(['POST issues']);
      expect(github.comments).toEqual([]);
    },
  );

  it('says nothing where issues are turned off but a warning', async () => {
    show(BROKEN);
    github.refuse = () => ({ status: 410, message: 'Issues has been disabled in this repository.' });
    const result = await run(NIGHTLY);
    expect([result.status, told(result).length]).toEqual([1, 1]);
  });
});
