/** A response is read in the same way over a new connection, a used one and a shared one. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../check.ts';
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
