/** Real servers that ask for less, fail or take their time while somebody waits for them. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../checks/source/fixtures/source.ts';
import type { Report } from '../../src/core/check.ts';
import type { Waiting } from '../../src/wait/wait.ts';
import { waitFor } from './deploys.ts';

const FILES: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Docs</title><div id="app"></div>',
  'config.json': '{"homePage": "index.md"}',
  'index.md': '# Home\n',
  'llms.txt': '# Docs\n\n- [Home](index.md)\n',
  'navigation.md': '- [Home](index.md)\n- [Guide](guide.md)\n',
  'guide.md': '# Guide\n',
};
const NEWER = { 'guide.md': '# Guide, written again\n' };
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', json: 'application/json', md: 'text/markdown' };

function serve(path: string, response: ServerResponse): void {
  const name = path === '' ? 'index.html' : path;
  const body = FILES[name];
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'text/plain';
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
}

interface Scene extends Partial<Waiting> {
  readonly forMs: number;
  readonly hasSource?: boolean;
  /** How it answers; `isLast`: in the round over everything. */
  readonly answer: (path: string, response: ServerResponse, isLast: boolean) => void;
}

async function watch({ answer, hasSource = false, ...waiting }: Scene): Promise<{ report: Report; late: number }> {
  let isLast = false;
  let late = 0;
  const server = createServer(({ url = '' }, response) => {
    if (isLast) late += 1;
    answer(decodeURIComponent(url.slice(1)), response, isLast);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const report = await waitFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      ...waiting,
      ...(hasSource ? { wants: { source: sourceOf([{ ...FILES, ...NEWER }, FILES]) }, also: ['source'] } : {}),
      onRun: ({ whole }) => void (isLast = whole),
    });
    return { report, late };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('a last run', () => {
  // Somebody who waits as the host says would be here for minutes.
  it('that is refused ends at once, and what was old before is reported', async () => {
    const { report } = await watch({
      hasSource: true,
      forMs: 500,
      answer: (path, response, isLast) =>
        isLast ? response.writeHead(429, { 'retry-after': '60' }).end() : serve(path, response),
    });
    expect([report.verdict, report.fresh, report.checks.find(({ id }) => id === 'source')?.status]).toEqual([
      'unknown',
      false,
      'fail',
    ]);
  });

  it('of a host that has just failed asks for each file once', async () => {
    const { report, late } = await watch({
      hasSource: true,
      forMs: 300,
      answer: (_, response) => response.writeHead(503).end(),
    });
    expect([report.verdict, report.checks.find(({ id }) => id === 'bundle')?.attempts]).toEqual(['down', 1]);
    expect(late).toBeLessThan(20);
  });
});

describe('a slow site', () => {
  it.each([
    { name: 'that answers once in time', slowMs: 400, forMs: 600 },
    { name: 'that never answers in time', slowMs: 1_300, forMs: 300 },
  ])(
    '$name is healthy',
    async ({ slowMs, forMs }) => {
      const { report } = await watch({
        forMs,
        answer: (path, response) => void setTimeout(() => serve(path, response), slowMs),
      });
      expect([report.verdict, report.waited?.allPassedMs]).toEqual(['healthy', expect.any(Number)]);
    },
    20_000,
  );
});
