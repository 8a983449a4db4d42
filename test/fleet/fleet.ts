/**
 * A fleet on loopback: the built command as coordinators and runners, with the least privileges that the documentation
 * names, on a real PostgreSQL server; sites that respond to each location as a test wants; and a receiver of notifications.
 */
import type { ChildProcess } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { fitting } from '../contracts.ts';
import type { RunOptions, RunResult } from '../cli/run.ts';
import { createRoles, startPostgres, type Postgres, type PostgresOptions } from '../hosts/postgres.ts';
import { makeProject, type Line, type Project } from '../monitor/process.ts';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

export const LOCATIONS = ['paris', 'bucharest', 'virginia'] as const;

/** What must never be in the database, in a log or in a notification. */
export const SECRET = 'a-secret-of-the-site';

/** A site that knows by a header of each request from which location it comes. */
export interface LocatedSite extends Host {
  /** Locations that get 503 to everything. */
  readonly failing: Set<string>;
  /** Locations whose connections are cut. */
  readonly unreachable: Set<string>;
  /** Requests that were received, by location. */
  readonly requests: Map<string, number>;
  /** How long each response takes, in ms. */
  delayMs: number;
}

async function startSite(): Promise<LocatedSite> {
  const files = sampleSite();
  const respond = async ({ url = '/', headers, socket }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const from = String(headers['x-from']);
    site.requests.set(from, (site.requests.get(from) ?? 0) + 1);
    if (headers['x-token'] !== SECRET || site.unreachable.has(from)) {
      socket.destroy();
      return;
    }
    if (site.delayMs > 0) await sleep(site.delayMs);
    const path = decodeURIComponent((url.split('?')[0] ?? '/').slice(1)) || 'index.html';
    const body = site.failing.has(from) ? undefined : files.get(path);
    const missing = site.failing.has(from) ? 503 : 404;
    const status = body === undefined ? missing : 200;
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(status, { 'content-type': status === 200 ? type : 'text/plain' });
    response.end(body ?? 'not now');
  };
  const host = await listen((request, response) => void respond(request, response));
  const site: LocatedSite = {
    ...host,
    failing: new Set(),
    unreachable: new Set(),
    requests: new Map(),
    delayMs: 0,
  };
  return site;
}

/** A notification as the webhook got it. */
export interface Notification {
  /** The same for each attempt to send it. */
  readonly key: string;
  readonly event: string;
  readonly site: string;
  readonly incident: string;
  /** That saw it fail. */
  readonly locations: readonly string[];
}

interface Document {
  readonly id: string;
  readonly event: string;
  readonly incident: { readonly id: string; readonly site: string; readonly locations?: readonly string[] };
}

/** A process of the fleet. */
export interface Service {
  readonly child: ChildProcess;
  readonly lines: Line[];
  readonly ended: Promise<RunResult>;
  /** Resolves when it has logged an event so many times. */
  readonly logged: (event: string, times?: number) => Promise<Line>;
  readonly kill: (signal?: NodeJS.Signals) => Promise<RunResult>;
}

export interface Fleet {
  readonly server: Postgres;
  readonly sites: readonly LocatedSite[];
  readonly received: Notification[];
  readonly project: Project;
  /** All that were started. */
  readonly services: () => readonly Service[];
  /** Everything that was printed. */
  readonly printed: () => string;
  /** Writes the configuration again; processes are not informed. */
  configure(changes: FleetChanges): void;
  coordinator(options?: ServiceOptions): Promise<Service>;
  runner(location: string, options?: ServiceOptions): Promise<Service>;
  /** The rows of a query as text, columns between `|`; by the owner of the server. */
  readonly sql: (query: string) => Promise<readonly string[]>;
  /** The same, with the role of the location Paris. */
  readonly asParis: (query: string) => Promise<readonly string[]>;
  run(args: readonly string[], options?: RunOptions): Promise<RunResult>;
  stop(): Promise<void>;
}

export interface FleetChanges {
  readonly site?: object;
  readonly monitor?: object;
}

export interface ServiceOptions extends Pick<RunOptions, 'preload' | 'bin'> {
  /** Instead of the server's address, with the role of the service. */
  readonly database?: string;
}

export interface FleetOptions extends FleetChanges {
  readonly sites?: number;
  readonly server?: PostgresOptions;
  /** The port that services connect to instead of the server's own. */
  readonly through?: (server: Postgres) => number;
}

/** Starts the server, the sites and the receiver; services are started by the test. */
export async function startFleet({
  sites: count = 1,
  server: ofServer,
  through,
  ...first
}: FleetOptions = {}): Promise<Fleet> {
  const server = await startPostgres(ofServer);
  const sites = await Promise.all(Array.from({ length: count }, startSite));
  const received: Notification[] = [];
  const receiver = await startReceiver(received);
  const services: Service[] = [];
  const { port } = receiver.address() as AddressInfo;
  const config = ({ site, monitor }: FleetChanges) => ({
    sites: sites.map(({ url }, index) => ({
      id: `docs${index + 1}`,
      url,
      every: '1s',
      full: false,
      headers: { 'X-From': '${FROM}', 'X-Token': '${TOKEN}' },
      confirm: { after: '200ms', times: 2 },
      ...site,
    })),
    alerts: [{ id: 'ops', webhook: { url: `http://127.0.0.1:${port}/` } }],
    monitor: { connectivity: [], database: '${DATABASE}', locations: LOCATIONS.map((id) => ({ id })), ...monitor },
  });
  const project = makeProject(config(first));
  createRoles(server);
  const environment = (role: string, from: string): Record<string, string> => ({
    DATABASE: server.url('docvitals', role).replace(`:${server.port}/`, `:${through?.(server) ?? server.port}/`),
    FROM: from,
    TOKEN: SECRET,
  });
  const start = async (
    args: readonly string[],
    env: Record<string, string>,
    { database, ...options }: ServiceOptions,
  ) => {
    const service = await startService(project, args, {
      ...options,
      env: { ...env, ...(database === undefined ? {} : { DATABASE: database }) },
    });
    services.push(service);
    return service;
  };
  const [byOwner, byParis] = ['docvitals', 'docvitals_paris'].map((role) =>
    openRows(server.url('docvitals', role)),
  ) as [Rows, Rows];
  return {
    server,
    sites,
    received,
    project,
    services: () => services,
    printed: () => services.flatMap(({ lines }) => lines.map((line) => JSON.stringify(line))).join('\n'),
    configure: (changes) => project.configure(config(changes)),
    async coordinator(options = {}) {
      const service = await start(['coordinator'], environment('docvitals_coordinator', 'coordinator'), options);
      await Promise.race([service.logged('coordinator-acting'), service.logged('coordinator-standby')]);
      return service;
    },
    async runner(location, options = {}) {
      const service = await start(
        ['runner', '--location', location],
        environment(`docvitals_${location}`, location),
        options,
      );
      await service.logged('runner-started');
      return service;
    },
    sql: (query) => byOwner.rows(query),
    asParis: (query) => byParis.rows(query),
    run: (args, options = {}) =>
      project.run(args, { ...options, env: { ...environment('docvitals_coordinator', 'test'), ...options.env } }),
    async stop() {
      for (const { child } of services) child.kill('SIGKILL');
      await Promise.all(services.map(({ ended }) => ended));
      receiver.closeAllConnections();
      receiver.close();
      await Promise.all(sites.map((site) => site.close()));
      project.remove();
      await Promise.all([byOwner.close(), byParis.close()]);
      await server.stop();
    },
  };
}

async function startReceiver(received: Notification[]): Promise<Server> {
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { id: key, event, incident } = fitting('webhook', text) as Document;
      const { id: one, site, locations = [] } = incident;
      received.push({ key, event, site, incident: one, locations });
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  return receiver;
}

async function startService(project: Project, args: readonly string[], options: RunOptions): Promise<Service> {
  const lines: Line[] = [];
  const { promise: started, resolve: onStart } = Promise.withResolvers<ChildProcess>();
  const ended = project.run([...args, '--log', 'json'], { killAfterMs: 600_000, ...options, onStart });
  const child = await started;
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(fitting('logLine', part) as Line);
  });
  let result: RunResult | null = null;
  void (async () => {
    result = await ended;
  })();
  const logged = async (event: string, times = 1): Promise<Line> => {
    for (;;) {
      const line = lines.filter((one) => one.event === event)[times - 1];
      if (line !== undefined) return line;
      if (result !== null) throw new Error(`${args.join(' ')} ended without ${event}: ${JSON.stringify(result)}`);
      await sleep(20);
    }
  };
  const kill = (signal: NodeJS.Signals = 'SIGKILL'): Promise<RunResult> => {
    child.kill(signal);
    return ended;
  };
  return { child, lines, ended, logged, kill };
}

type Rows = ReturnType<typeof openRows>;

/** A connection for queries whose rows are texts. It is opened again where it was lost, as tests stop servers. */
export function openRows(address: string) {
  let connected: Promise<Client> | null = null;
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: address, connectionTimeoutMillis: 5_000 });
    const forget = (): void => void (connected = null);
    client.on('error', forget).on('end', forget);
    await client.connect();
    return client;
  };
  return {
    /** Columns are between `|`. */
    async rows(query: string): Promise<readonly string[]> {
      connected ??= connect();
      try {
        const { rows } = await (await connected).query<unknown[]>({ text: query, rowMode: 'array' });
        return rows.map((row) => row.map(textOf).join('|'));
      } catch (error) {
        // Refused statements leave the connection as it was.
        if (!(error instanceof DatabaseError)) connected = null;
        throw error;
      }
    },
    async close(): Promise<void> {
      await connected?.then((client) => client.end()).catch(() => {});
    },
  };
}

/** The rows of one query, by a connection of its own. */
export async function rowsOf(address: string, query: string): Promise<readonly string[]> {
  const connection = openRows(address);
  try {
    return await connection.rows(query);
  } finally {
    await connection.close();
  }
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Waits until something holds; what cannot be found out does not hold yet. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const endsAt = performance.now() + ms;
  for (;;) {
    const isTrue = await Promise.resolve()
      .then(holds)
      .catch(() => false);
    if (isTrue) return;
    if (performance.now() > endsAt) throw new Error(`after ${ms} ms, this does not hold: ${what}`);
    await sleep(50);
  }
}

/** Notifications of an event, each key once. */
export function keysOf(received: readonly Notification[], event: string): readonly string[] {
  return [...new Set(received.filter((one) => one.event === event).map(({ key }) => key))];
}

/** Two coordinators and a runner for each location, with sites that have been checked; `[acting, standby]`. */
export async function startAll(fleet: Fleet): Promise<readonly [Service, Service]> {
  const acting = await fleet.coordinator();
  const [standby] = await Promise.all([fleet.coordinator(), ...LOCATIONS.map((location) => fleet.runner(location))]);
  await until('all sites are healthy', () => allHealthy(fleet));
  return [acting, standby];
}

export async function allHealthy(fleet: Fleet): Promise<boolean> {
  const verdicts = await fleet.sql('SELECT verdict FROM docvitals.site_state');
  return verdicts.length === fleet.sites.length && verdicts.every((verdict) => verdict === 'healthy');
}

/** Makes a site fail from everywhere; resolves when somebody was notified of a new incident. */
export async function beginOutage({ received, sites }: Fleet, index = 0): Promise<void> {
  const before = keysOf(received, 'opened').length;
  for (const location of LOCATIONS) sites[index]?.failing.add(location);
  await until('the outage is notified', () => keysOf(received, 'opened').length > before);
}

/** Repairs it; resolves when somebody was notified of that. */
export async function endOutage({ received, sites }: Fleet, index = 0): Promise<void> {
  const before = keysOf(received, 'recovered').length;
  sites[index]?.failing.clear();
  await until('the recovery is notified', () => keysOf(received, 'recovered').length > before);
}

/**
 * What is wrong after so many outages that are over: empty where each is one incident with one notification of its
 * beginning and one of its end, with times in order, and where sites are checked as before.
 */
export async function faultsAfter(fleet: Fleet, outages: number): Promise<readonly string[]> {
  const { sql, received } = fleet;
  const sent = "SELECT count(*) FROM docvitals.notification WHERE state = 'sent'";
  await until(
    'all notifications are marked as sent',
    async () => Number(await sql(sent)) === 2 * outages,
    30_000,
  ).catch(() => {});
  const [began] = await sql('SELECT clock_timestamp()::text');
  const now = `SELECT DISTINCT site FROM docvitals.run WHERE verdict = 'healthy' AND started_at > '${began}'`;
  const series = fleet.sites.length * (LOCATIONS.length + 1);
  await until('all sites are checked from all locations', async () => (await sql(now)).length === series, 40_000);
  const same = (name: string, is: unknown, expected: unknown): readonly string[] =>
    JSON.stringify(is) === JSON.stringify(expected)
      ? []
      : [`${name}: ${JSON.stringify(is)}, not ${JSON.stringify(expected)}`];
  const number = async (query: string): Promise<number> => Number((await sql(query))[0]);
  const ordered = `started_at <= detected_at AND detected_at <= recovered_at AND notified_at >= detected_at - interval '2s'`;
  const doubled = `SELECT count(*) FROM (SELECT incident, event, route FROM docvitals.notification GROUP BY 1, 2, 3
    HAVING count(*) > 1) AS twice`;
  return [
    ...same('incidents', await number('SELECT count(*) FROM docvitals.incident'), outages),
    ...same('open', await number('SELECT count(*) FROM docvitals.incident WHERE recovered_at IS NULL'), 0),
    ...same('in order', await number(`SELECT count(*) FROM docvitals.incident WHERE ${ordered}`), outages),
    ...same('sent', await number(sent), 2 * outages),
    ...same('not sent', await number("SELECT count(*) FROM docvitals.notification WHERE state <> 'sent'"), 0),
    ...same('doubled', await number(doubled), 0),
    ...same('opened', keysOf(received, 'opened').length, outages),
    ...same('recovered', keysOf(received, 'recovered').length, outages),
    ...same('bugs', fleet.printed().match(/"event":"(?:run-failed|run-not-kept|unexpected-error)".*/g), null),
  ];
}
