/** A real PostgreSQL server on a free loopback port, in a temporary folder, for tests. */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './port.ts';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Debian has the programs of each version in a folder of their own; elsewhere they are on the path. */
function programs(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => path.join(debian, version, 'bin'));
  const found = [...folders, ...(process.env['PATH'] ?? '').split(path.delimiter)];
  return found.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;
}

export const isPostgresInstalled = (): boolean => programs() !== null;

/** Whether tests against PostgreSQL are to run: where it is installed, and in CI in any case. */
export function postgresWanted(): boolean {
  const isAvailable = isPostgresInstalled();
  const isCi = process.env['CI'] === 'true';
  if (!isAvailable && !isCi) console.warn('PostgreSQL is not installed here: its tests are left out.');
  return isAvailable || isCi;
}

export interface Postgres {
  /** Of the server that runs now; its connections are processes below it. */
  readonly pid: () => number;
  readonly port: number;
  /** The address of a database, with the password. Every role of the tests has the same one. */
  readonly url: (database?: string, user?: string) => string;
  readonly password: string;
  /** What psql prints for a query: rows in lines, columns between `|`. */
  psql(query: string, database?: string, user?: string): string;
  /** Ends the server and all of its connections at once, `SIGKILL`: as a crash; `start` starts it where it was. */
  end(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** `settings`: added for this start, such as `max_connections=10`. */
  start(settings?: readonly string[]): Promise<void>;
  /** A new server that follows this one, until it is promoted. */
  standby(): Promise<Postgres>;
  /** Ends the server, and removes its folder. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** The folder of its data; default: a new one of its own. */
  readonly within?: string;
  /** Of each start, such as `max_connections=10`. */
  readonly settings?: readonly string[];
}

/** The roles of the documentation, for the locations Paris, Bucharest and Virginia. */
export function createRoles(server: Postgres): void {
  server.psql(readFileSync(new URL('../../src/monitor/examples/postgres/roles.sql', import.meta.url), 'utf8'));
  const roles = server.psql("SELECT role FROM docvitals.location_role UNION VALUES ('docvitals_coordinator')");
  for (const role of roles.split('\n')) server.psql(`ALTER ROLE ${role} PASSWORD '${server.password}'`);
}

/** A server that does not wait for the disk, with a database `docvitals`. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const server = await prepare(options, (run, data, passwordFile) =>
    run('initdb', ['-D', data, '-U', 'docvitals', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-N']),
  );
  try {
    server.psql('CREATE DATABASE docvitals', 'postgres');
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

type Run = (program: string, args: readonly string[]) => string;

/** Makes the data of a server, and starts it. */
async function prepare(
  { within = tmpdir(), settings: ofEachStart = [] }: PostgresOptions,
  make: (run: Run, data: string, passwordFile: string) => void,
): Promise<Postgres> {
  const bin = programs();
  if (bin === null) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(path.join(within, 'docvitals-postgres-'));
  if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const data = path.join(folder, 'data');
  const password = 'not-to-be-printed';
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC', PGPASSWORD: password };
  const run = (program: string, args: readonly string[]): string => {
    const options = { ...identity, cwd: folder, encoding: 'utf8', env: environment } as const;
    const { status, stdout, stderr } = spawnSync(path.join(bin, program), args, options);
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return stdout.trim();
  };
  const passwordFile = path.join(folder, 'password');
  writeFileSync(passwordFile, password);
  try {
    make(run, data, passwordFile);
  } catch (error) {
    // Ctrl-C ends it as well.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const port = await freePort();
  let server: ChildProcess | null = null;
  let wasKilled = false;
  const psql = (query: string, database = 'docvitals', user = 'docvitals'): string =>
    run('psql', ['-h', '127.0.0.1', '-p', String(port), '-U', user, '-XAtc', query, database]);
  const start = async (ofThisStart: readonly string[] = []): Promise<void> => {
    const own = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
    const settings = [...own, ...ofEachStart, ...ofThisStart];
    const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
    const log = path.join(folder, 'log');
    const begin = () => {
      const output = openSync(log, 'a');
      const options: SpawnOptions = { ...identity, cwd: folder, env: environment, stdio: ['ignore', output, output] };
      const begun = spawn(path.join(bin, 'postgres'), args, options);
      closeSync(output);
      return begun;
    };
    const until = performance.now() + 20_000;
    let child = begin();
    while (performance.now() < until) {
      // After a SIGKILL it does not begin before the last process of the server before has ended.
      if (child.exitCode !== null && wasKilled) child = begin();
      server = child;
      try {
        psql('SELECT 1', 'postgres');
        wasKilled = false;
        return;
      } catch {
        if (child.exitCode !== null && !wasKilled) break;
        await sleep(50);
      }
    }
    throw new Error(`postgres does not listen on port ${port}: ${readFileSync(log, 'utf8').slice(-2_000)}`);
  };
  const end = async (signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    wasKilled = child.kill(signal) && signal === 'SIGKILL';
    await ended;
  };
  const stop = async (): Promise<void> => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = (database = 'docvitals', user = 'docvitals'): string =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const standby = (): Promise<Postgres> => {
    const from = `host=127.0.0.1 port=${port} user=docvitals password=${password} application_name=standby`;
    return prepare({ within, settings: ofEachStart }, (copy, own) =>
      copy('pg_basebackup', ['-D', own, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '-N']),
    );
  };
  return { pid: () => server?.pid ?? NaN, port, url, password, psql, end, start, standby, stop };
}
