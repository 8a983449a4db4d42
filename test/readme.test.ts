/**
 * The README says only what is so: its outputs are what the command prints, its commands run, its configuration loads,
 * its program works. `UPDATE_README=1 vitest run test/readme.test.ts` writes the generated parts anew.
 */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks, defaultChecks } from '../checks/index.ts';
import { knownChecks } from '../src/cli/settings.ts';
import { loadConfig } from '../src/config/load.ts';
import { loadTexts } from '../src/texts.ts';
import { runCli } from './cli/run.ts';
import { startHost, type Host } from './site/host.ts';
import { sampleSite, writeSite } from './site/sample.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = path.join(ROOT, 'README.md');
const EXAMPLE = 'https://docs.example.com/';

let readme = readFileSync(README, 'utf8');
let host: Host;
let broken: Host;
let folder: string;

beforeAll(async () => {
  const site = sampleSite();
  host = await startHost(site, { fallback: true });
  const faulty = sampleSite();
  faulty.set('config.json', String(faulty.get('config.json')).replace(/\n\}\n$/, ',\n}\n'));
  faulty.delete('navigation.md');
  broken = await startHost(faulty, { fallback: true });
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-readme-'));
  // What the commands speak of: a repository whose folder `docs` is the site.
  writeSite(site, path.join(folder, 'docs'));
  for (const args of [
    ['init', '--quiet'],
    ['add', 'docs'],
    ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'docs'],
  ]) {
    await promisify(execFile)('git', args, { cwd: folder });
  }
});

afterAll(async () => {
  await Promise.all([host.close(), broken.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Durations differ from run to run, and the time of day. */
const steady = (text: string): string =>
  text
    .replaceAll(/ *\d[\d.,]*\s(ms|s)\b/g, ' 0 $1')
    .replaceAll(/"(\w+Ms)": [\d.]+/g, '"$1": 0')
    .replaceAll(/"startedAt": "[^"]+"/g, '"startedAt": ""');

/** The generated part between two markers; written anew when asked for, else compared. */
function expectPart(name: string, language: string, text: string): void {
  const fence = language === '' ? text : `\`\`\`${language}\n${text}\`\`\`\n`;
  const pattern = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- /${name} -->)`);
  if (process.env['UPDATE_README'] === '1' && steady(readme.match(pattern)?.[0] ?? '') !== steady(fence)) {
    readme = readme.replace(pattern, (_whole, start: string, end: string) => `${start}${fence}${end}`);
    writeFileSync(README, readme);
  }
  expect(steady(readme.match(pattern)?.[0] ?? '')).toBe(steady(`<!-- ${name} -->\n${fence}<!-- /${name} -->`));
}

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text ?? '');

describe('the generated parts', () => {
  it('show a real output', async () => {
    const { stdout } = await runCli(['check', broken.url], { env: { COLUMNS: '100' } });
    expectPart('output', 'console', `$ docvitals check ${EXAMPLE}\n\n${stdout.replaceAll(broken.url, EXAMPLE)}`);
  });

  it('list the checks', async () => {
    const texts = await loadTexts('en');
    const rows = defaultChecks.map(({ id, target }) => {
      const text = texts.check(id);
      return `| \`${id}\` | \`GET /${target}\` | ${text?.expected ?? ''} | ${text?.degraded ?? ''} |\n`;
    });
    expectPart(
      'checks',
      '',
      `| check | target | expected | action if degraded |\n| :--- | :--- | :--- | :--- |\n${rows.join('')}`,
    );
  });

  it('list the checks of the whole site', async () => {
    const texts = await loadTexts('en');
    const rows = checks
      .filter(({ full }) => full)
      .map(({ id }) => {
        const text = texts.check(id);
        return `| \`${id}\` | ${text?.expected ?? ''} | ${text?.degraded ?? ''} |\n`;
      });
    expectPart(
      'full-checks',
      '',
      `| check | expected | action if degraded |\n| :--- | :--- | :--- |\n${rows.join('')}`,
    );
  });

  it('show the help', async () => {
    const { stdout } = await runCli(['check', '--help'], { env: { COLUMNS: '110' } });
    expectPart('help', 'console', `$ docvitals check --help\n${stdout}`);
  });

  it('show a report', async () => {
    const { stdout } = await runCli(['check', broken.url, '--only', 'config', '--format', 'json']);
    expectPart('json', 'json', stdout.replaceAll(broken.url, EXAMPLE));
  });
});

describe('the commands', () => {
  const commands = blocks('sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => /^(docvitals|npm start --) /.test(line))
    .map((line) => line.replace(/ [|>].*$/, ''));

  it.each(commands)('%s', async (line) => {
    const args = line
      .replace(/^(docvitals|npm start --) /, '')
      .replace(EXAMPLE, host.url)
      .split(' ');
    // A preview goes on until it is stopped.
    const onStart = (child: ChildProcess): void =>
      void (args[0] === 'serve' && child.stdout?.once('data', () => child.kill('SIGINT')));
    expect(await runCli(args, { cwd: folder, onStart })).toMatchObject({ status: 0, stderr: '' });
  });

  it('are scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...readme.matchAll(/npm (?:run )?(demo|test|start)\b/g)].map(([, name]) => name ?? '');
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });
});

describe('the examples', () => {
  it('are a configuration that loads', async () => {
    const [yaml = ''] = blocks('yaml');
    writeFileSync(path.join(folder, 'example.yaml'), yaml);
    const loaded = await loadConfig({
      cwd: folder,
      file: 'example.yaml',
      env: { DOCS_TOKEN: 'secret' },
      known: knownChecks(),
    });
    expect(loaded).toMatchObject({ ok: true, config: { url: EXAMPLE, checks: [{ id: 'version' }] } });
  });

  it('are a program that runs', async () => {
    const [program = ''] = blocks('ts');
    mkdirSync(path.join(folder, 'node_modules'));
    symlinkSync(ROOT, path.join(folder, 'node_modules', 'docvitals'), 'junction');
    writeFileSync(path.join(folder, 'example.ts'), program.replace(EXAMPLE, host.url));
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(folder, 'example.ts')]);
    expect(stdout.split(' ')[0]).toBe('healthy');
  });
});
