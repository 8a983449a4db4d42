/** A real PostgreSQL server on a free loopback port, in a temporary folder, for tests. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** Whether tests against PostgreSQL are to run: where it is installed, and in CI in any case. */
export function postgresWanted(): boolean {
  const isAvailable = programs() !== null;
  const isCi = process.env['CI'] === 'true';
  if (!isAvailable && !isCi) console.warn('PostgreSQL is not installed here: its tests are left out.');
  return isAvailable || isCi;
}

export interface Postgres {
  /** The address of a database, with the password. */
  readonly url: (database?: string) => string;
  readonly password: string;
  /** What psql prints for a query: rows in lines, columns between `|`. */
  psql(query: string, database?: string): string;
  /** Ends the server and all of its connections at once; `start` starts it where it was. */
  end(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server, and removes its folder. */
  stop(): Promise<void>;
}

/** A server that does not wait for the disk, with a database `docvitals`. */
export async function startPostgres(): Promise<Postgres> {
  const bin = programs();
  if (bin === null) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-postgres-'));
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
  run('initdb', ['-D', data, '-U', 'docvitals', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-N']);
  const port = await freePort();
  let server: ChildProcess | null = null;
  const psql = (query: string, database = 'docvitals'): string =>
    run('psql', ['-h', '127.0.0.1', '-p', String(port), '-U', 'docvitals', '-XAtc', query, database]);
  const start = async (): Promise<void> => {
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off'];
    const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])], {
      ...identity,
      cwd: folder,
      env: environment,
      stdio: 'ignore',
    });
    server = child;
    for (let tries = 0; tries < 200; tries += 1) {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`);
      try {
        psql('SELECT 1', 'postgres');
        return;
      } catch {
        await sleep(50);
      }
    }
    throw new Error(`postgres does not listen on port ${port}`);
  };
  const end = async (): Promise<void> => {
    const child = server;
    server = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  };
  const stop = async (): Promise<void> => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
    psql('CREATE DATABASE docvitals', 'postgres');
  } catch (error) {
    await stop();
    throw error;
  }
  const url = (database = 'docvitals'): string => `postgres://docvitals:${password}@127.0.0.1:${port}/${database}`;
  return { url, password, psql, end, start, stop };
}
