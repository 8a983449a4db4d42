/**
 * Asks blackbox_exporter for probes as Prometheus does, over connections that are kept, and reads from each answer
 * whether the probe succeeded. It is as lean as can be, because it takes from the processors that are measured.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './contender.ts';

export interface Probe {
  readonly name: string;
  readonly module: string;
  readonly target: string;
}

/** Enough to keep some cores busy, few enough that answers stay quick. */
const AT_ONCE = 32;
/** How often it is looked what is due, in ms. */
const TICK_MS = 5;
const LAST_CHUNK = '\r\n0\r\n\r\n';
const SUCCEEDED = '\nprobe_success 1\n';

export class Driver {
  /** How many probes were answered. */
  done = 0;
  /** Names of the probes that failed when they were requested last. */
  readonly failing = new Set<string>();
  readonly #probes: readonly Probe[];
  readonly #port: number;
  readonly #all: Connection[] = [];
  readonly #free: Connection[] = [];
  #asked = 0;
  #isFlatOut = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(port: number, probes: readonly Probe[]) {
    this.#port = port;
    this.#probes = probes;
  }

  /** Asks for all of them again and again, evenly. */
  go(pace: Pace): void {
    this.#isFlatOut = pace === 'flat-out';
    while (this.#all.length < AT_ONCE) this.#connect();
    if (pace === 'flat-out') {
      for (const connection of this.#free.splice(0)) this.#ask(connection);
      return;
    }
    const [began, before, aMs] = [performance.now(), this.#asked, this.#probes.length / (pace * 1000)];
    this.#timer = setInterval(() => {
      const due = before + (performance.now() - began) * aMs;
      for (let next = this.#free.pop(); next !== undefined; next = this.#free.pop()) {
        if (this.#asked >= due) {
          this.#free.push(next);
          return;
        }
        this.#ask(next);
      }
    }, TICK_MS);
  }

  /** Resolves when every probe that was requested has been answered. */
  async rest(): Promise<void> {
    this.#isFlatOut = false;
    clearInterval(this.#timer);
    while (this.#free.length < this.#all.length) await sleep(TICK_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isFlatOut = false;
    for (const connection of this.#all) connection.close();
  }

  #connect(): void {
    const connection = new Connection(this.#port, (probe, succeeded) => {
      this.done += 1;
      if (succeeded) this.failing.delete(probe.name);
      else this.failing.add(probe.name);
      if (this.#isFlatOut) this.#ask(connection);
      else this.#free.push(connection);
    });
    this.#all.push(connection);
    this.#free.push(connection);
  }

  #ask(connection: Connection): void {
    const probe = this.#probes[this.#asked % this.#probes.length];
    this.#asked += 1;
    if (probe !== undefined) connection.ask(probe);
  }
}

/** One request at a time over a connection that is kept. */
class Connection {
  readonly #socket: Socket;
  #probe: Probe | null = null;
  #answer = '';

  constructor(port: number, onAnswer: (probe: Probe, succeeded: boolean) => void) {
    this.#socket = connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
    this.#socket.on('data', (part: string) => {
      this.#answer += part;
      const probe = this.#probe;
      if (probe === null || !isWhole(this.#answer)) return;
      this.#probe = null;
      onAnswer(probe, this.#answer.includes(SUCCEEDED));
    });
  }

  ask(probe: Probe): void {
    this.#probe = probe;
    this.#answer = '';
    const query = `module=${probe.module}&target=${encodeURIComponent(probe.target)}`;
    this.#socket.write(`GET /probe?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  }

  close(): void {
    this.#socket.on('error', () => {}).destroy();
  }
}

/** Whether an answer of HTTP/1.1 has come to its end: by its length, or by its last chunk. */
function isWhole(answer: string): boolean {
  const head = answer.indexOf('\r\n\r\n');
  if (head === -1) return false;
  const length = /\r\nContent-Length: (\d+)/i.exec(answer.slice(0, head + 2))?.[1];
  return length === undefined ? answer.endsWith(LAST_CHUNK) : answer.length >= head + 4 + Number(length);
}
