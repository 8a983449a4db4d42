/** Waiting for a turn: refusals, the run's end, redirects from host to host. */
import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Ended } from '../../src/http/failure.ts';
import { noReplyOf, pooled, replyOf, textOf } from './client.ts';
import { serveWire, whole, type WireRequest, type WireServer } from './wire-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: WireRequest) => void): Promise<WireServer> {
  const server = await serveWire(answer);
  closing.push(() => server.close());
  return server;
}

const echo = ({ socket, target }: WireRequest): void => void socket.write(whole(target));
const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/p${index}.md`);

/** Twenty seconds pass in one. */
function fastClock(): () => number {
  const timer = setTimeout;
  vi.stubGlobal('setTimeout', (callback: (arg: unknown) => void, ms: number, arg: unknown) =>
    timer(callback, ms / 20, arg),
  );
  closing.push(() => void vi.unstubAllGlobals());
  return () => performance.now() * 20;
}

describe('a host that says it is too much', () => {
  it.each([
    ['429', 'HTTP/1.1 429 Too Many Requests'],
    ['429 with Retry-After', 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1'],
    ['503 with Retry-After', 'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1'],
    ['503', 'HTTP/1.1 503 Service Unavailable'],
  ])('%s to all that are under way: everybody waits, and gets an answer', async (_name, head) => {
    let refused = 0;
    let underWay = 0;
    let mostAfter = 0;
    const server = await serve((request) => {
      if (refused < 6) {
        refused += 1;
        request.socket.write(whole('', head));
        return;
      }
      mostAfter = Math.max(mostAfter, (underWay += 1));
      setTimeout(() => {
        underWay -= 1;
        echo(request);
      }, 5);
    });
    const run = pooled(server.url, { retries: 2 });
    const answers = await Promise.all(paths(16).map((path) => run.ask(path)));
    expect(answers.map(textOf)).toEqual(paths(16));
    expect(answers.map(({ attempts }) => attempts).filter((attempts) => attempts === 2).length).toBe(6);
    expect(server.requests.length).toBe(22);
    expect(mostAfter).toBeLessThanOrEqual(4);
  });

  it('and takes so many a second: every page is had', async () => {
    // A bucket as of nginx's limit_req: 100 requests a second, three at once, and no word of when to come back.
    let level = 0;
    let last = performance.now();
    const server = await serve((request) => {
      const now = performance.now();
      level = Math.max(0, level - ((now - last) * 100) / 1000);
      last = now;
      const fits = level <= 3;
      if (fits) level += 1;
      request.socket.write(fits ? whole(request.target) : whole('', 'HTTP/1.1 503 Service Temporarily Unavailable'));
    });
    const run = pooled(server.url, { retries: 2 });
    const answers = await Promise.all(paths(80).map((path) => run.ask(path)));
    expect(answers.map(textOf)).toEqual(paths(80));
  }, 20_000);

  it('for longer than the run lasts: those who wait are not held against it', async () => {
    const server = await serve(({ socket }) => {
      socket.write(whole('', 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3600'));
    });
    const run = pooled(server.url, { retries: 0 }, { connectionsPerHost: 1 });
    const [first, ...others] = await Promise.all(paths(5).map((path) => run.ask(path)));
    expect(first).toMatchObject({ status: 429 });
    for (const other of others) {
      expect(other).toMatchObject({
        reason: 'interrupted',
        attempts: 0,
        evidence: { status: 429, retryAfterMs: 3_600_000 },
      });
    }
    expect(server.requests.length).toBe(1);
  });

  it('for longer than anybody waits: nothing more is asked', async () => {
    const server = await serve(({ socket }) => {
      socket.write(whole('', 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10'));
    });
    const run = pooled(server.url, { retries: 2, patienceMs: 3_000 }, { connectionsPerHost: 1 });
    const [first, ...others] = await Promise.all(paths(3).map((path) => run.ask(path)));
    expect(first).toMatchObject({ status: 429, attempts: 1 });
    expect(others.map((answer) => noReplyOf(answer).reason)).toEqual(['interrupted', 'interrupted']);
    expect(server.requests.length).toBe(1);
  });

  it('to everything: it is not asked for ever', async () => {
    const server = await serve(({ socket }) => void socket.write(whole('', 'HTTP/1.1 503 Service Unavailable')));
    const clock = fastClock();
    const run = pooled(server.url, { retries: 2, clock, endsAt: Infinity });
    const answers = await Promise.all(paths(12).map((path) => run.ask(path)));
    expect(answers.map((answer) => replyOf(answer).status)).toEqual(answers.map(() => 503));
    // Three attempts of each at most, and the run ends.
    expect(server.requests.length).toBeLessThanOrEqual(36);
  });

  it('and closes each connection: it is spared after three paths all the same', async () => {
    const server = await serve(({ socket }) => {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    const clock = fastClock();
    const run = pooled(server.url, { retries: 2, clock, endsAt: Infinity });
    for (const path of paths(3)) await run.ask(path);
    const began = clock();
    await run.ask('/fourth');
    expect(clock() - began).toBeGreaterThan(3_000);
  });

  it('keeps no other host waiting', async () => {
    const busy = await serve(({ socket }) => {
      socket.write(whole('', 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 10'));
    });
    const other = await serve(echo);
    const run = pooled(busy.url, { retries: 1 });
    const waiting = run.ask('/a');
    for (const path of paths(10)) expect(textOf(await run.ask(`${other.url.slice(0, -1)}${path}`))).toBe(path);
    run.end();
    expect(replyOf(await waiting)).toMatchObject({ status: 429, attempts: 1 });
  });
});

describe('a request that waits for its turn', () => {
  it('is reported as never sent when the run ends', async () => {
    const server = await serve(() => {});
    const run = pooled(server.url, { retries: 2 }, { connectionsPerHost: 1 });
    const answers = Promise.all([run.ask('/a'), run.ask('/b')]);
    await expect.poll(() => server.requests.length).toBe(1);
    run.end(new Ended('deadline', 1_000));
    const [sent, waiting] = await answers;
    expect(sent).toMatchObject({ reason: 'headers-timeout', attempts: 1, evidence: { deadlineMs: 1_000 } });
    expect(waiting).toMatchObject({ reason: 'interrupted', attempts: 0, evidence: { deadlineMs: 1_000 } });
    expect(waiting.timings).toMatchObject({ dnsMs: null, connectMs: null, firstByteMs: null });
  });

  it('has all of its time left when it is sent', async () => {
    const server = await serve((request) => void setTimeout(() => echo(request), 100));
    const run = pooled(server.url, { timeoutMs: 500 }, { connectionsPerHost: 1 });
    const answers = await Promise.all(paths(8).map((path) => run.ask(path)));
    expect(answers.map(textOf)).toEqual(paths(8));
  });

  it('is not counted in the time that a silent request takes', async () => {
    const server = await serve((request) => (request.target === '/silent' ? undefined : echo(request)));
    const run = pooled(server.url, { timeoutMs: 300 }, { connectionsPerHost: 1 });
    const [silent, next] = await Promise.all([run.ask('/silent'), run.ask('/next')]);
    expect(silent).toMatchObject({ reason: 'headers-timeout', evidence: { timeoutMs: 300 } });
    expect(textOf(next)).toBe('/next');
    expect(server.connections()).toBe(2);
  });
});

describe('redirects of a run', () => {
  const moved = (location: string): string => whole('', `HTTP/1.1 302 Found\r\nLocation: ${location}`);

  it.each([1, 2, 6])('lead from host to host and back, with connections to each: %i', async (connectionsPerHost) => {
    const site = await serve((request) => {
      const { socket, target } = request;
      if (target.startsWith('/back')) echo(request);
      else socket.write(moved(`${other.url}${target.slice(1)}`));
    });
    const other = await serve(({ socket, target }) => void socket.write(moved(`${site.url}back${target}`)));
    const run = pooled(site.url, { headers: { 'x-key': 'k' } }, { connectionsPerHost });
    const answers = await Promise.all(paths(20).map((path) => run.ask(path)));
    expect(answers.map(textOf)).toEqual(paths(20).map((path) => `/back${path}`));
    for (const server of [site, other]) expect(server.connections()).toBeLessThanOrEqual(connectionsPerHost);
    expect(site.requests.every(({ headers }) => headers['x-key'] === 'k')).toBe(true);
    expect(other.requests.every(({ headers }) => headers['x-key'] === undefined)).toBe(true);
  });

  it('within a host do not wait for all who came before them', async () => {
    const server = await serve((request) => {
      if (request.target === '/p0.md') request.socket.write(moved('/there'));
      else echo(request);
    });
    const run = pooled(server.url, {}, { connectionsPerHost: 1 });
    await Promise.all(paths(4).map((path) => run.ask(path)));
    expect(server.requests.map(({ target }) => target)).toEqual(['/p0.md', '/p1.md', '/there', '/p2.md', '/p3.md']);
  });

  it('are an answer where they are not to be followed', async () => {
    const server = await serve(({ socket }) => void socket.write(moved('/there')));
    const answer = replyOf(await pooled(server.url).ask('/a', { follow: false }));
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/there']);
  });

  it('in a circle end', async () => {
    const server = await serve(({ socket }) => void socket.write(moved('/again')));
    expect(await pooled(server.url, { retries: 2 }).ask('/a')).toMatchObject({ reason: 'redirect-loop', attempts: 1 });
  });

  it('lead to no closer network, each time', async () => {
    const server = await serve(({ socket }) => void socket.write(moved('http://169.254.169.254/')));
    const run = pooled(server.url);
    for (const path of ['/a', '/b']) expect(await run.ask(path)).toMatchObject({ reason: 'blocked-address' });
  });
});

describe('many requests', () => {
  it('leave no more listeners on the run’s signal than one', async () => {
    const running = new AbortController();
    const server = await serve(echo);
    const run = pooled(server.url, { signal: running.signal });
    await run.ask('/a');
    const before = getEventListeners(running.signal, 'abort').length;
    await Promise.all(paths(500).map((path) => run.ask(path)));
    expect(getEventListeners(running.signal, 'abort').length).toBe(before);
    running.abort(new Ended('interrupt'));
    await expect.poll(() => server.open()).toBe(0);
  });
});
