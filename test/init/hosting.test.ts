/** The configuration of the host that `docvitals init --hosting` writes, and that it writes none for another host. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ignore from 'ignore';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { changed, docsify, GITHUB, init, makeProject, snapshot, URL_FLAG } from './project.ts';

const BELOW = ['--url', 'https://example.com/docs/'];

interface Row {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly writes: readonly string[];
  /** What is said. */
  readonly says?: RegExp;
}

const SITE = docsify('docs');
const NONE_FOR = (provider: string): RegExp => new RegExp(`no configuration for ${provider}`);
const LEFT = (file: string): RegExp => new RegExp(`${file} +exists, kept\\n[^]*docvitals hosting \\w+`);

const ROWS: readonly Row[] = [
  {
    name: 'nginx, beside its own file',
    files: { ...SITE, 'docker/x.conf': 'server {}' },
    writes: ['docker/docs.conf'],
  },
  { name: 'nginx in an image', files: { ...SITE, Dockerfile: 'FROM nginx\n' }, writes: ['docs.conf'] },
  {
    name: 'Vercel, whose file is there',
    files: { ...docsify('public'), 'vercel.json': '{"outputDirectory": "public"}' },
    writes: [],
    says: LEFT('vercel.json'),
  },
  {
    name: 'Vercel, whose file is there in the folder of the site',
    files: { ...SITE, 'docs/vercel.json': '{}' },
    writes: [],
    says: LEFT('vercel.json'),
  },
  { name: 'Vercel, by a program', files: { ...SITE, 'vercel.ts': '' }, writes: [], says: LEFT('vercel.ts') },
  {
    name: 'Vercel, by a program, with --force',
    files: { ...SITE, 'vercel.ts': '' },
    args: ['--force'],
    writes: [],
    says: /vercel.ts +exists, kept\n(?!.*--force)/,
  },
  {
    name: 'Workers, whose file would be shadowed',
    files: { ...SITE, 'wrangler.toml': '[assets]\ndirectory = "docs"\n' },
    args: ['--force'],
    writes: [],
    says: LEFT('wrangler.toml'),
  },
  { name: 'Workers', files: { ...SITE, 'wrangler.json': '{}' }, writes: [], says: LEFT('wrangler.json') },
  {
    name: 'Netlify, whose file is there: its edge function needs no line in it',
    files: { ...SITE, 'netlify.toml': '' },
    writes: ['netlify/edge-functions/docs.js'],
    says: /netlify.toml +exists, kept\n[^]*docvitals hosting netlify --url/,
  },
  {
    name: 'Netlify, found by a file that is deployed with the site',
    files: { ...SITE, 'docs/_redirects': '' },
    args: ['--host', 'platform'],
    writes: ['netlify.toml', 'netlify/edge-functions/docs.js'],
  },
  {
    name: 'Netlify, named',
    files: SITE,
    args: ['--host', 'netlify'],
    writes: ['netlify.toml', 'netlify/edge-functions/docs.js'],
  },
  {
    name: 'Netlify, named where Vercel is found',
    files: { ...SITE, 'web/vercel.json': '{}' },
    args: ['--host', 'netlify'],
    writes: ['netlify.toml', 'netlify/edge-functions/docs.js'],
  },
  {
    name: 'Cloudflare Pages',
    files: { ...SITE, 'wrangler.toml': 'pages_build_output_dir = "docs"\n' },
    writes: [],
    says: NONE_FOR('Cloudflare Pages'),
  },
  { name: 'Apache', files: { ...SITE, '.htaccess': '' }, writes: [], says: NONE_FOR('Apache') },
  { name: 'Caddy', files: { ...SITE, Caddyfile: '' }, writes: [], says: NONE_FOR('Caddy') },
  { name: 'GitHub Pages', files: { ...SITE, '.nojekyll': '' }, writes: [], says: NONE_FOR('GitHub Pages') },
  { name: 'Firebase', files: { ...SITE, 'firebase.json': '{}' }, writes: [], says: NONE_FOR('Firebase Hosting') },
  {
    name: 'a server where Vercel is found',
    files: { ...SITE, 'vercel.json': '{}' },
    args: ['--host', 'server'],
    writes: [],
    says: NONE_FOR('Vercel'),
  },
  {
    name: 'the one of two that is told',
    files: { ...SITE, 'vercel.json': '{}', 'nginx/x.conf': 'server {}' },
    args: ['--host', 'server'],
    writes: ['nginx/docs.conf'],
  },
  { name: 'a server that is told', files: SITE, args: ['--host', 'server'], writes: ['docs.conf'] },
  { name: 'a platform that is told', files: SITE, args: ['--host', 'platform'], writes: ['vercel.json'] },
  { name: 'a worker that is told', files: SITE, args: ['--host', 'worker'], writes: ['worker.js', 'wrangler.jsonc'] },
];

describe.concurrent('the configuration of the host', () => {
  it.each(ROWS)('$name', async ({ files, args = [], writes, says = /./ }) => {
    const folder = makeProject({ files });
    const before = snapshot(folder);
    const { status, stdout } = await init(folder, '--yes', '--hosting', ...URL_FLAG, ...args);
    expect([status, changed(before, snapshot(folder)).toSorted()]).toEqual([
      0,
      [...writes, 'docvitals.yaml'].toSorted(),
    ]);
    expect(stdout).toMatch(says);
  });

  it('is below the root of the repository where the folder is', async () => {
    const folder = makeProject({ remote: GITHUB, files: docsify('a/web') });
    const before = snapshot(folder);
    const args = ['--yes', '--hosting', '--host', 'worker', '--workflow', 'none', ...URL_FLAG];
    const { status } = await init(folder, 'a', ...args);
    const writes = ['a/docvitals.yaml', 'a/worker.js', 'a/wrangler.jsonc'];
    expect([status, changed(before, snapshot(folder))]).toEqual([0, writes]);
  });

  it('is replaced with --force, and names the deployed folder again', async () => {
    const files = { ...docsify('public'), 'vercel.json': '{"outputDirectory": "public"}' };
    const folder = makeProject({ files });
    await init(folder, '--yes', '--hosting', '--force', ...URL_FLAG);
    const text = readFileSync(path.join(folder, 'vercel.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ outputDirectory: 'public', routes: expect.any(Array) });
  });
});

interface Deployed extends Omit<Row, 'says' | 'writes'> {
  /** What the settings name; `undefined`: nothing. */
  readonly vercel: string | undefined;
  readonly wrangler: string;
  readonly netlify: string;
  /** Whether it has to be fixed by hand: the folder was not found. */
  readonly vercelUnknown?: boolean;
  readonly wranglerUnknown?: boolean;
}

const DEPLOYED: readonly Deployed[] = [
  {
    name: 'a folder',
    files: docsify('my docs'),
    args: URL_FLAG,
    vercel: 'my docs',
    wrangler: './my docs',
    netlify: 'my docs',
  },
  { name: 'the root', files: docsify('.'), args: URL_FLAG, vercel: undefined, wrangler: './', netlify: '.' },
  { name: 'what is above the site', files: SITE, args: BELOW, vercel: undefined, wrangler: './', netlify: '.' },
  {
    name: 'what is above it, deeper',
    files: docsify('web/docs'),
    args: [...BELOW, '--source', 'web/docs'],
    vercel: 'web',
    wrangler: './web',
    netlify: 'web',
  },
  {
    name: 'what a build makes',
    files: docsify('web'),
    args: BELOW,
    vercel: undefined,
    vercelUnknown: true,
    wrangler: './public',
    wranglerUnknown: true,
    netlify: 'public',
  },
  {
    name: 'nothing found',
    files: {},
    args: URL_FLAG,
    vercel: undefined,
    wrangler: './public',
    wranglerUnknown: true,
    netlify: 'public',
  },
];

describe.concurrent('the folder that is deployed', () => {
  it.each(DEPLOYED)(
    '$name',
    async ({ files, args = [], vercel, wrangler, netlify, vercelUnknown, wranglerUnknown }) => {
      const [platform, worker, third] = [makeProject({ files }), makeProject({ files }), makeProject({ files })];
      const flags = ['--yes', '--hosting', ...args];
      const said = await Promise.all([
        init(platform, ...flags, '--host', 'platform'),
        init(worker, ...flags, '--host', 'worker'),
        init(third, ...flags, '--host', 'netlify'),
      ]);
      const toml = readFileSync(path.join(third, 'netlify.toml'), 'utf8');
      const settings = JSON.parse(readFileSync(path.join(platform, 'vercel.json'), 'utf8')) as {
        outputDirectory?: string;
      };
      const { assets } = parseJsonc(readFileSync(path.join(worker, 'wrangler.jsonc'), 'utf8')) as {
        assets: { directory: string };
      };
      expect([settings.outputDirectory, assets.directory]).toEqual([vercel, wrangler]);
      expect(toml).toContain(`publish = "${netlify}"\n`);
      expect(said.map(({ stdout }) => stdout.includes('name the deployed folder'))).toEqual([
        vercelUnknown === true,
        wranglerUnknown === true,
        wranglerUnknown === true,
      ]);
    },
  );

  it.each([
    {
      name: 'the root: what lies beside the site is kept back',
      site: '.',
      args: URL_FLAG,
      kept: [
        'worker.js',
        'wrangler.jsonc',
        'docvitals.yaml',
        '.git/config',
        '.github/workflows/x.yml',
        '.env',
        'node_modules/a/b.md',
      ],
      taken: ['index.html', '_sidebar.md', 'a/worker.js', 'llms.txt', '.well-known/security.txt', 'img/a.png'],
    },
    {
      name: 'above the site: only the site is taken',
      site: 'docs',
      args: BELOW,
      kept: ['worker.js', 'readme.md', '.git/config', 'src/docs/x.md', 'docs/.git/config', 'docs2/x.md'],
      taken: ['docs/index.html', 'docs/a/b.md', 'docs/.well-known/x'],
    },
    {
      name: 'above two folders',
      site: 'x/y',
      args: ['--url', 'https://example.com/x/y/', '--source', 'x/y'],
      kept: ['x/a.md', 'x/z/y/a.md', 'y/a.md', 'a.md'],
      taken: ['x/y/index.html', 'x/y/z/a.md'],
    },
  ])('$name', async ({ site, args, kept, taken }) => {
    const folder = makeProject({ files: docsify(site) });
    await init(folder, '--yes', '--hosting', '--host', 'worker', ...args);
    // What Wrangler itself reads it with.
    const rules = ignore().add(readFileSync(path.join(folder, '.assetsignore'), 'utf8'));
    expect([...kept, ...taken].filter((file) => rules.ignores(file))).toEqual(kept);
  });

  it('keeps a list of its own', async () => {
    const folder = makeProject({ files: { ...docsify('.'), '.assetsignore': '*.psd\n' } });
    const before = snapshot(folder);
    const { stdout } = await init(folder, '--yes', '--hosting', '--host', 'worker', ...URL_FLAG);
    expect(changed(before, snapshot(folder))).toEqual(['docvitals.yaml', 'worker.js', 'wrangler.jsonc']);
    expect(stdout).toMatch(/\.assetsignore +exists, kept\n/);
  });
});
