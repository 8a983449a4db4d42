/** What `docvitals init` makes of the repository around a project, and of its host. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  changed,
  configOf,
  docsify,
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

  it('is looked at from outside as well', async () => {
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

  it.each([
    { name: 'the branch that is checked out', branch: 'trunk', prepare: () => undefined, deployed: 'trunk' },
    {
      name: 'the default branch of the remote',
      branch: 'feature',
      prepare: (folder: string) =>
        git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/1+x'),
      deployed: String.raw`release/1\+x`,
    },
  ])('is deployed from $name', async ({ branch, prepare, deployed }) => {
    const folder = makeProject({ remote: GITHUB, branch, files: mdwiki('docs') });
    prepare(folder);
    await init(folder, '--yes', '--workflow', 'pages');
    const workflow = parse(readFileSync(path.join(folder, PAGES), 'utf8')) as { on: unknown };
    expect(workflow.on).toMatchObject({ push: { branches: [deployed] } });
  });

  it('on GitLab is told the command for its CI', async () => {
    const folder = makeProject({ remote: 'https://gitlab.com/acme/docs.git', files: mdwiki('public') });
    const { stdout } = await init(folder, '--yes', ...URL_FLAG);
    expect(stdout).toContain('\n  npx docvitals check https://docs.example.com/ --source public --full --wait 10m\n');
  });

  it('shows no password of its remote', async () => {
    const folder = makeProject({ remote: 'https://someone:ghp_secret@github.com/acme/docs.git' });
    const { status, stdout } = await init(folder, '--yes');
    expect(status).toBe(0);
    expect(stdout + JSON.stringify(snapshot(folder))).not.toContain('ghp_secret');
  });
});

describe.concurrent('the configuration of the host', () => {
  it.each([
    { host: 'server', url: 'https://docs.example.com/', writes: ['docs.conf'] },
    { host: 'platform', url: 'https://docs.example.com/', writes: ['docs/vercel.json', 'docs/vercel.notes.md'] },
    { host: 'platform', url: 'https://example.com/docs/', writes: ['vercel.json', 'vercel.notes.md'] },
    { host: 'worker', url: 'https://docs.example.com/', writes: ['worker.js', 'wrangler.jsonc'] },
  ])('of a $host at $url', async ({ host, url, writes }) => {
    const folder = makeProject({ files: docsify('docs') });
    const before = snapshot(folder);
    const { status } = await init(folder, '--yes', '--hosting', '--host', host, '--url', url);
    expect([status, changed(before, snapshot(folder))]).toEqual([0, [...writes, 'docvitals.yaml'].toSorted()]);
  });

  it('names the folder that is deployed', async () => {
    const folder = makeProject({ files: docsify('my docs') });
    await init(folder, '--yes', '--hosting', '--host', 'worker', ...URL_FLAG);
    expect(readFileSync(path.join(folder, 'wrangler.jsonc'), 'utf8')).toContain('"directory": "./my docs"');
  });
});
