import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { pooled, replyOf, textOf } from './client.ts';
import { serveWire, whole, type WireRequest, type WireServer } from './wire-server.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: (request: WireRequest) => void, options = {}): Promise<WireServer> {
  const server = await serveWire(answer, options);
  closing.push(() => server.close());
  return server;
}

const echo = ({ socket, target }: WireRequest): void => void socket.write(whole(target));
const paths = (count: number): string[] => Array.from({ length: count }, (_, index) => `/p${index}.md`);

describe('connections of a run', () => {
  it('are used one request after another', async () => {
    const server = await serve(echo);
    const run = pooled(server.url);
    for (const path of paths(20)) expect(textOf(await run.ask(path))).toBe(path);
    expect(server.connections()).toBe(1);
  });

  it('are as many as may be, each with one request at a time', async () => {
    let most = 0;
    const underWay: WireRequest[] = [];
    // Nobody is answered before all four are there.
    const server = await serve((request) => {
      most = Math.max(most, underWay.push(request));
      if (most >= 4 && underWay.length === 4) underWay.splice(0).forEach(echo);
    });
    const run = pooled(server.url, {}, { connectionsPerHost: 4 });
    const answers = await Promise.all(paths(100).map((path) => run.ask(path)));
    expect(answers.map(textOf)).toEqual(paths(100));
    expect([server.connections(), most]).toEqual([4, 4]);
  });

  it('serve those first who came first', async () => {
    const server = await serve(echo);
    const run = pooled(server.url, {}, { connectionsPerHost: 1 });
    await Promise.all(paths(30).map((path) => run.ask(path)));
    expect(server.requests.map(({ target }) => target)).toEqual(paths(30));
  });

  it('report the phases that did not happen that they did not', async () => {
    const server = await serve(echo);
    const run = pooled(server.url);
    const first = replyOf(await run.ask('/a'));
    const second = replyOf(await run.ask('/b'));
    expect(first.timings).toMatchObject({ dnsMs: null, connectMs: expect.any(Number), tlsMs: null });
    expect(second.timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
    expect(second.timings.firstByteMs).toEqual(expect.any(Number));
    expect([first.address, second.address]).toEqual(['127.0.0.1', '127.0.0.1']);
    expect([first.attempts, second.attempts]).toEqual([1, 1]);
  });

  it.each([
    ['asks for its end', whole('x', 'HTTP/1.1 200 OK\r\nConnection: close')],
    ['is of HTTP/1.0', whole('x', 'HTTP/1.0 200 OK')],
    ['says it is over soon', whole('x', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1')],
    ['has a length though it has no body', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n'],
  ])('are not used again after a response that %s', async (_name, response) => {
    const server = await serve(({ socket }) => void socket.write(response));
    const run = pooled(server.url);
    for (const path of paths(3)) replyOf(await run.ask(path));
    expect(server.connections()).toBe(3);
  });

  it('are not used again after a body that ends with them', async () => {
    const server = await serve(({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\nto the end'));
    const run = pooled(server.url);
    for (const path of paths(3)) expect(textOf(await run.ask(path))).toBe('to the end');
    expect(server.connections()).toBe(3);
  });

  it('are used again after chunks, codings, interim responses and empty answers', async () => {
    const packed = gzipSync('packed');
    const responses: readonly (readonly [text: string, bytes: string | Buffer])[] = [
      ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nchunks\r\n0\r\n\r\n'],
      ['early', `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${whole('early')}`],
      ['', 'HTTP/1.1 204 No Content\r\n\r\n'],
      ['', 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'],
      [
        'packed',
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`),
          packed,
        ]),
      ],
      ['not there', whole('not there', 'HTTP/1.1 404 Not Found')],
    ];
    const server = await serve(({ socket, turn }) => void socket.write(responses[turn - 1]?.[1] ?? ''));
    const run = pooled(server.url);
    const texts: string[] = [];
    for (const path of paths(responses.length)) texts.push(textOf(await run.ask(path)));
    expect(texts).toEqual(responses.map(([text]) => text));
    expect(server.connections()).toBe(1);
  });

  it('count the bytes of each body as sent and as decoded', async () => {
    const packed = gzipSync('text '.repeat(100));
    const chunk = Buffer.concat([
      Buffer.from(`${packed.length.toString(16)}\r\n`),
      packed,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n';
    const server = await serve(({ socket, target }) => {
      socket.write(target === '/plain' ? whole('text') : `${head}Transfer-Encoding: chunked\r\n\r\n`);
      if (target !== '/plain') socket.write(chunk);
    });
    const run = pooled(server.url);
    for (const [path, encodedBytes, length] of [
      ['/packed', packed.length, 500],
      ['/plain', 4, 4],
      ['/packed', packed.length, 500],
    ] as const) {
      const reply = replyOf(await run.ask(path));
      expect([reply.encodedBytes, reply.body.length]).toEqual([encodedBytes, length]);
    }
    expect(server.connections()).toBe(1);
  });

  it('cap each body by itself', async () => {
    const server = await serve(({ socket, target }) => void socket.write(whole('x'.repeat(Number(target.slice(1))))));
    const run = pooled(server.url, { bodyCap: 1_000 });
    for (const size of [900, 900, 900]) expect(replyOf(await run.ask(`/${size}`)).body.length).toBe(size);
    expect(await run.ask('/1001')).toMatchObject({ reason: 'too-large' });
    expect(replyOf(await run.ask('/900')).body.length).toBe(900);
    expect(server.connections()).toBe(2);
  });

  it('are closed when the run ends, those under way as well', async () => {
    const server = await serve((request) => (request.target === '/never' ? undefined : echo(request)));
    const run = pooled(server.url);
    await Promise.all(paths(5).map((path) => run.ask(path)));
    const never = run.ask('/never');
    run.end();
    expect(await never).toMatchObject({ reason: 'interrupted' });
    await expect.poll(() => server.open()).toBe(0);
    expect(await run.ask('/late')).toMatchObject({ reason: 'interrupted', attempts: 0 });
  });

  it('that are idle do not keep the process alive', async () => {
    const server = await serve(echo);
    const script = `
      import { pooled } from ${JSON.stringify(import.meta.resolve('./client.ts'))};
      const answer = await pooled('${server.url}').ask('/a');
      console.log(answer.kind);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('reply\n');
  });
});
