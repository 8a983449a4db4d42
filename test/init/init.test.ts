/** `docvitals init` where nobody can be asked: what is there is kept, and what cannot be done is reported. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { canBeBound, runCli } from '../cli/run.ts';
import {
  changed,
  configOf,
  docsify,
  GITHUB,
  init,
  makeProject,
  mdwiki,
  NIGHTLY,
  snapshot,
  URL_FLAG,
} from './project.ts';

describe.concurrent('an address that GitHub cannot reach', () => {
  const LOOPBACK = ['--url', 'http://127.0.0.1:4173/', '--lang', 'en'];

  it('gets no workflow, and the reason is printed', async () => {
    const folder = makeProject({ remote: GITHUB, files: docsify('docs') });
    const { status, stdout } = await init(folder, '--yes', ...LOOPBACK);
    expect([status, NIGHTLY in snapshot(folder)]).toEqual([0, false]);
    expect(stdout).toContain('No workflow is written, because GitHub cannot reach http://127.0.0.1:4173/.');
    expect(stdout).toContain('docvitals monitor --listen 127.0.0.1:9464');
  });

  it('gets the workflow that is asked for, with a warning', async () => {
    const folder = makeProject({ remote: GITHUB, files: docsify('docs') });
    const { stdout } = await init(folder, '--yes', '--workflow', 'nightly', '--monitor', ...LOOPBACK);
    expect(NIGHTLY in snapshot(folder)).toBe(true);
    expect(stdout).toContain('GitHub cannot reach http://127.0.0.1:4173/: these workflows fail');
    expect(readFileSync(path.join(folder, 'docvitals.yaml'), 'utf8')).toContain('monitor:\n  listen: 127.0.0.1:9464\n');
  });
});

describe.concurrent('what is there already', () => {
  const FILES = { ...docsify('docs'), 'docvitals.yaml': 'url: https://old.example.com/\nfull: true\n' };

  it('is left alone, and what is new is written beside it', async () => {
    const folder = makeProject({ remote: GITHUB, files: FILES });
    const before = snapshot(folder);
    const { status, stdout } = await init(folder, '--yes');
    expect([status, changed(before, snapshot(folder))]).toEqual([0, [NIGHTLY]]);
    expect(stdout).toMatch(/docvitals\.yaml +exists, kept\n/);
    // What it says is what the rest is made from.
    expect(readFileSync(path.join(folder, NIGHTLY), 'utf8')).toContain('url: https://old.example.com/');
  });

  it('is replaced with --force', async () => {
    const folder = makeProject({ files: FILES });
    const { status } = await init(folder, '--yes', '--force', ...URL_FLAG);
    expect([status, configOf(folder)]).toEqual([0, { url: 'https://docs.example.com/', source: 'docs' }]);
  });

  it('is not replaced by --dry-run, which writes nothing', async () => {
    const folder = makeProject({ remote: GITHUB, files: FILES });
    const before = snapshot(folder);
    const { status, stdout } = await init(folder, '--yes', '--force', '--dry-run');
    expect([status, snapshot(folder)]).toEqual([0, before]);
    expect(stdout).toMatch(/docvitals\.yaml +exists, replaced\n/);
  });

  it('--dry-run prints what it would write, and nothing else', async () => {
    const folder = makeProject({ remote: GITHUB, files: docsify('docs') });
    const { stdout } = await init(folder, '--yes', '--dry-run');
    const [, ...printed] = stdout.split(/^==> (.*) <==\n/m);
    await init(folder, '--yes');
    const files = snapshot(folder);
    expect(printed.filter((_, index) => index % 2 === 0)).toEqual(['docvitals.yaml', NIGHTLY]);
    for (const [index, file] of ['docvitals.yaml', NIGHTLY].entries()) {
      expect(printed[index * 2 + 1]?.startsWith(`${files[file]}\n`)).toBe(true);
    }
    const { stdout: again } = await init(folder, '--yes', '--dry-run');
    expect(again).not.toContain('==>');
  });

  it('is the same with other line ends', async () => {
    const folder = makeProject();
    await init(folder, '--yes', ...URL_FLAG);
    const file = path.join(folder, 'docvitals.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'));
    const { stdout } = await init(folder, '--yes', ...URL_FLAG);
    expect(stdout).toMatch(/docvitals\.yaml +unchanged\n/);
  });

  it.each(['docvitals.yml', 'docvitals.json', 'docvitals.config.mjs'])('%s is the configuration', async (name) => {
    const text = name.endsWith('.mjs') ? 'export default {};\n' : '{}\n';
    const folder = makeProject({ files: { [name]: text } });
    const before = snapshot(folder);
    const { status, stdout } = await init(folder, '--yes', '--force', ...URL_FLAG);
    expect([status, snapshot(folder)]).toEqual([0, before]);
    expect(stdout).toContain(name);
  });

  it.each([
    { file: 'docvitals.yaml', text: 'url: [\n', says: /^docvitals\.yaml:2:1: /, flags: [] },
    { file: 'docvitals.json', text: '{"url":5}', says: /^docvitals\.json:1:8: url: /, flags: [] },
    // It would not be replaced.
    { file: 'docvitals.json', text: '{"url":5}', says: /^docvitals\.json:1:8: url: /, flags: ['--force'] },
  ])('$file with mistakes ends it, and they are reported', async ({ file, text, says, flags }) => {
    const folder = makeProject({ remote: GITHUB, files: { ...docsify('docs'), [file]: text } });
    const before = snapshot(folder);
    const { status, stderr } = await init(folder, '--yes', ...URL_FLAG, ...flags);
    expect([status, snapshot(folder)]).toEqual([2, before]);
    expect(stderr).toMatch(says);
  });

  it('with mistakes is replaced with --force', async () => {
    const folder = makeProject({ files: { ...docsify('docs'), 'docvitals.yaml': 'url: [\n' } });
    const { status } = await init(folder, '--yes', ...URL_FLAG, '--force');
    expect([status, configOf(folder)]).toEqual([0, { url: 'https://docs.example.com/', source: 'docs' }]);
  });

  it('with variables that are not set here is reported, and left alone', async () => {
    const text = 'headers: { X-Token: "${SITE_TOKEN}" }\n';
    const folder = makeProject({ remote: GITHUB, files: { ...docsify('docs'), 'docvitals.yaml': text } });
    const before = snapshot(folder);
    const { status, stderr } = await init(folder, '--yes', ...URL_FLAG);
    expect([status, changed(before, snapshot(folder))]).toEqual([0, [NIGHTLY]]);
    expect(stderr).toMatch(/^docvitals\.yaml:1:.*SITE_TOKEN.*\n$/);
  });
});

describe.skipIf(process.platform === 'win32').concurrent('symbolic links', () => {
  it('to the project are followed', async () => {
    const folder = makeProject({ remote: GITHUB, files: mdwiki('docs') });
    const link = path.join(makeProject(), 'link');
    symlinkSync(folder, link);
    const { status } = await init(makeProject(), link, '--yes');
    expect([status, configOf(folder)['source']]).toEqual([0, 'docs']);
  });

  it('to a site inside are followed, to one outside are not written down', async () => {
    const folder = makeProject({ files: mdwiki('real') });
    symlinkSync(path.join(folder, 'real'), path.join(folder, 'docs'));
    symlinkSync(makeProject({ files: mdwiki('.') }), path.join(folder, 'elsewhere'));
    const results = await Promise.all([
      init(folder, '--yes', '--dry-run', ...URL_FLAG, '--source', 'docs'),
      init(folder, '--yes', '--dry-run', ...URL_FLAG, '--source', 'elsewhere'),
    ]);
    expect(results.map(({ status }) => status)).toEqual([0, 2]);
  });

  it('that stand where a file should are left alone, even if they lead nowhere', async () => {
    const folder = makeProject();
    symlinkSync(path.join(folder, 'nowhere'), path.join(folder, 'docvitals.yaml'));
    const before = snapshot(folder);
    const { status } = await init(folder, '--yes', ...URL_FLAG);
    expect([status, snapshot(folder)]).toEqual([0, before]);
  });
});

describe.concurrent('what cannot be done is reported in one line, and nothing is written', () => {
  const USAGE: readonly { name: string; args: readonly string[]; says: RegExp }[] = [
    { name: 'nobody to ask', args: [], says: /--url, --workflow, --hosting, --lang.*--yes/ },
    { name: 'nobody to ask for the rest', args: [...URL_FLAG, '--workflow', 'none'], says: /Pass --hosting, --lang,/ },
    { name: 'no address', args: ['--yes'], says: /--url/ },
    { name: 'no address, outside of a site, with --dry-run', args: ['--yes', '--dry-run'], says: /--url/ },
    { name: 'an address that is none', args: ['--yes', '--url', 'docs'], says: /docs/ },
    { name: 'a password', args: ['--yes', '--url', 'https://u:p4ss@x.test/'], says: /^(?!.*p4ss).*--url/ },
    { name: 'no such folder', args: ['nope', '--yes'], says: /nope/ },
    { name: 'no such source', args: ['--yes', ...URL_FLAG, '--source', 'nope'], says: /nope/ },
    { name: 'a source outside', args: ['--yes', ...URL_FLAG, '--source', '..'], says: /--source/ },
    { name: 'no such workflow', args: ['--yes', ...URL_FLAG, '--workflow', 'nigthly'], says: /--workflow.*nightly\?/ },
    { name: 'none and one', args: ['--workflow', 'none', '--workflow', 'pages'], says: /none/ },
    { name: 'a host that is not known', args: ['--yes', ...URL_FLAG, '--hosting'], says: /--host / },
    {
      name: 'a path that no host can be told',
      args: ['--yes', '--url', 'https://x.test/a%20b/', '--hosting', '--host', 'server'],
      says: /--hosting/,
    },
  ];

  it.each(USAGE)('$name', async ({ args, says }) => {
    const folder = makeProject();
    const { status, stderr } = await init(folder, ...args);
    expect({ status, lines: stderr.trimEnd().split('\n').length, files: snapshot(folder) }).toEqual({
      status: 2,
      lines: 1,
      files: {},
    });
    expect(stderr).toMatch(says);
  });

  it('nobody need be asked where all is answered', async () => {
    const folder = makeProject();
    const args = [...URL_FLAG, '--workflow', 'none', '--no-hosting', '--lang', 'en'];
    const { status } = await init(folder, ...args);
    expect([status, Object.keys(snapshot(folder))]).toEqual([0, ['docvitals.yaml']]);
  });

  it.each([
    { name: 'GitHub', remote: GITHUB },
    { name: 'GitLab', remote: 'https://gitlab.com/acme/handbook.git' },
  ])('a repository on $name without any sign of a site', async ({ remote }) => {
    const folder = makeProject({ remote, files: { 'src/main.c': '' } });
    const { status, stderr } = await init(folder, '--yes');
    expect([status, Object.keys(snapshot(folder))]).toEqual([2, ['src/main.c']]);
    expect(stderr).toContain('--url');
  });

  it.each(['platform', 'worker'])('a guess at GitHub Pages for a %s', async (host) => {
    const folder = makeProject({ remote: GITHUB, files: mdwiki('docs') });
    const { status, stderr } = await init(folder, '--yes', '--host', host);
    expect([status, stderr]).toEqual([2, expect.stringContaining('--url')]);
  });

  it('a file where a folder should be', async () => {
    const folder = makeProject({ remote: GITHUB, files: { '.github': 'a file' } });
    const { status, stderr } = await init(folder, '--yes', ...URL_FLAG);
    expect([status, stderr.trimEnd().split('\n').length, Object.keys(snapshot(folder))]).toEqual([3, 1, ['.github']]);
    expect(stderr).toContain('ENOTDIR');
  });

  it('a folder where a file should be', async () => {
    const folder = makeProject({ remote: GITHUB, files: { 'docvitals.yaml/x': '' } });
    const { status } = await init(folder, '--yes', '--force', ...URL_FLAG);
    expect([status, Object.keys(snapshot(folder))]).toEqual([3, ['docvitals.yaml/x']]);
  });

  it.runIf(canBeBound)('a folder that may not be written to', async () => {
    const folder = makeProject({ files: docsify('docs') });
    mkdirSync(path.join(folder, '.github'));
    chmodSync(folder, 0o555);
    const { status, stderr } = await runCli(['init', '--yes', ...URL_FLAG], { cwd: folder, bound: true });
    chmodSync(folder, 0o755);
    expect({ status, lines: stderr.trimEnd().split('\n').length }).toEqual({ status: 3, lines: 1 });
    expect(stderr).toMatch(/docvitals\.yaml.*EACCES/);
    expect(Object.keys(snapshot(folder))).toEqual(Object.keys(docsify('docs')).toSorted());
  });
});

describe.concurrent('what never comes to its end', () => {
  it('is no success', async () => {
    const folder = makeProject();
    // An output that takes everything and never says so: nothing is left that the process could wait for.
    const preload = 'process.stdout.write = () => true;';
    const { status } = await runCli(['init', '--yes', ...URL_FLAG], { cwd: folder, preload });
    expect([status, snapshot(folder)]).toEqual([3, {}]);
  });
});

describe.concurrent('the address is reported', () => {
  it.each([
    {
      name: 'a guess',
      files: mdwiki('docs'),
      args: [],
      says: 'https://acme.github.io/handbook/ (guessed: GitHub Pages)',
    },
    { name: 'a file', files: { ...mdwiki('docs'), CNAME: 'x.test' }, args: [], says: 'https://x.test/ (CNAME)' },
    {
      name: 'package.json',
      files: { ...mdwiki('docs'), 'package.json': '{"homepage":"https://x.test/"}' },
      args: [],
      says: 'https://x.test/ (package.json)',
    },
    {
      name: 'a configuration',
      files: { ...mdwiki('docs'), 'docvitals.yml': 'url: https://x.test/' },
      args: [],
      says: 'https://x.test/ (docvitals.yml)',
    },
    {
      name: 'whoever runs it',
      files: { CNAME: 'docs.example.com' },
      args: URL_FLAG,
      says: 'https://docs.example.com/',
    },
    {
      name: 'a folder that is given',
      files: { 'a/b': '' },
      args: ['--source', 'a'],
      says: 'https://acme.github.io/handbook/ (guessed: GitHub Pages)',
    },
  ])('with what says so: $name', async ({ files, args, says }) => {
    const folder = makeProject({ remote: GITHUB, files: { ...files } });
    const { status, stdout } = await init(folder, '--yes', ...args);
    const [, told] = /^Address: (.*)$/m.exec(stdout) ?? [];
    expect([status, told]).toEqual([0, says]);
  });
});

describe.skipIf(process.platform === 'win32').concurrent('the command that is reported', () => {
  it.each(['docs', 'k odd näme & $x', `it's`, '-dash'])('is one that a shell takes: %s', async (name) => {
    const parent = makeProject({ files: { [`${name}/x`]: '' } });
    const { stdout } = await init(parent, '--yes', ...URL_FLAG, '--', name);
    const [, command = ''] = /: (cd .*) && docvitals check$/m.exec(stdout) ?? [];
    const { stdout: there } = spawnSync('sh', ['-c', `${command} && pwd`], { cwd: parent, encoding: 'utf8' });
    expect(there).toBe(`${path.join(parent, name)}\n`);
  });
});

describe.concurrent('three languages', () => {
  it('are spoken, and written down', async () => {
    const folders = ['en', 'ro', 'fr'].map((language) => ({ language, folder: makeProject() }));
    const said = await Promise.all(
      folders.map(async ({ language, folder }) => {
        const { status, stdout } = await init(folder, '--yes', ...URL_FLAG, '--lang', language);
        const { language: written } = parse(readFileSync(path.join(folder, 'docvitals.yaml'), 'utf8')) as {
          language: string;
        };
        return { status, written, stdout: stdout.replaceAll(folder, '') };
      }),
    );
    expect(said.map(({ status, written }) => [status, written])).toEqual([
      [0, 'en'],
      [0, 'ro'],
      [0, 'fr'],
    ]);
    expect(new Set(said.map(({ stdout }) => stdout)).size).toBe(3);
  });
});
