import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSource, SourceError, writeManifest } from './open.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-source-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

function git(...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

function commit(files: Readonly<Record<string, string>>): string {
  write(files);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'change');
  return git('rev-parse', '--short=10', 'HEAD');
}

const paths = async (name: string): Promise<string[]> => [...(await (await openSource(name, folder)).files()).keys()];

describe('a folder', () => {
  it.each<{ name: string; files: Record<string, string>; paths: readonly string[] }>([
    {
      name: 'pages, the configuration and assets, sorted',
      files: { 'index.md': 'a', 'config.json': '{}', 'a/logo.SVG': '<svg/>', 'a/ghid.md': 'b' },
      paths: ['a/ghid.md', 'a/logo.SVG', 'config.json', 'index.md'],
    },
    {
      name: 'nothing hidden, no tools',
      files: {
        'index.md': 'a',
        '.github/workflows/x.md': 'a',
        '.env': 'x',
        'node_modules/a/b.md': 'c',
        '.well-known/a.txt': 'd',
      },
      paths: ['.well-known/a.txt', 'index.md'],
    },
    {
      name: 'no formats that sites do not serve',
      files: { 'index.md': 'a', Dockerfile: 'b', 'build.sh': 'c', 'main.rs': 'd' },
      paths: ['index.md'],
    },
    {
      name: 'what .gitignore leaves out',
      files: {
        '.gitignore': 'drafts/\n*.tmp.md\n!keep.tmp.md\n',
        'drafts/a.md': '',
        'b.tmp.md': '',
        'keep.tmp.md': '',
      },
      paths: ['keep.tmp.md'],
    },
    {
      name: 'a .gitignore further down',
      files: { '.gitignore': '/a.md\n', 'a.md': '', 'b/.gitignore': 'c.md\n', 'b/a.md': '', 'b/c.md': '', 'c.md': '' },
      paths: ['b/a.md', 'c.md'],
    },
    {
      name: 'names with spaces, diacritics and signs',
      files: { 'primii pași.md': '', '用語集.md': '', '-x.md': '', 'a#b.md': '' },
      paths: ['-x.md', 'a#b.md', 'primii pași.md', '用語集.md'],
    },
  ])('holds $name', async ({ files, paths: expected }) => {
    write(files);
    expect(await paths('.')).toEqual(expected);
  });

  it('follows links to files inside it, and none that lead out', async () => {
    write({ 'site/a.md': 'a', 'outside.md': 'b', 'other/c.md': 'c' });
    symlinkSync('a.md', path.join(folder, 'site/b.md'));
    symlinkSync('../outside.md', path.join(folder, 'site/out.md'));
    symlinkSync('../other', path.join(folder, 'site/folder'));
    symlinkSync('nowhere.md', path.join(folder, 'site/dead.md'));
    expect(await paths('site')).toEqual(['a.md', 'b.md']);
  });

  it('minds the .gitignore files above it, but not where they leave out the folder itself', async () => {
    git('init', '--quiet');
    write({
      '.gitignore': 'dist/\n*.draft.md\n',
      'docs/a.md': '',
      'docs/b.draft.md': '',
      'dist/a.md': '',
      'dist/b.draft.md': '',
    });
    expect(await paths('docs')).toEqual(['a.md']);
    expect(await paths('dist')).toEqual(['a.md', 'b.draft.md']);
  });

  it('distinguishes texts that differ in their line ends, byte-order mark and last line end from others', async () => {
    write({ 'a.md': 'x\ny\n', 'b.md': '\uFEFFx\r\ny', 'c.md': 'x\rz\n', 'd.svg': 'x\0y' });
    const files = await (await openSource('.', folder)).files();
    const text = (name: string) => files.get(name)?.textSha256;
    expect(text('b.md')).toBe(text('a.md'));
    expect(files.get('b.md')?.sha256).not.toBe(files.get('a.md')?.sha256);
    expect(text('c.md')).not.toBe(text('a.md'));
    expect(text('d.svg')).toBeNull();
  });

  it('has the history of its work tree', async () => {
    git('init', '--quiet');
    const first = commit({ 'docs/a.md': 'one', 'docs/b.md': 'one' });
    const second = commit({ 'docs/a.md': 'two', 'docs/b.md': 'two' });
    write({ 'docs/a.md': 'three' });
    const history = await (await openSource('docs', folder)).history();
    const find = (file: string, body: string) => history?.find(file, Buffer.from(body));
    expect([find('a.md', 'two'), find('a.md', 'one'), find('a.md', 'three')]).toEqual([
      { commit: second, newest: 0, oldest: 0, newerVersions: 0 },
      { commit: first, newest: 1, oldest: 1, newerVersions: 1 },
      null,
    ]);
    expect([...(history?.paths() ?? [])].toSorted()).toEqual(['a.md', 'b.md']);
    expect(history?.isShallow).toBe(false);
  });
});

describe('a folder in a repository', () => {
  beforeEach(() => git('init', '--quiet'));

  it('holds what Git tracks, whatever .gitignore says, and not what is excluded', async () => {
    write({ 'a.md': 'x', 'gen/b.md': 'x', 'gen/c.md': 'x', 'own.md': 'x' });
    git('add', '.');
    git('rm', '--cached', '--quiet', 'own.md', 'gen/c.md');
    write({ '.gitignore': 'gen/\n', '.git/info/exclude': 'own.md\n' });
    expect(await paths('.')).toEqual(['a.md', 'gen/b.md']);
  });

  it('reports links to folders and submodules as skipped', async () => {
    write({ 'real/a.md': 'x' });
    symlinkSync('real', path.join(folder, 'latest'));
    commit({});
    const [source, tree] = await Promise.all([openSource('.', folder), openSource('HEAD', folder)]);
    expect([await source.skipped(), await tree.skipped()]).toEqual([['latest'], ['latest']]);
  });
});

describe('a Git ref', () => {
  beforeEach(() => git('init', '--quiet', '--initial-branch', 'main'));

  it.each(['main', 'HEAD', 'HEAD:docs', 'main:docs', 'v1:docs', 'HEAD~1:docs'])('%s', async (ref) => {
    commit({ 'docs/a.md': 'one', 'docs/b/c.md': 'one' });
    git('tag', 'v1');
    commit({ 'docs/a.md': 'two' });
    const below = ref.includes(':') ? '' : 'docs/';
    // In a bare clone there is no folder of the name.
    const bare = path.join(folder, 'bare.git');
    execFileSync('git', ['clone', '--quiet', '--bare', folder, bare]);
    const source = await openSource(ref, bare);
    expect([...(await source.files()).keys()]).toEqual([`${below}a.md`, `${below}b/c.md`]);
    const text = await source.read(`${below}a.md`);
    expect(Buffer.from(text ?? []).toString()).toBe(/v1|~1/.test(ref) ? 'one' : 'two');
    const history = await source.history();
    expect(history?.find(`${below}a.md`, Buffer.from('one'))?.newest).toBe(/v1|~1/.test(ref) ? 0 : 1);
  });

  it('leaves out what is hidden, symbolic links and what was not committed', async () => {
    write({ 'a.md': 'x', '.github/b.md': 'x' });
    symlinkSync('a.md', path.join(folder, 'link.md'));
    commit({});
    write({ 'new.md': 'x' });
    expect(await paths('HEAD')).toEqual(['a.md']);
  });

  it('reads large files and many', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p/${index}.md`, `# ${index}\n`]));
    commit({ ...many, 'large.svg': 'x'.repeat(3_000_000) });
    const files = await (await openSource('HEAD', folder)).files();
    expect(files.size).toBe(301);
    expect(files.get('large.svg')?.bytes).toBe(3_000_000);
  });
});

describe('a manifest', () => {
  it('holds what the folder holds, in the same bytes each time', async () => {
    write({ 'docs/a.md': 'x', 'docs/b/c.png': 'y' });
    const text = await writeManifest(path.join(folder, 'docs'));
    expect(await writeManifest(path.join(folder, 'docs'))).toBe(text);
    writeFileSync(path.join(folder, 'manifest.json'), text);
    const [manifest, docs] = await Promise.all([openSource('manifest.json', folder), openSource('docs', folder)]);
    expect(await manifest.files()).toEqual(await docs.files());
    expect(await manifest.read('a.md')).toBeNull();
  });

  const HASH = '0'.repeat(64);
  it.each([
    { name: 'no JSON', text: '{' },
    { name: 'a list', text: '[]' },
    { name: 'another version', text: '{"schemaVersion":2,"algorithm":"sha256","files":{}}' },
    { name: 'another algorithm', text: '{"schemaVersion":1,"algorithm":"md5","files":{}}' },
    { name: 'no files', text: '{"schemaVersion":1,"algorithm":"sha256"}' },
    { name: 'a package.json', text: '{"name":"docs","files":["dist"]}' },
    {
      name: 'a hash that is none',
      text: '{"schemaVersion":1,"algorithm":"sha256","files":{"a.md":{"bytes":1,"sha256":"x","textSha256":null}}}',
    },
    {
      name: 'a size below nothing',
      text: `{"schemaVersion":1,"algorithm":"sha256","files":{"a.md":{"bytes":-1,"sha256":"${HASH}","textSha256":null}}}`,
    },
  ])('is refused: $name', async ({ text }) => {
    writeFileSync(path.join(folder, 'manifest.json'), text);
    await expect(openSource('manifest.json', folder)).rejects.toBeInstanceOf(SourceError);
  });
});

describe('what is no source', () => {
  it.each(['nowhere', 'nowhere.json', 'HEAD', '--help', '-x', 'HEAD:docs', 'a\0b'])(
    '%j, outside of a repository',
    async (name) => {
      await expect(openSource(name, folder)).rejects.toBeInstanceOf(SourceError);
    },
  );

  it.each(['nowhere', '--all', '--output=x', 'HEAD:nowhere', 'HEAD:a.md', 'HEAD^{blob}', ':/', '@{u}'])(
    '%j, in a repository',
    async (name) => {
      git('init', '--quiet');
      commit({ 'a.md': 'x' });
      await expect(openSource(name, folder)).rejects.toBeInstanceOf(SourceError);
    },
  );
});
