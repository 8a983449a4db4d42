/** Real repositories for drills: small sites, whole and broken. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fitting } from '../contracts.ts';
import type { DrillDocument } from '../../src/cli/drill.ts';
import { runCli, type RunOptions, type RunResult } from '../cli/run.ts';

/** Texts by path. */
export type Files = Readonly<Record<string, string>>;

/** A healthy site, below a folder of its repository. */
export function siteIn(folder: string): Files {
  const files: Files = {
    'index.html': '<!doctype html><title>Docs</title><div id="app"></div>\n',
    'config.json': '{"homePage": "index.md"}\n',
    'navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n',
    'index.md': '# Docs\n',
    'guide.md': '# Guide\n',
    'llms.txt': '# Docs\n\n- [Home](index.md)\n',
  };
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [path.posix.join(folder, name), text]));
}

export const HEALTHY = siteIn('docs');
/** Visitors would see a blank page. */
export const BROKEN: Files = { ...HEALTHY, 'docs/config.json': '{"homePage": "index.md",}\n' };

const made: string[] = [];

/** An empty folder, without symbolic links in its path; removed by {@link removeAll}. */
export function emptyFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-drilled-')));
  made.push(folder);
  return folder;
}

export function removeAll(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function write(folder: string, files: Files): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

export function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A repository with all files in one commit. */
export function makeRepository(files: Files): string {
  const folder = emptyFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  write(folder, files);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message=Site');
  return folder;
}

/** The temporary folders of drills that are left in a folder for temporary files. */
const leftIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith('docvitals-drill-'));

export interface Drilled extends RunResult {
  readonly result: DrillDocument;
  /** Temporary folders that were not removed. */
  readonly left: readonly string[];
}

/** Runs `docvitals drill --format json` with a folder for temporary files of its own. */
export async function drill(args: readonly string[], options: RunOptions = {}): Promise<Drilled> {
  const temporary = emptyFolder();
  const env = { TMPDIR: temporary, ...options.env };
  const ran = await runCli(['drill', '--format', 'json', ...args], { ...options, env });
  return {
    ...ran,
    result: ran.stdout === '' ? ({} as DrillDocument) : (fitting('drill', ran.stdout) as DrillDocument),
    left: leftIn(temporary),
  };
}

export const stepsOf = ({ steps }: DrillDocument): readonly string[] => steps.map(({ id }) => id);
/** Codes of the errors that the checks found. */
export const codesOf = ({ report }: DrillDocument): readonly string[] =>
  (report?.checks ?? []).flatMap(({ findings }) =>
    findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule),
  );
