/** What `docvitals init` makes of each shape of a project. */
import { describe, expect, it } from 'vitest';
import { runCli } from '../cli/run.ts';
import {
  changed,
  configOf,
  DEPLOYMENT,
  DISPATCH,
  docsify,
  GITHUB,
  init,
  makeProject,
  mdwiki,
  NIGHTLY,
  PAGES,
  PUSH,
  snapshot,
  URL_FLAG,
  type Shape,
} from './project.ts';

interface Row extends Shape {
  readonly name: string;
  readonly args?: readonly string[];
  readonly writes: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
}

const ROWS: readonly Row[] = [
  {
    name: 'an empty folder',
    args: URL_FLAG,
    writes: ['docvitals.yaml'],
    config: { url: 'https://docs.example.com/' },
  },
  {
    name: 'docsify in docs, for GitHub Pages',
    files: { ...docsify('docs'), 'docs/.nojekyll': '' },
    remote: GITHUB,
    writes: [NIGHTLY, PAGES, 'docvitals.yaml'],
    config: { url: 'https://acme.github.io/handbook/', source: 'docs', host: 'server' },
  },
  {
    name: 'MDwiki at the root, with a domain of its own',
    files: { ...mdwiki('.'), CNAME: 'Docs.Example.org\n' },
    remote: 'git@github.com:acme/handbook.git',
    writes: [NIGHTLY, PAGES, 'docvitals.yaml'],
    config: { url: 'https://docs.example.org/', source: '.', host: 'server' },
  },
  {
    name: 'VertiWiki in public, on Vercel',
    files: {
      ...mdwiki('public'),
      'public/index.html': '<script src="vertiwiki.js"></script>',
      'vercel.json': '{"outputDirectory": "public"}',
    },
    remote: GITHUB,
    args: URL_FLAG,
    writes: [DEPLOYMENT, NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'public' },
  },
  {
    name: 'a folder that only Netlify names',
    files: { ...mdwiki('content/wiki'), 'netlify.toml': '[build]\n  publish = "content/wiki/"\n' },
    remote: GITHUB,
    args: URL_FLAG,
    writes: [NIGHTLY, PUSH, 'docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'content/wiki' },
  },
  {
    name: 'an edge worker with its domain',
    files: {
      ...mdwiki('site'),
      'wrangler.jsonc':
        '{\n  // "directory": "./old"\n  "assets": { "directory": "./site" },\n  "routes": [{ "pattern": "docs.example.net", "custom_domain": true }]\n}',
    },
    remote: GITHUB,
    writes: [NIGHTLY, PUSH, 'docvitals.yaml'],
    config: { url: 'https://docs.example.net/', source: 'site' },
  },
  {
    name: 'Cloudflare Pages',
    files: { ...mdwiki('dist'), 'wrangler.toml': 'pages_build_output_dir = "./dist"\n' },
    remote: GITHUB,
    args: URL_FLAG,
    writes: [NIGHTLY, PUSH, 'docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'dist' },
  },
  {
    name: 'nginx, which GitHub learns nothing of',
    files: {
      ...mdwiki('www'),
      'nginx/site.conf': '# server_name old.test;\nserver {\n  server_name _ docs.example.org;\n}\n',
    },
    remote: GITHUB,
    writes: [NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://docs.example.org/', source: 'www', host: 'server' },
  },
  {
    name: 'Firebase, which is of no kind for sure',
    files: { ...mdwiki('public'), 'firebase.json': '{"hosting": {"public": "public"}}' },
    remote: GITHUB,
    args: URL_FLAG,
    writes: [NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'public' },
  },
  {
    name: 'a homepage in package.json',
    files: { ...docsify('docs'), 'package.json': '{"homepage": "https://handbook.example.org/docs"}' },
    writes: ['docvitals.yaml'],
    config: { url: 'https://handbook.example.org/docs/', source: 'docs' },
  },
  {
    name: 'a homepage that is the repository',
    files: { ...docsify('docs'), 'package.json': '{"homepage": "https://github.com/acme/handbook#readme"}' },
    remote: GITHUB,
    writes: [NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://acme.github.io/handbook/', source: 'docs' },
  },
  {
    name: 'a repository without a remote',
    files: mdwiki('.'),
    remote: null,
    args: URL_FLAG,
    writes: ['docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: '.' },
  },
  {
    name: 'a repository on GitLab',
    files: { ...mdwiki('public'), '.gitlab-ci.yml': 'pages:\n  script: [make]\n' },
    remote: 'git@gitlab.com:group/sub/handbook.git',
    writes: ['docvitals.yaml'],
    config: { url: 'https://group.gitlab.io/sub/handbook/', source: 'public', host: 'server' },
  },
  {
    name: 'a folder with an odd name',
    files: mdwiki(`doc's «ghid» #1`),
    remote: GITHUB,
    writes: [NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://acme.github.io/handbook/', source: `doc's «ghid» #1` },
  },
  {
    name: 'an application beside the site',
    files: { 'public/index.html': '<div id="root"></div>', 'public/readme.md': '# App\n', ...docsify('docs') },
    args: URL_FLAG,
    writes: ['docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'docs' },
  },
  {
    name: 'a package of several',
    files: {
      ...mdwiki('packages/docs'),
      'packages/app/index.html': '<p>',
      'package.json': '{"workspaces":["packages/*"]}',
    },
    remote: GITHUB,
    writes: [NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://acme.github.io/handbook/', source: 'packages/docs' },
  },
  {
    name: 'an app of several, with its host',
    files: { ...docsify('apps/docs'), 'apps/docs/vercel.json': '{}' },
    remote: GITHUB,
    args: URL_FLAG,
    writes: [DEPLOYMENT, NIGHTLY, 'docvitals.yaml'],
    config: { url: 'https://docs.example.com/', source: 'apps/docs' },
  },
  {
    name: 'a site below the documentation',
    files: { ...docsify('docs/site'), 'docs/readme.md': '# Docs\n', 'docs/.nojekyll': '' },
    remote: GITHUB,
    writes: [NIGHTLY, PAGES, 'docvitals.yaml'],
    config: { url: 'https://acme.github.io/handbook/', source: 'docs/site', host: 'server' },
  },
  {
    name: 'all that can be told, told',
    files: docsify('docs'),
    remote: 'https://codeberg.org/acme/handbook.git',
    args: [
      '--url',
      'https://x.test/a/index.html#/b.md',
      '--source',
      'docs',
      '--host',
      'worker',
      '--workflow',
      'dispatch',
    ],
    writes: [DISPATCH, 'docvitals.yaml'],
    config: { url: 'https://x.test/a/', source: 'docs', host: 'worker' },
  },
];

describe.concurrent('what is written for', () => {
  it.each(ROWS)('$name', async ({ files, remote, args = [], writes, config }) => {
    const folder = makeProject({ ...(files && { files }), ...(remote !== undefined && { remote }) });
    const before = snapshot(folder);
    const first = await init(folder, '--yes', ...args);
    expect({ status: first.status, stderr: first.stderr }).toEqual({ status: 0, stderr: '' });
    const after = snapshot(folder);
    expect(changed(before, after).toSorted()).toEqual(writes.toSorted());
    expect(configOf(folder)).toEqual(config);
    expect(after['docvitals.yaml']).toMatch(/^# yaml-language-server: \$schema=https:\/\/\S+\n/);
    const checked = await runCli(['config', 'check'], { cwd: folder });
    expect({ status: checked.status, stderr: checked.stderr }).toEqual({ status: 0, stderr: '' });
    // Whoever runs it again loses nothing.
    const again = await init(folder, '--yes', ...args);
    expect([again.status, snapshot(folder)]).toEqual([0, after]);
  });
});
