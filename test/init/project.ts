/** Real folders and repositories for `docvitals init` to look at. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import type { WorkflowSite } from '../../src/init/workflows.ts';

export interface Shape {
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The URL of `origin`; `null`: a repository without a remote; absent: no repository. */
  readonly remote?: string | null;
  readonly branch?: string;
}

/** Makes a folder of that shape; returns its path without symbolic links. */
export function makeProject({ files = {}, remote, branch = 'main' }: Shape = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-init-')));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  if (remote !== undefined) {
    git(folder, 'init', '--quiet', `--initial-branch=${branch}`);
    if (remote !== null) git(folder, 'remote', 'add', 'origin', remote);
  }
  return folder;
}

export function git(cwd: string, ...args: readonly string[]): void {
  execFileSync('git', args, { cwd, stdio: 'ignore' });
}

/** The texts of all files by path, without Git's own; links and what cannot be read are named. */
export function snapshot(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(path.join(folder, below)).filter((name) => name !== '.git');
  return Object.assign(
    {},
    ...entries.toSorted().map((name): Record<string, string> => {
      const file = path.posix.join(below, name);
      const found = lstatSync(path.join(folder, file));
      if (found.isDirectory()) return snapshot(folder, file);
      return { [file]: found.isFile() ? readFileSync(path.join(folder, file), 'utf8') : 'no file' };
    }),
  ) as Record<string, string>;
}

/** The paths that are in one snapshot and not, or not the same, in another. */
export function changed(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  return Object.keys(after).filter((file) => before[file] !== after[file]);
}

export const GITHUB = 'https://github.com/acme/handbook.git';
export const URL_FLAG = ['--url', 'https://docs.example.com/'];
export const PAGES = '.github/workflows/docvitals-pages.yml';
export const DEPLOYMENT = '.github/workflows/docvitals-deployment.yml';
export const DISPATCH = '.github/workflows/docvitals-dispatch.yml';
export const PUSH = '.github/workflows/docvitals-push.yml';
export const NIGHTLY = '.github/workflows/docvitals-nightly.yml';

export const docsify = (folder: string): Record<string, string> => ({
  [path.posix.join(folder, 'index.html')]: '<script src="//cdn.example/docsify@4"></script>',
  [path.posix.join(folder, 'README.md')]: '# Docs\n',
  [path.posix.join(folder, '_sidebar.md')]: '- [Home](/)\n',
});
export const mdwiki = (folder: string): Record<string, string> => ({
  [path.posix.join(folder, 'index.html')]: '<!-- MDwiki 0.6.2 --><html></html>',
  [path.posix.join(folder, 'config.json')]: '{}',
  [path.posix.join(folder, 'navigation.md')]: '# Docs\n',
  [path.posix.join(folder, 'index.md')]: '# Docs\n',
});

export const init = (cwd: string, ...args: readonly string[]): Promise<ResultHere> =>
  runHere(['init', ...args], { cwd });

/** What the configuration says, but for its language. */
export function configOf(folder: string, file = 'docvitals.yaml'): Record<string, unknown> {
  const text = readFileSync(path.join(folder, file), 'utf8');
  const settings = Object.entries(parse(text) as Record<string, unknown>);
  return Object.fromEntries(settings.filter(([key]) => key !== 'language'));
}

/** The site of the examples in the documentation. */
export const EXAMPLE: WorkflowSite = {
  url: 'https://docs.example.com/',
  source: 'docs',
  branch: 'main',
  config: 'docvitals.yaml',
  writesVersion: true,
};
