/** What is read without undici is told as undici tells it, and everything else is undici's to judge. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/http/failure.ts';
import { Line } from '../../src/http/line.ts';
import { Phases } from '../../src/http/phases.ts';
import type { RawResponse } from '../../src/http/response-reader.ts';
import { UndiciLine } from '../../src/http/undici-line.ts';
import type { WireRequest } from '../../src/http/wire-request.ts';
import { play, type Script } from '../faults/script.ts';
import { random } from '../generator/random.ts';
import { randomAnswer } from './random-answer.ts';
import { serveWire, type WireServer } from './wire-server.ts';

type Reading = 'ordinary' | 'undici';

/** Whatever sends a request over a connection. */
interface Sender {
  send(request: WireRequest, phases: Phases, signal: AbortSignal): Promise<RawResponse>;
  close(): void;
}

/** How long a response is waited for that does not end. */
const MOST_MS = 1_500;

const CASES = 600;
const AT_ONCE = 16;

function shown(steps: Script): string {
  const parts = steps.map((step) =>
    typeof step === 'object' && 'send' in step
      ? step.send.toString().replace(/x{9,}/, (all) => `x*${all.length}`)
      : step,
  );
  return JSON.stringify(parts);
}

async function told(sender: Sender, url: URL, clock: () => number): Promise<unknown> {
  const phases = new Phases(clock);
  phases.enter('headers');
  const headers = { 'user-agent': 'test', accept: '*/*' };
  try {
    const request = { method: 'GET', url, headers, absolute: false, bodyCap: 2000 } as const;
    const { body, headers: got, ...rest } = await sender.send(request, phases, AbortSignal.timeout(MOST_MS));
    return {
      ...rest,
      body: Buffer.from(body).toString('latin1'),
      fields: got.names().map((name) => [name, got.all(name)]),
    };
  } catch (error) {
    sender.close();
    if (error instanceof DOMException) return { timeout: phases.current };
    // How much came before a fault was seen is a matter of time.
    const {
      reason,
      evidence: { received: _received, ...evidence },
    } = failureOf(error, phases.current);
    return { reason, evidence };
  }
}

/** What is told of an answer, and whether the connection may be used again, as far as that lies with us. */
async function ask(server: WireServer, path: string, reading: Reading, steps: Script): Promise<object> {
  const url = new URL(path, server.url);
  const socket: Socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  socket.on('error', () => {});
  const heard = { socket, isSent: false, bytes: [], ended: null };
  const sender = reading === 'ordinary' ? new Line(socket, url.origin) : new UndiciLine(url.origin, heard);
  const answer = await told(sender, url, () => performance.now());
  const isOpen = !socket.destroyed;
  sender.close();
  socket.destroy();
  return { answer, ...(steps.at(-1) === 'hold' ? { isOpen } : {}) };
}

describe('a line', () => {
  it('tells of random responses what undici tells of them', { timeout: 60_000 }, async () => {
    const scripts = Array.from({ length: CASES }, (_, index) => randomAnswer(random(`line ${index}`)));
    const server = await serveWire(({ target, socket }) => void play(socket, scripts[Number(target.slice(1))] ?? []));
    const left = [...scripts.keys()];
    const compare = async (): Promise<void> => {
      for (let index = left.pop(); index !== undefined; index = left.pop()) {
        const steps = scripts[index] ?? [];
        const readings = (['ordinary', 'undici'] as const).map((reading) => ask(server, `/${index}`, reading, steps));
        const [ordinary, undici] = await Promise.all(readings);
        expect({ steps: shown(steps), ...ordinary }).toEqual({ steps: shown(steps), ...undici });
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, compare));
    } finally {
      server.close();
    }
  });
});
