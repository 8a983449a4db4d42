/** A folder that is made to be slow or large to read: what the built command needs for it, and what it reports. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen } from '../site/host.ts';

const MOST_MIB = 400;
const DEADLINE_MS = 5_000;
/** For what ends by itself long before, also on a busy machine. */
export const LATER_MS = 20_000;

interface Checks {
  readonly checks: readonly {
    readonly status: string;
    readonly findings: readonly { readonly rule: string; readonly evidence: Readonly<Record<string, unknown>> }[];
  }[];
}

/** A folder with a page in `docs`, and a site with that page, until the test ends. */
export async function makeSource() {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-hostile-source-'));
  const docs = path.join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(path.join(docs, 'index.md'), '# Home\n');
  const host = await listen(({ url = '' }, response) => {
    const found = url === '/index.md';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/markdown' }).end(found ? '# Home\n' : '');
  });
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true });
    await host.close();
  });
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
      cwd: folder,
      input,
      encoding: 'utf8',
    }).trim();
  /** What a check of the source reports: its status, then each finding with the evidence that is about reading. */
  const checked = async (source: string, deadlineMs = DEADLINE_MS) => {
    const args = ['check', host.url, '--only', 'source', '--source', source, '--format', 'json'];
    const { stdout, stderr, durationMs, maxRssMiB } = await runCli([...args, '--deadline', `${deadlineMs}ms`], {
      cwd: folder,
      killAfterMs: 4 * deadlineMs,
    });
    expect(stderr).toBe('');
    // A busy machine takes long to start the command.
    expect(durationMs).toBeLessThan(deadlineMs + 2_000);
    expect(maxRssMiB).toBeLessThan(MOST_MIB);
    const [check] = (JSON.parse(stdout) as Checks).checks;
    const findings = (check?.findings ?? []).map(({ rule, evidence }) => [
      rule.replace(/^source\//, ''),
      evidence['error'] ?? evidence['names'],
    ]);
    return [check?.status, ...findings];
  };
  return { docs, git, checked };
}
