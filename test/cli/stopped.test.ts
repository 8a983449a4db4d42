/** A signal while the whole of a healthy site is checked: whatever the moment, nothing is held against the site. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { runCli } from './run.ts';

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  woff2: 'font/woff2',
};
/** Long enough for a signal to come between two steps of a run. */
const ANSWER_MS = 300;

const files = sampleSite();
let host: Host;
/** Called with the number of each request as it comes. */
let onRequest: (count: number) => void = () => {};

beforeAll(async () => {
  let count = 0;
  host = await listen(({ url = '' }, response) => {
    count += 1;
    onRequest(count);
    void sleep(ANSWER_MS).then(() => answer(decodeURIComponent(url.slice(1)), response));
  });
});
afterAll(() => host.close());

function answer(path: string, response: ServerResponse): void {
  const name = path === '' ? 'index.html' : path;
  const body = files.get(name);
  const type = TYPES[name.split('.').at(-1) ?? ''];
  if (body === undefined || type === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': type }).end(body);
}

interface Stopped {
  readonly status: number | null;
  readonly report: ReportDocument;
}

/** Runs the check and sends a signal so long after the first request. */
async function stoppedAfter(ms: number): Promise<Stopped> {
  const begun = Promise.withResolvers<undefined>();
  onRequest = () => begun.resolve(undefined);
  const { status, stdout } = await runCli(['check', host.url, '--full', '--format', 'json'], {
    onStart: (child) => void begun.promise.then(() => sleep(ms)).then(() => child.kill('SIGINT')),
  });
  return { status, report: JSON.parse(stdout) as ReportDocument };
}

const MOMENTS = [0.95, 1.05, 1.95, 2.05, 2.5, 3.5, 4.5].map((steps) => ({
  steps,
  ms: Math.round(steps * ANSWER_MS),
}));

describe.skipIf(process.platform === 'win32')('a signal in a run over the whole of a healthy site', () => {
  it.each(MOMENTS)('after $steps answers in a row', async ({ ms }) => {
    const { status, report } = await stoppedAfter(ms);
    const findings = report.checks.flatMap(({ findings: own }) =>
      own.map(({ rule, severity }) => ({ rule, severity })),
    );
    expect({ status, interrupted: report.interrupted, verdict: report.verdict }).toEqual({
      status: 130,
      interrupted: true,
      verdict: 'unknown',
    });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findings.filter(({ rule }) => /limit-reached|deadline-exceeded|parse-limit/.test(rule))).toEqual([]);
  });
});
