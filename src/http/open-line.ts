import type { TlsFacts } from '../check.ts';
import { connect, type AttemptContext, type Hop, type HopResponse } from './attempt.ts';
import { Line } from './line.ts';

/** An open connection and what is known of it. */
export interface OpenLine {
  readonly line: Line;
  readonly address: string | null;
  readonly tls: TlsFacts | null;
  /** Since when nobody uses it, on the clock of the options. */
  idleSince: number;
}

/** Opens a connection for a hop. */
export async function openLine(hop: Hop): Promise<OpenLine> {
  const { socket, address, tls } = await connect(hop);
  return { line: new Line(socket, hop.url.origin), address, tls, idleSince: 0 };
}

/** Whether it may be used once more: its server has not closed it, and is not about to. */
export function isUsable({ line, idleSince }: OpenLine, now: number): boolean {
  return line.isOpen && now - idleSince < line.keptMs;
}

/** Sends a hop over an open connection. Rejects with what went wrong; the connection is closed then. */
export async function sendOver({ line, address, tls }: OpenLine, hop: Hop): Promise<HopResponse> {
  const { phases, limit } = hop.context;
  return { response: await line.send(hop, phases, limit.signal), address, tls };
}

/** One hop over a connection that it uses up. */
export async function sendAlone(hop: Hop): Promise<HopResponse> {
  hop.context.sent += 1;
  const open = await openLine(hop);
  try {
    return await sendOver(open, hop);
  } finally {
    open.line.close();
  }
}

/** Which hops may go over the same connection: those to one origin, directly or through one proxy. */
export function keyOf(url: URL, proxy: URL | null): string {
  return proxy === null ? url.origin : `${url.origin} ${proxy.href}`;
}

/** Waits for a turn. The time is the host's and ours, not the request's. */
export async function waitForTurn<T>({ limit, phases }: AttemptContext, turn: Promise<T>): Promise<T> {
  limit.stop();
  phases.suspend();
  try {
    return await turn;
  } finally {
    phases.resume();
    limit.start();
  }
}
