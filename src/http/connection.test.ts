/** A response is read in the same way over a new connection, a used one and a shared one. */
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../core/answer.ts';
import type { Fault } from '../../test/faults/fault.ts';
import { framing } from '../../test/faults/framing.ts';
import { healthyWires } from '../../test/faults/healthy-wires.ts';
import { play, type Script } from '../../test/faults/script.ts';
import { ask, pooled, shared, textOf } from '../../test/transport/client.ts';
import { serveWire, whole } from '../../test/transport/wire-server.ts';

const scriptsOf = ({ name, serve: { scripts = {} } }: Fault): (readonly [string, Script])[] =>
  Object.entries(scripts).map(([path, script]) => [`${name} (${path})`, script]);

const WIRES = [...healthyWires, ...framing].flatMap(scriptsOf);

/** What of an answer must not depend on the connection. */
const essence = (answer: Answer): unknown =>
  answer.kind === 'reply'
    ? { status: answer.status, body: textOf(answer), encodedBytes: answer.encodedBytes }
    : { reason: answer.reason, evidence: answer.evidence };

/** Asks for the script's answer alone and as the second on a connection that is kept alive, and then for another. */
async function compare(url: string): Promise<{ alone: unknown; second: unknown; others: readonly string[] }> {
  const options = { timeoutMs: 5_000 };
  const run = pooled(url, options);
  const alone = ask(`${url}odd`, options);
  const before = textOf(await run.ask('/warm'));
  const second = await run.ask('/odd');
  const after = textOf(await run.ask('/warm'));
  run.end();
  return { alone: essence(await alone), second: essence(second), others: [before, after] };
}

/** Asks for the script's answer alone and as one of five on a connection that they share. */
async function compareShared(url: string): Promise<{ alone: unknown; answers: readonly unknown[] }> {
  const options = { timeoutMs: 5_000 };
  const run = shared(url, options, 1_000);
  const alone = ask(`${url}odd`, options);
  const first = await run.ask('/warm');
  const answers = [first, ...(await Promise.all(['/odd', '/warm', '/warm', '/warm'].map((path) => run.ask(path))))];
  run.end();
  return { alone: essence(await alone), answers: answers.map(essence) };
}

describe('the second response of a connection', () => {
  it.concurrent.each(WIRES)('%s', async (_name, script) => {
    const server = await serveWire(({ target, socket }) => {
      if (target === '/warm') socket.write(whole('warm'));
      else void play(socket, script);
    });
    try {
      const { alone, second, others } = await compare(server.url);
      expect(second).toEqual(alone);
      expect(others).toEqual(['warm', 'warm']);
      expect(server.requests.some(({ target, turn }) => target === '/odd' && turn === 2)).toBe(true);
    } finally {
      server.close();
    }
  });
});

describe('one of five that share a connection', () => {
  it.concurrent.each(WIRES)('%s', async (_name, script) => {
    const server = await serveWire(({ target, socket }) => {
      if (target === '/warm') socket.write(whole('warm'));
      else void play(socket, script);
    });
    try {
      const { alone, answers } = await compareShared(server.url);
      const warm = { status: 200, body: 'warm', encodedBytes: 4 };
      expect(answers).toEqual([warm, alone, warm, warm, warm]);
    } finally {
      server.close();
    }
  });
});

describe('interim responses', () => {
  const FINAL = whole('# Docs\n');
  const EARLY = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n';
  const INTERIM = {
    '100 Continue': 'HTTP/1.1 100 Continue\r\n\r\n',
    'one without a reason phrase': 'HTTP/1.0 100 \r\n\r\n',
    '103 Early Hints': EARLY,
    'several of them': `HTTP/1.1 100 Continue\r\n\r\n${EARLY}HTTP/1.1 102 Processing\r\n\r\n`,
    'none of them': '',
  };

  /** Sends a response in two segments, the first with so many bytes. */
  const inTwo = (socket: Socket, response: string, bytes: number): void => {
    socket.setNoDelay(true).write(response.slice(0, bytes));
    setTimeout(() => socket.write(response.slice(bytes)), 25);
  };

  it.each(Object.entries(INTERIM))('%s: split anywhere, are read as if they were not', async (_, interim) => {
    const response = interim + FINAL;
    // The target says where to split; a warm connection has sent a response before.
    const server = await serveWire(({ target, socket }) => {
      if (target === '/warm') socket.write(whole('warm'));
      else inTwo(socket, response, Number(target.slice(1)));
    });
    try {
      const splits = Array.from({ length: interim.length + 20 }, (_none, index) => index + 1);
      const bodies = await Promise.all(splits.map(async (at) => textOf(await ask(`${server.url}${at}`))));
      expect(new Set(bodies)).toEqual(new Set(['# Docs\n']));
      const run = shared(server.url);
      await run.ask('/warm');
      expect(textOf(await run.ask(`/${Math.max(1, interim.length - 3)}`))).toBe('# Docs\n');
      run.end();
    } finally {
      server.close();
    }
  });

  it('byte by byte', async () => {
    const response = INTERIM['several of them'] + FINAL;
    const server = await serveWire(({ socket }) => {
      socket.setNoDelay(true);
      let sent = 0;
      const timer = setInterval(() => {
        socket.write(response.charAt(sent++));
        if (sent === response.length) clearInterval(timer);
      }, 2);
    });
    try {
      expect(textOf(await ask(server.url))).toBe('# Docs\n');
    } finally {
      server.close();
    }
  });

  it.each([
    ['that end in the middle', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Con', 'reset'],
    ['that switch the protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'reset'],
    ['with lines that end in a line feed', 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n\n', 'bad-framing'],
    ['that are longer than any', `HTTP/1.1 100 Continue\r\nX: ${'x'.repeat(20_000)}\r\n\r\n${FINAL}`, 'bad-framing'],
  ])('%s are no response', async (_, sent, reason) => {
    const server = await serveWire(({ socket }) => {
      inTwo(socket, sent, 5);
      // The end of the connection would be another reason than what was sent before it.
      if (reason === 'reset') setTimeout(() => socket.end(), 50);
    });
    try {
      expect(await ask(server.url)).toMatchObject({ kind: 'no-reply', reason });
    } finally {
      server.close();
    }
  });
});
