/** The documentation site as `npm run docs` writes it, and what `docvitals check` reports of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '../../src/build/site/build.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runHere } from '../cli/run-here.ts';

export interface BuiltSite {
  readonly folder: string;
  remove(): void;
}

/** Builds the site into a folder of its own; `url`: where it will be. */
export async function builtSite(url: URL | null = null): Promise<BuiltSite> {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-docs-'));
  const folder = join(root, 'site');
  await buildSite(folder, url);
  return { folder, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface Outcome {
  readonly verdict: string;
  /** Findings that are more than information, each once. */
  readonly findings: readonly string[];
}

/** What the built command reports. */
export async function reported(args: readonly string[]): Promise<Outcome> {
  const { stdout, stderr } = await runHere(['check', ...args, '--full', '--strict', '--format', 'json']);
  if (stdout === '') throw new Error(stderr);
  const { verdict, checks } = JSON.parse(stdout) as ReportDocument;
  const findings = checks.flatMap(({ findings: own }) =>
    own.filter(({ severity }) => severity !== 'info').map(({ rule }) => rule),
  );
  return { verdict, findings: [...new Set(findings)].toSorted() };
}
