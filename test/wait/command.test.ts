/** `docvitals check --wait` as a person runs it. */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli, type RunResult } from '../cli/run.ts';
import { runHere } from '../cli/run-here.ts';
import { startHost, type Host } from '../site/host.ts';
import { COMMITS, makeDeploys, type Deploys } from './deploys.ts';

let deploys: Deploys;
let host: Host;
beforeEach(async () => {
  deploys = makeDeploys();
  host = await startHost(deploys.current);
});
afterEach(async () => {
  await host.close();
  deploys.remove();
});

const documentOf = ({ stdout }: RunResult): ReportDocument => JSON.parse(stdout) as ReportDocument;
/** Deploys once the command says that it waits. */
const onceItWaits =
  (act: (child: ChildProcess) => void) =>
  (child: ChildProcess): void => {
    child.stderr?.once('data', () => act(child));
  };

describe('docvitals check --wait', () => {
  it('says what it waits for, and ends well once it is there', async () => {
    const result = await runCli(
      ['check', host.url, '--wait', '30s', '--expect-version', COMMITS.new, '--format', 'json'],
      { onStart: onceItWaits(() => deploys.switchTo('new')) },
    );
    const { verdict, fresh, waited } = documentOf(result);
    expect({ status: result.status, verdict, fresh, by: waited?.by }).toEqual({
      status: 0,
      verdict: 'healthy',
      fresh: true,
      by: 'version',
    });
    expect(result.stderr).toContain(COMMITS.old);
  });

  it.each([
    {
      by: ['--expect-version', COMMITS.new],
      verdict: 'stale',
      says: /stale: the site works, but the old version is still live: /,
    },
    // Without Git history nothing shows that what differs is older.
    { by: ['--source'], verdict: 'degraded', says: /degraded: 1 of \d+ checks failed/ },
  ])(
    'ends with 1 and the verdict $verdict where the new version never comes, by $by',
    async ({ by, verdict, says }) => {
      const args = ['check', host.url, '--wait', '1s', ...by, ...(by.length === 1 ? [deploys.folder('new')] : [])];
      const [pretty, json] = await Promise.all([runCli(args), runCli([...args, '--format', 'json', '--quiet'])]);
      expect([pretty.status, json.status, json.stderr]).toEqual([1, 1, '']);
      expect(documentOf(json)).toMatchObject({ verdict, fresh: false, waited: { allPassedMs: null } });
      const last = pretty.stdout.trimEnd().split('\n').join(' ');
      expect(last).toMatch(says);
    },
  );

  it('waits for nothing where all is there, and says nothing of it', async () => {
    deploys.switchTo('new');
    const { status, stdout, stderr } = await runCli(['check', host.url, '--wait', '1m']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^was healthy already: /);
  });

  it('waits for a site that is not there yet', async () => {
    const server = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const started: Promise<Host>[] = [];
    const result = await runCli(['check', `http://127.0.0.1:${port}/`, '--wait', '30s', '--format', 'json'], {
      onStart: onceItWaits(() => void started.push(startHost(deploys.current, { port }))),
    });
    for (const late of await Promise.all(started)) await late.close();
    expect([result.status, documentOf(result).verdict]).toEqual([0, 'healthy']);
    expect(result.stderr).toContain('refused');
  });

  it.each([
    { signal: 'SIGINT', by: 'source' },
    { signal: 'SIGTERM', by: 'version' },
  ] as const)(
    '$signal in a pause ends it with what is known by the $by: not that the site is well',
    async ({ signal, by }) => {
      // Visitors see nothing of it, and nobody has checked that yet.
      for (const name of ['index.html', 'navigation.md', 'llms.txt']) rmSync(join(deploys.folder('old'), name));
      // The first file that is compared names the versions apart, so that it is requested alone.
      writeFileSync(join(deploys.folder('new'), 'config.json'), '{"homePage": "index.md", "title": "New"}');
      const files = { junit: join(deploys.current, '../junit.xml'), prometheus: join(deploys.current, '../docs.prom') };
      const reports = Object.entries(files).flatMap(([format, file]) => ['--report', `${format}=${file}`]);
      const wanted = by === 'source' ? ['--source', deploys.folder('new')] : ['--expect-version', COMMITS.new];
      const args = ['check', host.url, '--wait', '5m', '--format', 'json', ...wanted, ...reports];
      const onStart = onceItWaits((child) => void sleep(300).then(() => child.kill(signal)));
      const result = await runCli(args, { onStart });
      expect(result.status).toBe(signal === 'SIGINT' ? 130 : 143);
      const { checks, ...document } = documentOf(result);
      expect(document).toMatchObject({
        interrupted: true,
        verdict: 'unknown',
        fresh: false,
        waited: { by, allPassedMs: null },
        summary: { pass: 0, warn: 0, fail: 1, skip: 0, unknown: 5 },
      });
      const unseen = checks.filter(({ status }) => status === 'unknown');
      expect(unseen.flatMap(({ findings }) => findings.map(({ rule }) => rule))).toEqual(
        unseen.map(({ id }) => `${id}/interrupted`),
      );
      const prometheus = readFileSync(files.prometheus, 'utf8');
      expect(prometheus).not.toMatch(/^docvitals_up\b/m);
      expect(prometheus).toMatch(/^docvitals_fresh\{.*\} 0$/m);
      expect(prometheus).toMatch(/verdict="unknown".* 1$/m);
      const junit = readFileSync(files.junit, 'utf8');
      expect(junit).not.toContain('the site works');
      expect(junit).toMatch(/<testsuites[^>]* tests="6"/);
    },
  );
});

describe('a mistake is reported before anything is waited for', () => {
  it.each([
    { name: 'no duration', args: ['--wait', '5'], names: ['--wait'] },
    { name: 'an empty version', args: ['--wait', '5m', '--expect-version', ' '], names: ['--expect-version'] },
    {
      name: 'no place',
      args: ['--expect-version', 'abc1234', '--version-from', 'a.json#~2['],
      names: ['--version-from'],
    },
    {
      name: 'a place for no version',
      args: ['--version-from', 'a.json'],
      names: ['--version-from', '--expect-version'],
    },
    { name: 'stable without wait', args: ['--stable', '3'], names: ['--stable', '--wait'] },
    { name: 'now without wait', args: ['--since', 'now'], names: ['--since now', '--wait'] },
    { name: 'no time', args: ['--since', 'yesterday'], names: ['--since', 'yesterday'] },
    { name: 'digits that are neither a time nor in quotes', args: ['--since', '42'], names: ['--since', '42'] },
    {
      name: 'a source that is waited for and left out',
      args: ['--source', '.', '--skip', 'source', '--wait', '5m'],
      names: ['--source', '--skip source'],
    },
    {
      name: 'a version that is waited for and left out',
      args: ['--expect-version', '1.4.0', '--skip', 'deployed-version', '--wait', '5m'],
      names: ['--expect-version', '--skip deployed-version'],
    },
    { name: 'no rounds', args: ['--wait', '5m', '--stable', '0'], names: ['--stable'] },
    {
      name: 'the check version without a version',
      args: ['--only', 'deployed-version'],
      names: ['--only deployed-version'],
    },
  ])('$name', async ({ args, names }) => {
    const { status, stdout, stderr } = await runHere(['check', 'http://127.0.0.1:9/', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    for (const name of names) expect(stderr).toContain(name);
  });
});
