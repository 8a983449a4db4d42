import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Ended, failureOf } from '../../src/http/failure.ts';
import { ask, noReplyOf } from './client.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that accepts and then says nothing. */
async function silentPort(): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A port whose process is stopped and whose queue of connections is full: the kernel drops every further SYN. */
async function fullPort(): Promise<number> {
  const script =
    "const s=require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},()=>console.log(s.address().port))";
  const child: ChildProcess = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 8 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => {}));
  closing.push(() => {
    for (const filler of fillers) filler.destroy();
    child.kill('SIGKILL');
  });
  await once(fillers[0] as Socket, 'connect');
  return port;
}

describe('connecting', () => {
  it('times out in the TLS handshake of a silent server', async () => {
    const answer = noReplyOf(await ask(`https://127.0.0.1:${await silentPort()}/`, { timeoutMs: 1_500 }));
    expect(answer).toMatchObject({ reason: 'tls-timeout', evidence: { timeoutMs: 1_500 } });
  });

  it.runIf(process.platform === 'linux')('times out where nobody takes connections', async () => {
    const answer = noReplyOf(await ask(`http://127.0.0.1:${await fullPort()}/`, { timeoutMs: 700 }));
    expect(answer.reason).toBe('connect-timeout');
  });

  it.runIf(process.platform === 'linux')('has no way to an address that no network leads to', async () => {
    expect(noReplyOf(await ask('http://255.255.255.255/')).reason).toBe('no-network');
  });

  it('names the deadline when it ends before the timeout', async () => {
    const running = new AbortController();
    setTimeout(() => running.abort(new Ended('deadline', 300)), 300);
    const answer = noReplyOf(await ask(`http://127.0.0.1:${await silentPort()}/`, { signal: running.signal }));
    expect(answer).toMatchObject({ reason: 'headers-timeout', evidence: { deadlineMs: 300 } });
  });

  it('reports an interruption as such', async () => {
    const running = new AbortController();
    setTimeout(() => running.abort(new Ended('interrupt')), 100);
    const answer = noReplyOf(
      await ask(`http://127.0.0.1:${await silentPort()}/`, { signal: running.signal, retries: 2 }),
    );
    expect(answer.reason).toBe('interrupted');
  });
});

describe('system errors', () => {
  it.each([
    ['EHOSTUNREACH', 'connect', 'unreachable'],
    ['ENETUNREACH', 'connect', 'no-network'],
    ['EMFILE', 'connect', 'out-of-descriptors'],
    ['EMFILE', 'dns', 'out-of-descriptors'],
    ['EAI_AGAIN', 'dns', 'dns-temporary'],
    ['ECONNRESET', 'tls', 'reset'],
    ['EPIPE', 'headers', 'reset'],
    ['ECONNRESET', 'body', 'reset'],
    ['UND_ERR_SOCKET', 'body', 'truncated'],
    ['HPE_INVALID_CONSTANT', 'headers', 'bad-framing'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'tls-protocol'],
    ['Z_DATA_ERROR', 'body', 'bad-encoding'],
  ] as const)('%s in %s is %s', (code, phase, reason) => {
    expect(failureOf(Object.assign(new Error(code), { code }), phase).reason).toBe(reason);
  });

  it('takes the most significant of several addresses', () => {
    const errors = ['ENETUNREACH', 'ECONNREFUSED'].map((code) => Object.assign(new Error(code), { code }));
    expect(failureOf(new AggregateError(errors, 'all failed'), 'connect').reason).toBe('refused');
  });
});
