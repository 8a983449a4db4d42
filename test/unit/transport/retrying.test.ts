import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { Ended } from '../../../src/http/failure.ts';
import { hostRecords } from '../../../src/http/host-record.ts';
import { retryAfterMs } from '../../../src/http/retry.ts';
import { ask, noReplyOf, pooled, replyOf } from '../../transport/client.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Answers with each status in turn, the last for ever. */
function inTurn(
  statuses: readonly number[],
  headers: Record<string, string> = {},
): { listener: RequestListener; count: () => number } {
  let count = 0;
  return {
    listener: (_request, response) => {
      const status = statuses[Math.min(count, statuses.length - 1)] ?? 200;
      count += 1;
      response.writeHead(status, headers).end(`answer ${count}`);
    },
    count: () => count,
  };
}

// They wait for pauses most of their time.
describe.concurrent('asking again', () => {
  it.each([
    ['after 503', [503, 200], 200, 2],
    ['after 408 and 429', [408, 429, 200], 200, 3],
    ['no more often than told', [500, 500, 500, 200], 500, 3],
    ['not after 404', [404, 200], 404, 1],
    ['not after 200', [200, 500], 200, 1],
  ] as const)('%s', async (_name, statuses, status, attempts) => {
    const turns = inTurn(statuses);
    const answer = replyOf(await ask(await serve(turns.listener), { retries: 2 }));
    expect([answer.status, answer.attempts, turns.count()]).toEqual([status, attempts, attempts]);
  });

  it('not where one answer is all that is wanted, alone or pooled', async () => {
    const turns = inTurn([503]);
    const url = await serve(turns.listener);
    const run = pooled(url, { retries: 2 });
    const answers = [await ask(url, { retries: 2 }, { once: true }), await run.ask(url, { once: true })];
    run.end();
    expect(answers.map((answer) => [replyOf(answer).status, answer.attempts])).toEqual([
      [503, 1],
      [503, 1],
    ]);
    expect(turns.count()).toBe(2);
  });

  it('after a connection that was reset', async () => {
    let count = 0;
    const url = await serve((request, response) => {
      count += 1;
      if (count === 1) request.socket.resetAndDestroy();
      else response.end('ok');
    });
    expect(replyOf(await ask(url, { retries: 1 })).attempts).toBe(2);
  });

  it('not after a redirect loop', async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());
    expect(noReplyOf(await ask(url, { retries: 2 }))).toMatchObject({ reason: 'redirect-loop', attempts: 1 });
  });

  it('waits as Retry-After says where the deadline is shorter than the timeout', async () => {
    const turns = inTurn([503, 200], { 'retry-after': '1' });
    const url = await serve(turns.listener);
    const began = performance.now();
    await ask(url, { retries: 1, endsAt: performance.now() + 5_000, timeoutMs: 10_000 });
    expect(performance.now() - began).toBeGreaterThan(1_000);
  });

  it('waits as Retry-After says, but no longer than the deadline leaves', async () => {
    const turns = inTurn([429, 200], { 'retry-after': '3600' });
    const url = await serve(turns.listener);
    const answer = replyOf(await ask(url, { retries: 1, endsAt: performance.now() + 1_500, timeoutMs: 1_000 }));
    expect([answer.status, answer.attempts]).toEqual([200, 2]);
  });
});

describe.concurrent('a host that wants to be left alone', () => {
  it.each([
    { name: 'as long as is waited for', patienceMs: 1_000, status: 200, attempts: 2 },
    { name: 'longer than is waited for', patienceMs: 999, status: 503, attempts: 1 },
    { name: 'by those who wait for nobody', patienceMs: 0, status: 503, attempts: 1 },
  ])('$name: $status after $attempts attempts', async ({ patienceMs, status, attempts }) => {
    const url = await serve(inTurn([503, 200], { 'retry-after': '1' }).listener);
    expect(replyOf(await ask(url, { retries: 2, patienceMs }))).toMatchObject({ status, attempts });
  });
});

describe.concurrent('a host that only fails', () => {
  const clock = (): number => performance.now();

  it('is waited for once, by all requests of a run', async () => {
    const turns = inTurn([503], { 'retry-after': '1' });
    const url = await serve(turns.listener);
    const options = { retries: 1, hosts: hostRecords(clock) };
    const began = performance.now();
    await Promise.all([ask(url, options), ask(url, options)]);
    expect(performance.now() - began).toBeGreaterThan(1_000);
    for (let count = 0; count < 3; count++) await ask(url, options);
    expect(performance.now() - began).toBeLessThan(3_500);
    expect(turns.count()).toBe(10);
  });

  it('is given up', async () => {
    let count = 0;
    const url = await serve(({ socket }) => {
      count += 1;
      socket.resetAndDestroy();
    });
    const hosts = hostRecords(clock);
    for (let times = 0; times < 15; times++) await ask(url, { hosts });
    const answer = noReplyOf(await ask(`${url}guide.md`, { hosts, retries: 2 }));
    expect(answer).toMatchObject({ reason: 'reset', attempts: 0, requestUrl: `${url}guide.md` });
    expect(count).toBe(15);
  });

  it('is reported by its last response, where the run ended before the next', async () => {
    let count = 0;
    const ending = new AbortController();
    const url = await serve((_request, response) => {
      count += 1;
      if (count === 1) response.writeHead(503).end();
      else ending.abort(new Ended('deadline', 1_000));
    });
    expect(replyOf(await ask(url, { retries: 2, signal: ending.signal }))).toMatchObject({ status: 503, attempts: 1 });
    expect(count).toBe(2);
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T09:00:00Z');
  it.each([
    ['seconds', '7', 7_000],
    ['a fraction of a second', '0.25', 250],
    ['a date to come', 'Fri, 20 Nov 2026 09:00:30 GMT', 30_000],
    ['a date gone by', 'Fri, 20 Nov 2026 08:00:00 GMT', 0],
    ['nonsense', 'soon', null],
    ['negative', '-5', null],
    ['absurd', '99999999999999', null],
  ])('%s', (_name, value, ms) => {
    expect(retryAfterMs({ get: (name) => (name === 'retry-after' ? value : null) }, now)).toBe(ms);
  });
});
