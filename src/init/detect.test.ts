import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { detectProject, pagesUrl, parseRemote } from './detect.ts';

function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-detect-')));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

const HOSTS: readonly { name: string; files: Record<string, string>; sign: object | null }[] = [
  { name: 'vercel.json', files: { 'vercel.json': '{}' }, sign: { provider: 'Vercel', kind: 'platform' } },
  {
    name: 'vercel.json on one line',
    files: { 'vercel.json': '{"$schema":"https://openapi.vercel.sh/vercel.json","outputDirectory":"www"}' },
    sign: { provider: 'Vercel', kind: 'platform', folder: 'www' },
  },
  {
    name: 'netlify.toml',
    files: { 'netlify.toml': '[build]\n  # publish = "old"\n  publish = "site"\n' },
    sign: { provider: 'Netlify', kind: 'platform', folder: 'site' },
  },
  {
    name: '_redirects',
    files: { _redirects: '/* /index.html 200\n' },
    sign: { provider: 'Netlify', kind: 'platform' },
  },
  {
    name: 'wrangler.toml of Pages',
    files: { 'wrangler.toml': 'name = "x"\npages_build_output_dir = "./dist"\n' },
    sign: { provider: 'Cloudflare Pages', kind: 'platform', folder: './dist' },
  },
  {
    name: 'wrangler.toml of a worker',
    files: { 'wrangler.toml': '[assets]\ndirectory = "./public"\n' },
    sign: { provider: 'Cloudflare Workers', kind: 'worker', folder: './public' },
  },
  {
    name: 'wrangler.json with a route that is no domain',
    files: { 'wrangler.json': '{"routes": [{"pattern": "example.com/docs/*", "custom_domain": false}]}' },
    sign: { provider: 'Cloudflare Workers', kind: 'worker' },
  },
  {
    name: 'firebase.json',
    files: { 'firebase.json': '{"hosting": {"public": "www"}}' },
    sign: { provider: 'Firebase Hosting', kind: null, folder: 'www' },
  },
  {
    name: 'staticwebapp.config.json',
    files: { 'staticwebapp.config.json': '{}' },
    sign: { provider: 'Azure Static Web Apps', kind: null },
  },
  { name: 'CNAME', files: { CNAME: 'docs.example.org' }, sign: { provider: 'GitHub Pages', kind: 'server' } },
  { name: 'a CNAME that is none', files: { CNAME: 'https://docs example\n' }, sign: null },
  { name: '.nojekyll', files: { '.nojekyll': '' }, sign: { provider: 'GitHub Pages', kind: 'server' } },
  {
    name: 'a CI of GitLab with pages',
    files: { '.gitlab-ci.yml': 'pages:\n' },
    sign: { provider: 'GitLab Pages', kind: 'server' },
  },
  { name: 'a CI of GitLab without', files: { '.gitlab-ci.yml': 'test:\n  pages: no\n' }, sign: null },
  {
    name: 'nginx in a folder of its own',
    files: { 'docker/default.conf': 'server { listen 80; }' },
    sign: { provider: 'nginx', kind: 'server', file: 'docker/default.conf' },
  },
  { name: 'another .conf', files: { 'jest.conf': 'x = 1' }, sign: null },
  { name: 'a server in a comment', files: { 'x.conf': '# server { }' }, sign: null },
  {
    name: 'an image of nginx',
    files: { Dockerfile: 'FROM docker.io/nginx:1.29\nCOPY . /usr/share/nginx/html\n' },
    sign: { provider: 'nginx', kind: 'server' },
  },
  { name: 'another image', files: { Dockerfile: 'FROM node:24\n' }, sign: null },
  { name: 'Caddy', files: { Caddyfile: 'docs.example.org' }, sign: { provider: 'Caddy', kind: 'server' } },
  { name: 'Apache', files: { '.htaccess': '' }, sign: { provider: 'Apache', kind: 'server' } },
  {
    name: 'the surest of several',
    files: { '.nojekyll': '', 'vercel.json': '{}', 'nginx.conf': 'server {}' },
    sign: { provider: 'Vercel', kind: 'platform' },
  },
];

describe('the host', () => {
  it.each(HOSTS)('$name', async ({ files, sign }) => {
    const { hosts } = await detectProject(makeFolder(files));
    expect(hosts.slice(0, 1)).toMatchObject(sign === null ? [] : [sign]);
  });
});

const BUNDLES = {
  docsify: '<script src="docsify.min.js"></script>',
  MDwiki: '<title>MDwiki</title>',
  VertiWiki: '<div id="vertiwiki"></div>',
} as const;

describe('the site', () => {
  it.each(Object.entries(BUNDLES))('%s is known by its bundle', async (engine, bundle) => {
    const { site } = await detectProject(makeFolder({ 'docs/index.html': bundle, 'docs/index.md': '' }));
    expect(site).toEqual({ folder: 'docs', engine, hasVersion: false, otherVersions: [] });
  });

  it.each([
    {
      name: 'an engine that is not known',
      files: { 'index.html': '<p>', 'navigation.md': '' },
      site: { folder: '.', engine: null },
    },
    {
      name: 'one in a folder of any name',
      files: { 'wiki/index.html': BUNDLES.docsify, 'wiki/readme.md': '' },
      site: { folder: 'wiki' },
    },
    {
      name: 'its own version',
      files: { 'docs/index.html': 'docsify', 'docs/index.md': '', 'docs/version.json': '{}' },
      site: { hasVersion: true },
    },
    {
      name: 'the newest of several versions',
      files: {
        '3.0/index.html': BUNDLES.docsify,
        '3.0/README.md': '',
        '3.10/index.html': BUNDLES.docsify,
        '3.10/README.md': '',
        '3.9/index.html': BUNDLES.docsify,
        '3.9/README.md': '',
      },
      site: { folder: '3.10', engine: 'docsify', otherVersions: ['3.9', '3.0'] },
    },
    {
      name: 'not a page for trials',
      files: {
        'docs/test/index.html': BUNDLES.docsify,
        'docs/test/README.md': '',
        'docs/web/index.html': BUNDLES.docsify,
        'docs/web/README.md': '',
      },
      site: { folder: 'docs/web' },
    },
    {
      name: 'the version of its engine',
      files: { 'docs/index.html': '<!-- MDwiki v0.6.2 -->', 'docs/index.md': '' },
      site: { engine: 'MDwiki 0.6.2' },
    },
    { name: 'none in pages without a bundle', files: { 'docs/index.md': '# x' }, site: null },
    { name: 'none in a bundle without pages', files: { 'public/index.html': '<p>' }, site: null },
    {
      name: 'none in tools',
      files: { 'node_modules/index.html': 'docsify', 'node_modules/readme.md': '' },
      site: null,
    },
    {
      name: 'none outside, whatever a host says',
      files: { 'vercel.json': '{"outputDirectory": "../../etc"}' },
      site: null,
    },
  ])('$name', async ({ files, site }) => {
    const seen = await detectProject(makeFolder({ ...files }));
    expect([seen.site]).toMatchObject([site]);
  });
});

describe('what would hold up or break', () => {
  it.skipIf(process.platform === 'win32')('pipes are not waited for', async () => {
    const folder = makeFolder({ 'docs/readme.md': '' });
    for (const name of ['vercel.json', 'CNAME', 'package.json', 'docs/index.html']) {
      execFileSync('mkfifo', [path.join(folder, name)]);
    }
    expect(await detectProject(folder)).toMatchObject({ hosts: [], site: { folder: 'docs', engine: null }, urls: [] });
  });

  it.each([
    { name: 'broken JSON', files: { 'package.json': '{"homepage": ' } },
    { name: 'a homepage that is no text', files: { 'package.json': '{"homepage": {"url": 1}}' } },
    { name: 'a package that is null', files: { 'package.json': 'null' } },
    { name: 'folders instead of files', files: { 'vercel.json/x': '', 'CNAME/x': '', 'index.html/x': '' } },
    { name: 'a file instead of Git', files: { '.git': 'gitdir: nowhere\n' } },
    { name: 'an empty folder instead of Git', files: { '.git/x': '' } },
    {
      name: 'a workflow that is no YAML',
      files: { '.git/x': '', '.github/workflows/x.yml': 'a: [actions/deploy-pages@v5' },
    },
    {
      name: 'a workflow without jobs',
      files: { '.git/x': '', '.github/workflows/x.yml': '# actions/deploy-pages@v5\n- 1' },
    },
    {
      name: 'jobs that are none',
      files: {
        '.git/x': '',
        '.github/workflows/x.yml': 'jobs: {a: null, b: {steps: [null, 1]}} # actions/deploy-pages@v5',
      },
    },
    {
      name: 'an action that is not a text',
      files: {
        '.git/x': '',
        '.github/workflows/x.yml': 'jobs: {a: {steps: [{uses: {toString: 1}}]}} # actions/deploy-pages@v5',
      },
    },
    { name: 'a long line', files: { 'netlify.toml': 'publish '.repeat(100_000) } },
  ])('$name', async ({ files }) => {
    expect(await detectProject(makeFolder({ ...files }))).toMatchObject({ site: null, urls: [], pagesJob: null });
  });
});

const github = { forge: 'github', host: 'github.com', owner: 'acme', name: 'handbook' };

describe('parseRemote', () => {
  it.each([
    ['https://github.com/acme/handbook.git', github],
    ['https://github.com/acme/handbook', github],
    ['https://github.com/acme/handbook/', github],
    ['https://token:x-oauth@github.com/acme/handbook.git', github],
    ['git@github.com:acme/handbook.git', github],
    ['git@GitHub.com:/acme/handbook.git', github],
    ['ssh://git@github.com/acme/handbook.git', github],
    ['ssh://git@ssh.github.com:443/acme/handbook.git', { ...github, host: 'ssh.github.com' }],
    ['git://github.com/acme/handbook.git', github],
    ['github-work:acme/handbook.git', { ...github, host: 'github-work' }],
    ['https://github.example.com/acme/handbook', { ...github, host: 'github.example.com' }],
    ['git@gitlab.com:group/sub/docs.git', { forge: 'gitlab', host: 'gitlab.com', owner: 'group/sub', name: 'docs' }],
    ['https://codeberg.org/acme/docs.git', { forge: 'other', host: 'codeberg.org', owner: 'acme', name: 'docs' }],
    ['https://github.com/acme/acme.github.io.git', { ...github, name: 'acme.github.io' }],
  ])('%s', (url, remote) => {
    expect(parseRemote(url)).toEqual(remote);
  });

  it.each(['', '/srv/git/docs.git', '../docs.git', 'C:\\git\\docs', 'C:/git/docs', 'file:///srv/git/docs', 'docs'])(
    'leads nowhere: %s',
    (url) => {
      expect(parseRemote(url)).toBeNull();
    },
  );

  it.each(['https://github.com/acme', 'https://github.com/', 'git@github.com:docs.git', 'https://github.com/a b/c'])(
    'names no repository: %s',
    (url) => {
      expect(parseRemote(url)).toBeNull();
    },
  );
});

describe('pagesUrl', () => {
  it.each([
    ['git@github.com:Acme/Handbook.git', 'https://acme.github.io/Handbook/'],
    ['https://github.com/acme/acme.github.io', 'https://acme.github.io/'],
    ['https://github.com/Acme/Acme.github.io', 'https://acme.github.io/'],
    ['ssh://git@ssh.github.com:443/acme/handbook', 'https://acme.github.io/handbook/'],
    ['github-work:acme/handbook', 'https://acme.github.io/handbook/'],
    ['https://gitlab.com/acme/handbook', 'https://acme.gitlab.io/handbook/'],
    ['https://gitlab.com/group/sub/docs', 'https://group.gitlab.io/sub/docs/'],
    ['https://gitlab.com/acme/acme.gitlab.io', 'https://acme.gitlab.io/'],
    ['https://github.example.com/acme/handbook', null],
    ['https://codeberg.org/acme/handbook', null],
  ])('%s → %s', (url, pages) => {
    const remote = parseRemote(url);
    expect(remote === null ? 'no remote' : pagesUrl(remote)).toBe(pages);
  });
});

describe('the remote of a repository', () => {
  it.each([
    ['origin before any other', ['fork', 'upstream', 'origin'], 'origin'],
    ['upstream where there is no origin', ['fork', 'upstream'], 'upstream'],
    ['the first of others', ['fork', 'mine'], 'fork'],
    ['none', [], null],
  ])('is %s', async (_, names, expected) => {
    const folder = makeFolder({ 'index.html': '' });
    const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '--quiet');
    for (const name of names) git('remote', 'add', name, `https://github.com/acme/${name}.git`);
    const { repository } = await detectProject(folder);
    const url = expected === null ? null : parseRemote(`https://github.com/acme/${expected}.git`);
    expect(repository?.remote).toEqual(url);
  });
});
