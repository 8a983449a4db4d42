/** What `docvitals init` makes of the repository around a project, and of its host. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DOCVITALS } from '../../src/init/workflows.ts';
import {
  changed,
  configOf,
  git,
  GITHUB,
  init,
  makeProject,
  mdwiki,
  NIGHTLY,
  PAGES,
  snapshot,
  URL_FLAG,
} from './project.ts';

const DEPLOYS = `on: push
jobs:
  build:
    steps:
      - uses: actions/upload-pages-artifact@v5
        with: { path: web }
  publish:
    needs: build
    steps: [{ uses: actions/deploy-pages@v5 }]
`;

/** Commits, and makes branches there. */
function makeBranches(folder: string, ...names: readonly string[]): void {
  git(folder, '-c', 'user.name=x', '-c', 'user.email=x@x.test', 'commit', '--quiet', '--allow-empty', '-m', 'x');
  for (const name of names) git(folder, 'branch', '--force', name === 'wt-a' || name === 'trunk' ? `${name}-2` : name);
}

const stepsOf = (...steps: readonly string[]): string =>
  [
    'on: push',
    'jobs:',
    '  site:',
    '    runs-on: ubuntu-latest',
    '    steps:',
    ...steps.map((step) => `      - ${step}`),
    '',
  ].join('\n');

/** Workflows that push to the branch of GitHub Pages. */
const PUSHING = [
  { name: 'peaceiris', step: '{ uses: peaceiris/actions-gh-pages@v4, with: { publish_dir: ./web } }' },
  { name: 'James Ives', step: '{ uses: JamesIves/github-pages-deploy-action@v4, with: { folder: web } }' },
  { name: 'gh-pages', step: 'run: npx gh-pages -d web' },
  { name: 'gh-pages, at length', step: 'run: npx gh-pages --dotfiles --dist=web' },
  { name: 'Git itself', step: 'run: git subtree push --prefix web origin gh-pages' },
] as const;

describe.concurrent('a repository', () => {
  const nested = (): string => {
    const folder = makeProject({ remote: GITHUB, files: mdwiki('packages/documentație') });
    return path.join(folder, 'packages/documentație');
  };

  it('has its workflows at its root, wherever the site is', async () => {
    const folder = nested();
    const { status } = await init(folder, '--yes', '--workflow', 'pages', '--workflow', 'nightly');
    const root = path.join(folder, '../..');
    expect([status, configOf(folder)]).toEqual([0, { url: 'https://acme.github.io/handbook/', source: '.' }]);
    const steps = [PAGES, NIGHTLY].map((file) => {
      const workflow = parse(readFileSync(path.join(root, file), 'utf8')) as {
        jobs: { check: { steps: { with: Record<string, unknown> }[] } };
      };
      return workflow.jobs.check.steps.at(-1)?.with;
    });
    const inRoot = { config: 'packages/documentație/docvitals.yaml', source: 'packages/documentație' };
    expect(steps).toEqual([expect.objectContaining(inRoot), expect.objectContaining(inRoot)]);
  });

  it('is checked from outside as well', async () => {
    const folder = nested();
    const { status } = await init('/', folder, '--yes');
    expect([status, configOf(folder)['source']]).toEqual([0, '.']);
  });

  it('that deploys to GitHub Pages already gets a job to paste, and no second deploy', async () => {
    const folder = makeProject({ remote: GITHUB, files: { ...mdwiki('web'), '.github/workflows/site.yml': DEPLOYS } });
    const { status, stdout } = await init(folder, '--yes');
    expect(status).toBe(0);
    expect(Object.keys(snapshot(folder))).not.toContain(PAGES);
    const [, job = ''] = /^( {2}check:\n[^]*?)\n\n/m.exec(stdout) ?? [];
    expect(parse(job)).toMatchObject({ check: { needs: 'publish', steps: [{}, { with: { source: 'web' } }] } });
    expect(configOf(folder)).toEqual({ url: 'https://acme.github.io/handbook/', source: 'web', host: 'server' });
  });

  it.each(PUSHING)('that pushes to GitHub Pages by $name gets a job to paste', async ({ step }) => {
    const files = {
      ...mdwiki('web'),
      CNAME: 'docs.example.org\n',
      '.github/workflows/site.yml': stepsOf('uses: actions/checkout@v5', step),
    };
    const folder = makeProject({ remote: GITHUB, files });
    const before = snapshot(folder);
    const { stdout } = await init(folder, '--yes');
    expect(changed(before, snapshot(folder)).toSorted()).toEqual([NIGHTLY, 'docvitals.yaml']);
    const [, job = ''] = /^( {2}check:\n[^]*?)\n\n/m.exec(stdout) ?? [];
    const checking = { needs: 'site', steps: [{}, { with: { url: 'https://docs.example.org/', source: 'web' } }] };
    expect(parse(job)).toMatchObject({ check: checking });
  });

  it('that is checked after its deploy already gets no job to paste', async () => {
    const workflow = stepsOf('uses: peaceiris/actions-gh-pages@v4', `uses: ${DOCVITALS}`);
    const folder = makeProject({ remote: GITHUB, files: { ...mdwiki('web'), '.github/workflows/site.yml': workflow } });
    const { status, stdout } = await init(folder, '--yes');
    expect([status, stdout.includes('  check:\n')]).toEqual([0, false]);
  });

  it('that is pushed by hand gets no workflow that deploys', async () => {
    const files = {
      ...mdwiki('web'),
      CNAME: 'docs.example.org\n',
      'package.json': '{"scripts":{"x":"gh-pages -d web"}}',
    };
    const folder = makeProject({ remote: GITHUB, files });
    const before = snapshot(folder);
    await init(folder, '--yes');
    expect(changed(before, snapshot(folder)).toSorted()).toEqual([NIGHTLY, 'docvitals.yaml']);
  });

  it('that does something else with pages deploys nothing', async () => {
    const workflow = stepsOf('run: npm test # pages', 'run: git fetch origin gh-pages', 'run: npm run deployed');
    const files = { ...mdwiki('web'), CNAME: 'docs.example.org\n', '.github/workflows/site.yml': workflow };
    const folder = makeProject({ remote: GITHUB, files });
    await init(folder, '--yes');
    expect(Object.keys(snapshot(folder))).toContain(PAGES);
  });

  it.each([
    { name: 'the branch that is checked out', branch: 'trunk', prepare: () => undefined, deployed: 'trunk' },
    {
      name: 'the default branch of the remote',
      branch: 'feature',
      prepare: (folder: string) =>
        git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/1+x'),
      deployed: String.raw`release/1\+x`,
    },
    {
      name: 'main, where a worktree is on another branch',
      branch: 'wt-a',
      prepare: (folder: string) => makeBranches(folder, 'main', 'master', 'wt-a'),
      deployed: 'main',
    },
    {
      name: 'master, where there is no main',
      branch: 'wt-a',
      prepare: (folder: string) => makeBranches(folder, 'master', 'domain', 'wt-a'),
      deployed: 'master',
    },
    {
      name: 'the main of the remote',
      branch: 'wt-a',
      prepare: (folder: string) => {
        makeBranches(folder, 'wt-a');
        git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
      },
      deployed: 'main',
    },
    {
      name: 'the branch that is checked out, where none has a usual name',
      branch: 'trunk',
      prepare: (folder: string) => makeBranches(folder, 'trunk', 'feature/main'),
      deployed: 'trunk',
    },
  ])('is deployed from $name', async ({ branch, prepare, deployed }) => {
    const folder = makeProject({ remote: GITHUB, branch, files: mdwiki('docs') });
    prepare(folder);
    await init(folder, '--yes', '--workflow', 'pages');
    const workflow = parse(readFileSync(path.join(folder, PAGES), 'utf8')) as { on: unknown };
    expect(workflow.on).toMatchObject({ push: { branches: [deployed] } });
  });

  it('on GitLab shows the command for its CI', async () => {
    const folder = makeProject({ remote: 'https://gitlab.com/acme/docs.git', files: mdwiki('public') });
    const { stdout } = await init(folder, '--yes', ...URL_FLAG);
    expect(stdout).toContain(
      '\n  npx --yes docvitals@0 check https://docs.example.com/ --source public --full --wait 10m\n',
    );
  });

  it('on GitLab shows it for the root, where CI runs, whatever folder is set up', async () => {
    const folder = makeProject({ remote: 'https://gitlab.com/acme/docs.git', files: mdwiki('a b/web') });
    const { stdout } = await init(folder, 'a b', '--yes', ...URL_FLAG);
    expect(stdout).toContain(
      "\n  npx --yes docvitals@0 check https://docs.example.com/ --config 'a b/docvitals.yaml' --source 'a b/web' --full --wait 10m\n",
    );
  });

  it('shows no password of its remote', async () => {
    const remote = 'https://someone:ghp_secret@github.com/acme/docs.git';
    const folder = makeProject({ remote, files: mdwiki('docs') });
    const { status, stdout } = await init(folder, '--yes');
    expect(status).toBe(0);
    expect(stdout + JSON.stringify(snapshot(folder))).not.toContain('ghp_secret');
  });
});
