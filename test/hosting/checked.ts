/** A small healthy site by what `docvitals hosting` prints and `docvitals serve` does, and what the command reports of it. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import type { HostFile } from '../../src/hosting/configuration.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { runHere, type ResultHere } from '../cli/run-here.ts';
import { KIND, printed, startPrinted, type HostName } from './printed.ts';
import { HEALTHY_SITE, writeSite } from './site.ts';

/** Serves it with the software of a host; gives its base URL. */
async function start(host: HostName, base: string, files: readonly HostFile[]): Promise<string> {
  const { root, site } = writeSite('/', HEALTHY_SITE);
  const running = await startPrinted(host, base, files, site).finally(() => rmSync(root, { recursive: true }));
  onTestFinished(() => running.stop());
  return running.url;
}

type Run = (args: readonly string[]) => Promise<Pick<ResultHere, 'status' | 'stdout'>>;

/** What `check --full --strict` reports: its status and the rules, each once. */
export async function reported(args: readonly string[], run: Run = runHere) {
  const { stdout, status } = await run(['check', ...args, '--full', '--strict', '--format', 'json']);
  const report = JSON.parse(stdout) as ReportDocument;
  const findings = report.checks.flatMap(({ findings: own }) =>
    own
      .filter(({ severity, rule }) => severity !== 'info' || rule === 'caching/heuristic-lifetime')
      .map(({ rule }) => rule),
  );
  return { status, findings: [...new Set(findings)].toSorted() };
}

/** The rules that notes on documented rules name. */
const rulesIn = (notes: string): readonly string[] =>
  [...notes.matchAll(/\b([a-z]+(?:-[a-z]+)*\/[a-z]+(?:-[a-z]+)+)(?=[`:,])/g)].map(([, rule = '']) => rule).toSorted();

/** What is printed for a host passes on it. */
export async function expectHealthy(host: HostName): Promise<void> {
  const base = host === 'cloudflare' ? '/' : '/docs/';
  const { files } = await printed([host === 'netlify' ? host : KIND[host], '--base', base]);
  const url = await start(host, base, files);
  expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 0, findings: [] });
}

/** The documented rules of a host have the findings that its output names. */
export async function expectNamedFindings(host: HostName): Promise<void> {
  const { files, all } = await printed([host, '--base', 'docs', '--documented']);
  const url = await start(host, '/docs/', files);
  expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 1, findings: rulesIn(all) });
}

/** Serves a folder with the command; gives its base URL. */
async function startServe(args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onStart = (child: ChildProcess): void => {
    onTestFinished(() => void child.kill('SIGTERM'));
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/\S*(?=\s)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  };
  runCli(['serve', ...args, '--port', '0'], { onStart }).then(({ stderr }) => reject(new Error(stderr)), reject);
  return promise;
}

/** `docvitals serve` as a host: healthy, or with the findings of the documented rules. */
export async function expectServed(
  host: Exclude<HostName, 'netlify'>,
  rules: 'improved' | 'documented',
): Promise<void> {
  const { root, site } = writeSite('/', HEALTHY_SITE);
  onTestFinished(() => rmSync(root, { recursive: true }));
  const documented = rules === 'documented' ? ['--documented'] : [];
  const url = await startServe([site, '--host', KIND[host], '--base', '/docs/', ...documented]);
  const { all } = await printed([host, ...documented]);
  // Without Last-Modified, which a preview does not send, caches cannot guess a lifetime.
  const named = rulesIn(all).filter((rule) => rule !== 'caching/heuristic-lifetime');
  const expected = rules === 'documented' ? { status: 1, findings: named } : { status: 0, findings: [] };
  expect(await reported([url, '--host', KIND[host]])).toEqual(expected);
}
