/** A monitor as a process: its database, a receiver that records every notification, and what commands print of both. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startReceiver, status, type Answering } from '../alerts/receiver.ts';
import { fitting } from '../contracts.ts';
import { postgresWanted, startPostgres } from '../hosts/postgres.ts';
import type { Project } from './process.ts';

/** Where a monitor keeps its history: `monitor` is added to its configuration, `env` to its environment. */
export interface Place {
  readonly monitor: { readonly database?: string };
  readonly env: Readonly<Record<string, string>>;
}

export interface Databases {
  /** A database that nobody has used. */
  place(): Place;
  stop(): Promise<void>;
}

async function startPostgresDatabases(): Promise<Databases> {
  const server = await startPostgres();
  let count = 0;
  return {
    place: () => {
      const name = `monitor_${(count += 1)}`;
      server.psql(`CREATE DATABASE ${name}`, 'postgres');
      const database = server.url(name).replace(server.password, '${DB_PASSWORD}');
      return { monitor: { database }, env: { DB_PASSWORD: server.password } };
    },
    stop: () => server.stop(),
  };
}

// A project has a file of its own, where nothing else is configured.
const FILES: Databases = { place: () => ({ monitor: {}, env: {} }), stop: async () => {} };

/** The kinds of databases that are available here. */
export const KINDS: readonly { readonly kind: string; readonly start: () => Promise<Databases> }[] = [
  { kind: 'SQLite', start: async () => FILES },
  ...(postgresWanted() ? [{ kind: 'PostgreSQL', start: startPostgresDatabases }] : []),
];

/** A notification that the receiver was sent. */
export interface Attempt {
  readonly at: number;
  readonly route: string;
  readonly id: string;
  /** Its idempotency key. */
  readonly key: string;
  readonly event: string;
  readonly incident: Pick<Listed, 'id' | 'site' | 'flapping'>;
  /** When the receiver had responded with 200; `null`: it has not. */
  acceptedAt: number | null;
  /** What the header `sender` of the route has: which process sent it. */
  readonly sender: string;
}

export interface Recorder {
  /** The address of a route. */
  readonly url: (route: string) => string;
  readonly attempts: Attempt[];
  /** How it responds; by default with 200. */
  answer: (...args: [...Parameters<Answering>, attempt: Attempt]) => void;
  /** Those that were accepted by a route, in that order. */
  accepted(route?: string): readonly Attempt[];
  stop(): Promise<void>;
}

/** Receives the notifications of any number of routes, each at a path of its own. */
export async function startRecorder(): Promise<Recorder> {
  const receiver = await startReceiver();
  const attempts: Attempt[] = [];
  receiver.answer = (response, received) => {
    const { id, event, incident } = JSON.parse(received.body) as {
      readonly id: string;
      readonly event: string;
      readonly incident: Pick<Listed, 'id' | 'site' | 'flapping'>;
    };
    const attempt: Attempt = {
      at: Date.now(),
      route: received.path.slice(1),
      id,
      key: String(received.headers['idempotency-key']),
      event,
      incident,
      acceptedAt: null,
      sender: String(received.headers['sender']),
    };
    attempts.push(attempt);
    response.once('finish', () => {
      if (response.statusCode === 200) attempt.acceptedAt = Date.now();
    });
    recorder.answer(response, received, attempt);
  };
  const acceptedAt = (attempt: Attempt): number => attempt.acceptedAt ?? 0;
  const recorder: Recorder = {
    url: (route) => `${receiver.url}/${route}`,
    attempts,
    answer: status(200),
    accepted: (route = 'ops') =>
      attempts
        .filter((attempt) => attempt.route === route && attempt.acceptedAt !== null)
        .toSorted((a, b) => acceptedAt(a) - acceptedAt(b)),
    stop: () => receiver.stop(),
  };
  return recorder;
}

/** An incident as `docvitals incidents` prints it. */
export interface Listed {
  readonly id: string;
  readonly site: string;
  readonly detectedAt: string;
  readonly notifiedAt: string | null;
  readonly recoveredAt: string | null;
  readonly flapping?: true;
}

async function json(project: Project, args: readonly string[], { env }: Place): Promise<string> {
  const { status: exit, stdout, stderr } = await project.run([...args, '--format', 'json'], { env });
  if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}: ${stderr}`);
  return stdout;
}

/** The incidents of the history, the oldest first. */
export async function listIncidents(project: Project, place: Place): Promise<readonly Listed[]> {
  const text = await json(project, ['incidents', '--limit', '10000'], place);
  return (fitting('incidents', text) as readonly Listed[]).toSorted((a, b) => (a.detectedAt < b.detectedAt ? -1 : 1));
}

/** The keys of notifications that are not sent yet. */
export async function listWaiting(project: Project, place: Place): Promise<readonly string[]> {
  const text = await json(project, ['alert', 'list'], place);
  return (fitting('alerts', text) as readonly { readonly id: string }[]).map(({ id }) => id);
}

/** Resolves once `holds` does; rejects with `what` after `withinMs`. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinMs = 40_000): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs / 1_000} s: ${what}`);
    await sleep(50);
  }
}
