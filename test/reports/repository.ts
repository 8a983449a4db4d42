/** A site that is deployed from a folder of a Git repository, and what a run over it finds. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checks } from '../../checks/index.ts';
import type { Report } from '../../src/core/check.ts';
import { locator, type Locate } from '../../src/report/location.ts';
import { openSource } from '../../src/source/open.ts';
import { html, run, text, type Files } from '../runs.ts';
import { reply, SHELL } from '../answers.ts';

const SITE = {
  'index.html': SHELL,
  'config.json': '{}\n',
  'navigation.md': '# Docs\n\n- [Home](index.md)\n- [Guide](guide.md)\n',
  'index.md': '# Docs\n\nText.\n',
  'guide.md': '# Guide\n\nText.\n',
  'llms.txt': '# Docs\n\n> Docs.\n\n## Docs\n\n- [Home](index.md)\n',
};

type Contents = Readonly<Record<string, string>>;

export interface Repository {
  readonly report: Report;
  readonly locate: Locate;
}

/**
 * Deploys `site/docs` of a new repository as `files` say and runs the checks against it; `live` are files that the
 * site has in another version.
 */
export async function deployed(files: Contents, live: Contents = {}): Promise<Repository> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-repository-'));
  try {
    const commit = (contents: Contents): void => {
      for (const [name, body] of Object.entries(contents)) {
        const file = path.join(folder, 'site/docs', name);
        mkdirSync(path.dirname(file), { recursive: true });
        writeFileSync(file, body);
      }
      git(folder, 'add', '--all');
      git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'change');
    };
    git(folder, 'init', '--quiet');
    commit({ ...SITE, ...files, ...live });
    commit({ ...SITE, ...files });
    const source = await openSource('site/docs', folder);
    const wanted = checks.filter(({ id, full }) => full === undefined || ['links', 'source'].includes(id));
    const report = await run(answers({ ...SITE, ...files, ...live }), {
      checks: wanted,
      requested: { full: true, source },
    });
    return { report, locate: await locator(source, report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder });
}

function answers(files: Contents): Files {
  return Object.fromEntries(Object.entries(files).map(([name, body]) => [`/${encodeURI(name)}`, answer(name, body)]));
}

function answer(name: string, body: string) {
  if (name.endsWith('.html')) return html(body);
  if (name.endsWith('.txt')) return text(body);
  return reply(body, { contentType: name.endsWith('.json') ? 'application/json' : 'text/markdown; charset=utf-8' });
}
