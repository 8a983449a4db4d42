/** Ctrl-C and SIGTERM while a server is silent. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { runCli } from './run.ts';
import type { RunOptions, RunResult } from './run.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{"homePage": 1}'],
};
const STATUSES = { SIGINT: 130, SIGTERM: 143 } as const;
type Signal = keyof typeof STATUSES;
const SIGNALS = Object.keys(STATUSES) as Signal[];

const hosts: Host[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A site that answers for the bundle and the configuration only, and says when those are reported and the rest is asked. */
async function halfSilent(): Promise<{ url: string; stuck: Promise<unknown> }> {
  const awaited = ['index.html', 'config.json', 'navigation.md'];
  const events = new Map(awaited.map((name) => [name, Promise.withResolvers<undefined>()]));
  const host = await listen(({ url = '', socket }, response) => {
    const name = url.split('/').at(-1) ?? '';
    const [type, body] = FILES[name] ?? [];
    if (type === undefined) return events.get(name)?.resolve(undefined);
    // The client leaves once it has read all of it.
    socket.once('close', () => events.get(name)?.resolve(undefined));
    response.writeHead(200, { 'content-type': type }).end(body);
    return undefined;
  });
  hosts.push(host);
  return { url: host.url, stuck: Promise.all([...events.values()].map(({ promise }) => promise)) };
}

/** Runs a check against such a site and sends signals once nothing more can be reported. */
async function interrupted(
  signals: readonly Signal[],
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<RunResult> {
  const { url, stuck } = await halfSilent();
  const send = async (child: ChildProcess): Promise<void> => {
    await stuck;
    // What was read last is evaluated meanwhile.
    await sleep(400);
    for (const signal of signals) child.kill(signal);
  };
  return runCli(['check', url, '--only', 'bundle,config,navigation', ...args], {
    ...options,
    onStart: (child) => {
      options.onStart?.(child);
      void send(child);
    },
  });
}

const statusesOf = ({ checks }: ReportDocument): string[] => checks.map(({ id, status }) => `${id} ${status}`);
const KNOWN = ['bundle pass', 'config fail', 'navigation unknown'];

describe.skipIf(process.platform === 'win32')('a signal', () => {
  it.each(SIGNALS)('%s: what is known is printed', async (signal) => {
    const { status, stdout, stderr } = await interrupted([signal]);
    expect({ status, stderr }).toEqual({ status: STATUSES[signal], stderr: '' });
    expect(stdout).toMatch(/^. pass .*\/index\.html/m);
    expect(stdout).toContain('config/setting-type');
    expect(stdout).toMatch(/^. unknown .*\/navigation\.md/m);
  });

  it.each(SIGNALS)('%s: the JSON is whole and says so', async (signal) => {
    const { status, stdout, stderr } = await interrupted([signal], ['--format', 'json']);
    const report = JSON.parse(stdout) as ReportDocument;
    expect({ status, stderr, interrupted: report.interrupted }).toEqual({
      status: STATUSES[signal],
      stderr: '',
      interrupted: true,
    });
    expect(statusesOf(report)).toEqual(KNOWN);
    expect(report.checks[2]?.findings.map(({ rule }) => rule)).toEqual([expect.stringMatching(/\/interrupted$/)]);
  });

  it('files are written too', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'docvitals-signal-')), 'report.json');
    const { status } = await interrupted(['SIGINT'], ['--quiet', '--report', `json=${file}`]);
    expect(status).toBe(130);
    expect(statusesOf(JSON.parse(readFileSync(file, 'utf8')) as ReportDocument)).toEqual(KNOWN);
  });

  it('twice ends at once, with the same status', async () => {
    const { status, signal } = await interrupted(['SIGINT', 'SIGINT', 'SIGINT'], ['--format', 'json']);
    expect({ status, signal }).toEqual({ status: 130, signal: null });
  });

  it('between two tries ends the wait', async () => {
    const host = await listen((_, response) => response.writeHead(503, { 'retry-after': '3000' }).end());
    hosts.push(host);
    const onStart = (child: ChildProcess): void => void sleep(1500).then(() => child.kill('SIGTERM'));
    const { status, stdout } = await runCli(['check', host.url, '--deadline', '1h', '--format', 'json'], { onStart });
    const report = JSON.parse(stdout) as ReportDocument;
    expect({ status, interrupted: report.interrupted }).toEqual({ status: 143, interrupted: true });
    expect(new Set(report.checks.flatMap(({ status: own }) => own))).not.toContain('pass');
  });
});

/** Ctrl-C, and again where that did not end it. */
async function pressTwice(child: ChildProcess, stuck: Promise<unknown>): Promise<void> {
  await stuck;
  await sleep(800);
  child.kill('SIGINT');
  await sleep(800);
  child.kill('SIGINT');
}

describe.skipIf(process.platform === 'win32')('a second Ctrl-C', () => {
  it('ends even a report that nobody reads', async () => {
    const { url, stuck } = await halfSilent();
    const config = join(mkdtempSync(join(tmpdir(), 'docvitals-signal-')), 'many.json');
    const texts = Array.from(
      { length: 2000 },
      (_, index) => `this text is not in the page, and its number is ${index}`,
    );
    const checks = [{ id: 'many', title: 'Many texts', path: 'index.html', expect: { contains: texts } }];
    writeFileSync(config, JSON.stringify({ checks }));
    const { status, signal } = await runCli(
      ['check', url, '--config', config, '--only', 'bundle,navigation,many', '--format', 'json'],
      {
        killAfterMs: 12_000,
        onStart: (child) => {
          // More than a pipe holds, and no reader: the command cannot end by itself.
          child.stdout?.pause();
          child.once('exit', () => child.stdout?.destroy());
          void pressTwice(child, stuck);
        },
      },
    );
    expect({ status, signal }).toEqual({ status: 130, signal: null });
  });
});
