/**
 * The pages only show what is true: their outputs are what the command prints, their commands run, their programs work.
 * `UPDATE_DOCS=1 vitest run test/docs` writes the generated parts again.
 */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fitting } from '../contracts.ts';
import { checks, defaultChecks } from '../../checks/index.ts';
import { knownChecks } from '../../src/options/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Language } from '../../src/locales/language.ts';
import { loadTexts } from '../../src/report/texts.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { runCli } from '../cli/run.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { startHost, type Host } from '../site/host.ts';
import { sampleSite, writeSite } from '../site/sample.ts';
import { startBrokenHost } from './broken.ts';
import { inWords } from './phrases.ts';
import { blocks, EXAMPLE, expectPart, MONITOR_COMMANDS, PAGES, ROOT, textOf } from './pages.ts';

let host: Host;
let broken: Host;
let folder: string;

beforeAll(async () => {
  // A site that publishes its version in the two ways that the pages show.
  const site = sampleSite();
  site.set('version.json', '{ "commit": "3f2a91cbb1c84be4b6d0ab0cd2e3a4b5c6d7e8f9" }\n');
  site.set('build/info.json', '{ "version": "2.4.0" }\n');
  host = await startHost(site, { fallback: true });
  broken = await startBrokenHost();
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-docs-'));
  // What the commands need: a repository whose folder `docs` is the site.
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

describe('the generated parts', () => {
  it('show a real output', async () => {
    await expectPart('docs/getting-started.md', 'output', async (language) => {
      const { stdout } = await runHere(['check', broken.url, '--lang', language], { env: { COLUMNS: '100' } });
      return { fence: 'console', text: `$ docvitals check ${EXAMPLE}\n\n${stdout.replaceAll(broken.url, EXAMPLE)}` };
    });
  });

  it('list the core checks', async () => {
    await expectPart('docs/concepts.md', 'checks', async (language) => {
      const texts = await loadTexts(language);
      const rows = defaultChecks.map(({ id, target }) => {
        const { expected = '', degraded = '' } = texts.check(id) ?? {};
        return [`[\`${id}\`](checks/${id}.md)`, `\`GET /${target}\``, expected, degraded];
      });
      return { text: table([['check', 'target', 'expected', 'action if degraded'], ...rows], language) };
    });
  });

  it('list the checks of the full check', async () => {
    await expectPart('docs/concepts.md', 'full-checks', async (language) => {
      const texts = await loadTexts(language);
      const rows = checks
        .filter(({ full }) => full)
        .map(({ id }) => {
          const { expected = '', degraded = '' } = texts.check(id) ?? {};
          return [`[\`${id}\`](checks/${id}.md)`, expected, degraded];
        });
      return { text: table([['check', 'expected', 'action if degraded'], ...rows], language) };
    });
  });

  it('list all checks in one line each', async () => {
    const texts = await loadTexts('en');
    const lines = checks.map(({ id }) => {
      const { title = '', expected = '' } = texts.check(id) ?? {};
      return `- [\`${id}\`](https://docvitals.github.io/docvitals/#/checks/${id}): ${title}. ${beginOf(expected)}\n`;
    });
    await expectPart('README.md', 'checks', () => ({ text: lines.join('') }));
  });
});

/** A table in Markdown; its head is the first row. */
function table([head = [], ...rows]: readonly (readonly string[])[], language: Language): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [inWords(line(head), language), ...[head.map(() => ':---'), ...rows].map(line)].join('');
}

/** The first sentence, or the first two where that is a short one. */
function beginOf(text: string): string {
  const [first = '', second = ''] = text.split(/(?<=\.)\s+(?=[A-Z])/);
  return first.length < 60 ? `${first} ${second}`.trim() : first;
}

interface GitLabJob {
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } } | null;
}

/** The words of a command line, for the site of this machine. */
const wordsOf = (line: string): string[] =>
  (
    line
      .replace(/ [|>].*$/, '')
      .replace(EXAMPLE, host.url)
      .match(/"[^"]*"|\S+/g) ?? []
  ).map((word) => word.replaceAll('"', ''));

/** What follows the command, which must have a form. */
function argumentsOf(line: string, command: RegExp): string[] {
  expect(line).toMatch(command);
  return wordsOf(line.replace(command, ''));
}

describe('the commands', () => {
  const lines = blocks('sh').flatMap((block) => block.trim().split('\n'));
  const commands = lines
    .map((line) => line.replace(/^(npm start --|node bin\/docvitals\.js) /, 'docvitals '))
    .filter((line) => line.startsWith('docvitals '))
    // monitor.test.ts runs these.
    .filter((line) => !MONITOR_COMMANDS.includes(line.split(' ')[1] ?? ''))
    .map((line) => line.replace(/ [|>].*$/, ''));
  // The browser starts once: for the command whose options include those of the others.
  const inBrowser = commands.filter((line) => line.includes('--browser')).toSorted((a, b) => b.length - a.length);
  const skipped = chromiumWanted() ? inBrowser.slice(1) : inBrowser;
  const all = [...new Set(commands)].filter((line) => !skipped.includes(line));

  const runLine = (line: string): Promise<ResultHere> => {
    const args = wordsOf(line).slice(1);
    // Journeys of `--wait` cover the pause before the second good run, which takes 5 s each time.
    if (args.includes('--wait')) args.push('--stable', '1');
    const isStarted = args[0] === 'serve' || args.includes('--browser') || line === `docvitals check ${EXAMPLE}`;
    if (!isStarted) return runHere(args, { cwd: folder });
    // A preview continues until it is stopped.
    const onStart = (child: ChildProcess): void =>
      void (args[0] === 'serve' && child.stdout?.once('data', () => child.kill('SIGINT')));
    return runCli(args, { cwd: folder, onStart });
  };

  // They use what others before them have written: a configuration, a manifest.
  it.each(all)('%s', { timeout: 120_000 }, async (line) => {
    expect(await runLine(line)).toMatchObject({ status: 0, stderr: '' });
  });

  it('in a browser have options that were tried together', () => {
    const [tried = '', ...others] = inBrowser.map((line) => wordsOf(line));
    for (const other of others) expect(tried).toEqual(expect.arrayContaining(other));
  });

  it('are otherwise of npm or Git', () => {
    expect(lines.filter((line) => !/^(docvitals|node bin\/docvitals\.js|npm|git) /.test(line))).toEqual([]);
  });

  it('of the job for GitLab run, and leave the report that the job hands over; Jenkins has the same', async () => {
    const jobs = blocks('yml').map((text) => Object.values(parse(text) as object)[0] as GitLabJob | undefined);
    const { script, artifacts } = jobs.find((job) => job?.script !== undefined) ?? { script: [], artifacts: null };
    expect(script).toHaveLength(1);
    const args = argumentsOf(script[0] ?? '', /^npx --yes docvitals@\d+ /);
    expect(await runHere(args, { cwd: folder })).toMatchObject({ status: 0 });
    expect(readFileSync(path.join(folder, artifacts?.reports.junit ?? ''), 'utf8')).toContain('<testsuites');
    expect(blocks('groovy')[0]).toContain(script[0]);
  });

  it('of the crontab run', async () => {
    const [, line = ''] = blocks('crontab')[0]?.trim().split('\n') ?? [];
    const args = argumentsOf(line, /^\*\/5 \* \* \* \*  umask 022; docvitals /);
    const target = '/var/lib/node_exporter/textfile_collector/';
    const here = args.map((arg) => arg.replace(target, ''));
    expect(here).not.toEqual(args);
    expect(await runHere(here, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(path.join(folder, 'docs.prom'), 'utf8')).toMatch(/^docvitals_up\{.*\} 1$/m);
  });

  it('of npm are scripts of the package', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = PAGES.flatMap((page) => [...textOf(page).matchAll(/\bnpm (?:run (\S+?)|(test|start))(?=[\s`]|$)/gm)]);
    expect(named.length).toBeGreaterThan(5);
    expect(Object.keys(scripts)).toEqual(
      expect.arrayContaining(named.map(([, script, standard]) => script ?? standard)),
    );
  });

  it('include the one that tests the project', () => {
    expect(blocks('sh', 'README.md')).toContain('npm cit\n');
  });
});

describe('the examples', () => {
  it('are a configuration that loads', async () => {
    const yaml = blocks('yaml').find((text) => text.includes('\nchecks:')) ?? '';
    writeFileSync(path.join(folder, 'example.yaml'), yaml);
    const loaded = await loadConfig({
      cwd: folder,
      file: 'example.yaml',
      env: { DOCS_TOKEN: 'secret' },
      known: knownChecks(),
    });
    expect(loaded).toMatchObject({ config: { url: EXAMPLE, checks: [{ id: 'release-notes' }] } });
  });

  it('are the times of a report', async () => {
    const shown = blocks('json').map((text) => JSON.parse(text) as { readonly waited?: object });
    const example = shown.find(({ waited }) => waited !== undefined)?.waited ?? {};
    const args = ['check', host.url, '--source', 'docs', '--wait', '1m', '--stable', '1', '--format', 'json'];
    const { stdout } = await runHere(args, { cwd: folder });
    const { waited } = JSON.parse(stdout) as { waited: object };
    // The site of this test is live from the start.
    expect(Object.keys(example)).toEqual(Object.keys(waited).filter((key) => key !== 'alreadyLive'));
  });

  it('are a manifest', async () => {
    const { stdout } = await runHere(['manifest', 'docs'], { cwd: folder });
    expect(Object.keys((fitting('manifest', stdout) as { files: object }).files)).toContain('index.html');
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
