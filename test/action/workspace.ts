/** What a job has checked out: a repository with a small site in its folder `docs`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startHost } from '../site/host.ts';

/** Path → content. */
export type Files = Readonly<Record<string, string>>;

/** A healthy site; `text` is in every file, so that two versions differ in all of them. */
export function smallSite(text: string): Files {
  return {
    'index.html': `<!doctype html><html lang="en"><head><title>Handbook</title></head><body><div id="app">${text}</div></body></html>\n`,
    'config.json': `${JSON.stringify({ title: `Handbook ${text}`, homePage: 'index.md', llmsTxtUrl: '/llms.txt' }, null, 2)}\n`,
    'navigation.md': `# Handbook ${text}\n\n- [Home](#/index.md)\n- [Guide](#/guide.md)\n- [Tides](#/tides.md)\n`,
    'index.md': `# Handbook\n\nWelcome, ${text}. Read the [guide](guide.md).\n`,
    'guide.md': `# Guide\n\nAll about ${text}.\n\n[Home](index.md)\n`,
    'tides.md': `# Tides\n\nHigh and low, ${text}.\n`,
    'llms.txt': `# Handbook\n\n> ${text}\n\n- [Guide](guide.md)\n- [Tides](tides.md)\n`,
    'robots.txt': 'User-agent: *\nAllow: /\n',
  };
}

/** Serves files until the test ends; its URL. `fallback`: the bundle for every missing file. */
export async function serve(files: Files, { fallback = false } = {}): Promise<string> {
  const host = await startHost(new Map(Object.entries(files)), { fallback });
  onTestFinished(() => host.close());
  return host.url;
}

/** A temporary folder, removed at the end. */
export function temporary(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `docvitals-${name}-`));
  if (folders.length === 0) process.once('exit', removeAll);
  folders.push(folder);
  return folder;
}

const folders: string[] = [];

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

/** A repository, with a commit for each version of its folder `docs`; the last one is checked out. */
export function repositoryOf(versions: readonly Files[]): { readonly folder: string; readonly commit: string } {
  const folder = temporary('workspace');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@docs.test', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  git('init', '--quiet', '--initial-branch=main');
  for (const [index, files] of versions.entries()) {
    writeFiles(path.join(folder, 'docs'), files);
    git('add', '.');
    git('commit', '--quiet', '--message', `Version ${index}`);
  }
  return { folder, commit: git('rev-parse', 'HEAD').trim() };
}
