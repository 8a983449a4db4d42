/** Requests of one round that share a connection while all is well, and go their own ways as soon as anything is not. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { certificate } from '../faults/certificates.ts';
import { sampleSite, writeSite } from '../site/sample.ts';
import { replyOf, shared, textOf, type Run } from './client.ts';
import { trusted } from './trusted.ts';
import { serveWire, whole, type WireOptions, type WireRequest, type WireServer } from './wire-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(answer: (request: WireRequest) => void, options: WireOptions = {}): Promise<WireServer> {
  const server = await serveWire(answer, options);
  closing.push(() => server.close());
  return server;
}

const FIVE = ['/a', '/b', '/c', '/d', '/e'];
const echo = ({ socket, target }: WireRequest): void => void socket.write(whole(target));
const askFive = (run: Run): Promise<readonly string[]> =>
  Promise.all(FIVE.map(async (path) => textOf(await run.ask(path))));

describe('a connection that requests share', () => {
  it('is the only one while all is healthy', async () => {
    const server = await serve(echo);
    const run = shared(server.url);
    expect(await askFive(run)).toEqual(FIVE);
    expect([server.connections(), server.requests.map(({ target }) => target)]).toEqual([1, FIVE]);
    expect(textOf(await run.ask('/later'))).toBe('/later');
    expect(server.connections()).toBe(1);
    run.end();
    await expect.poll(() => server.open()).toBe(0);
  });

  it('is not made before it is asked for, and another one is made by each run', async () => {
    const server = await serve(echo);
    const runs = [shared(server.url), shared(server.url)];
    expect(server.connections()).toBe(0);
    for (const run of runs) expect(await askFive(run)).toEqual(FIVE);
    expect(server.connections()).toBe(2);
  });

  it('is reported of by phases only where it was made, and by its address each time', async () => {
    const server = await serve(echo);
    const run = shared(server.url);
    const [first, ...others] = (await Promise.all(FIVE.map((path) => run.ask(path)))).map(replyOf);
    expect(first?.timings).toMatchObject({ dnsMs: null, connectMs: expect.any(Number), tlsMs: null });
    for (const { timings, address, attempts } of others) {
      expect(timings).toMatchObject({ dnsMs: null, connectMs: null, firstByteMs: expect.any(Number) });
      expect([address, attempts]).toEqual(['127.0.0.1', 1]);
    }
  });

  it('is left by all when its server closes it after a response', async () => {
    const server = await serve(
      ({ socket, target }) => void socket.end(whole(target, 'HTTP/1.1 200 OK\r\nConnection: close')),
    );
    expect(await askFive(shared(server.url))).toEqual(FIVE);
    expect(server.connections()).toBe(5);
  });

  it.each([
    ['without a word', ({ socket, target }: WireRequest) => void socket.end(whole(target))],
    ['by a reset', (request: WireRequest) => (request.turn === 1 ? echo(request) : request.socket.resetAndDestroy())],
  ])('is left by all when its server closes it %s', async (_name, answer) => {
    const server = await serve(answer);
    const run = shared(server.url);
    const answers = await Promise.all(FIVE.map((path) => run.ask(path)));
    expect(answers.map((one) => [textOf(one), one.attempts])).toEqual(FIVE.map((path) => [path, 1]));
  });

  it('keeps nobody waiting for one that is not answered', async () => {
    const server = await serve((request) => (request.target === '/c' ? undefined : echo(request)));
    const run = shared(server.url, { timeoutMs: 1_000 }, 50);
    const ended: string[] = [];
    const answers = await Promise.all(
      FIVE.map(async (path) => {
        const answer = await run.ask(path);
        ended.push(path);
        return answer;
      }),
    );
    expect(ended.at(-1)).toBe('/c');
    expect(answers[2]).toMatchObject({ reason: 'headers-timeout', evidence: { timeoutMs: 1_000 }, attempts: 1 });
    expect(answers.filter(({ kind }) => kind === 'reply').map(textOf)).toEqual(['/a', '/b', '/d', '/e']);
  });

  it('does not count the time that a request waited for it', async () => {
    const server = await serve((request) => void sleep(150).then(() => echo(request)));
    const run = shared(server.url, { timeoutMs: 500 });
    expect(await askFive(run)).toEqual(FIVE);
  });

  it.each([
    ['fails to come', (run: Run) => run.ask('/reset'), 'reset'],
    ['ends too soon', (run: Run) => run.ask('/half'), 'truncated'],
  ])('is left by all when a response %s', async (_name, fail, reason) => {
    const server = await serve((request) => {
      if (request.target === '/reset') request.socket.resetAndDestroy();
      else if (request.target === '/half') request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
      else echo(request);
    });
    const run = shared(server.url);
    const [failed, ...others] = await Promise.all([fail(run), run.ask('/b'), run.ask('/c')]);
    expect(failed).toMatchObject({ reason, attempts: 1 });
    expect(others.map(textOf)).toEqual(['/b', '/c']);
    expect(server.connections()).toBe(3);
  });

  it('takes no bytes beyond a response for the next one', async () => {
    const server = await serve((request) => {
      if (request.turn === 1) echo(request);
      else request.socket.write('what belongs to the response before');
    });
    const run = shared(server.url);
    const answers = await Promise.all(FIVE.map((path) => run.ask(path)));
    expect(answers.map((one) => [textOf(one), one.attempts])).toEqual(FIVE.map((path) => [path, 1]));
  });

  it('is not for other origins, other methods, and what is to be timed by itself', async () => {
    const other = await serve(echo);
    const server = await serve(({ socket, target }) => {
      if (target === '/away') socket.write(whole('', `HTTP/1.1 302 Found\r\nLocation: ${other.url}there`));
      else socket.write(whole(target));
    });
    const run = shared(server.url);
    const answers = await Promise.all([run.ask('/a'), run.ask('/away'), run.ask('/b')]);
    expect(answers.map(textOf)).toEqual(['/a', '/there', '/b']);
    expect([server.connections(), other.connections()]).toEqual([1, 1]);
    const alone = replyOf(await run.ask('/alone', { alone: true }));
    expect(alone.timings.connectMs).toEqual(expect.any(Number));
    expect(server.connections()).toBe(2);
  });

  it('is not for what is tried again', async () => {
    const server = await serve(({ socket, target, connection }) => {
      if (target === '/busy' && connection === 1) socket.write(whole('', 'HTTP/1.1 503 Service Unavailable'));
      else socket.write(whole(target));
    });
    const run = shared(server.url, { retries: 1 });
    const [answer] = await Promise.all([run.ask('/busy'), run.ask('/a')]);
    expect([textOf(answer), answer.attempts, server.connections()]).toEqual(['/busy', 2, 2]);
  });

  it('ends with the run, for those who wait for it as well', async () => {
    const server = await serve(() => {});
    const run = shared(server.url);
    const asked = FIVE.map((path) => run.ask(path));
    await expect.poll(() => server.requests.length).toBe(1);
    run.end();
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ reason: 'interrupted' });
    await expect.poll(() => server.open()).toBe(0);
    expect(server.requests.length).toBe(1);
  });

  it('is not waited for where it cannot be made', async () => {
    const server = await serve(echo);
    server.close();
    const run = shared(server.url);
    const answers = await Promise.all(FIVE.map((path) => run.ask(path)));
    for (const answer of answers) expect(answer).toMatchObject({ reason: 'refused', attempts: 1 });
  });
});

async function trust(): Promise<TlsOptions> {
  const { tls, close } = await trusted();
  closing.push(close);
  return tls;
}

describe('a connection over TLS that requests share', () => {
  it('is verified once, and all report what its handshake reported', async () => {
    const server = await serve(echo, { tls: await trust() });
    const url = server.url.replace('127.0.0.1', 'localhost');
    const run = shared(url);
    const [first, ...others] = (await Promise.all(FIVE.map((path) => run.ask(path)))).map(replyOf);
    expect(server.connections()).toBe(1);
    expect(first?.tls).toMatchObject({ protocol: 'TLSv1.3', subject: 'localhost' });
    for (const { tls, timings } of others) expect([tls, timings.tlsMs]).toEqual([first?.tls, null]);
  });

  it('is refused by each where the certificate is not trusted', async () => {
    const { server: tls } = await certificate('self-signed');
    const server = await serve(echo, { tls });
    const run = shared(server.url);
    const answers = await Promise.all(FIVE.map((path) => run.ask(path)));
    for (const answer of answers) expect(answer).toMatchObject({ reason: 'tls-untrusted', attempts: 1 });
    expect(server.requests).toEqual([]);
  });
});

describe.runIf(nginxWanted())('a connection to nginx that requests share', () => {
  it.each([
    ['kept alive', '', 1],
    ['closed after each response', 'keepalive_timeout 0;', 5],
    ['closed after two responses', 'keepalive_requests 2;', 4],
  ])('%s', async (_name, configuration, connections) => {
    const dir = mkdtempSync(join(tmpdir(), 'docvitals-site-'));
    closing.push(() => rmSync(dir, { recursive: true }));
    writeSite(sampleSite(), dir);
    const nginx = await startNginx(dir, { configuration });
    closing.unshift(() => nginx.stop());
    const run = shared(nginx.url);
    const paths = ['index.html', 'config.json', 'navigation.md', 'index.md', 'llms.txt'];
    const replies = (await Promise.all(paths.map((path) => run.ask(path)))).map(replyOf);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(replies.filter(({ timings }) => timings.connectMs !== null).length).toBe(connections);
  });
});
