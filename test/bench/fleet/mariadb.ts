/** A MariaDB server on a free loopback port, in a temporary folder, for a peer that stores its history there. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../hosts/port.ts';
import type { Bench } from '../row.ts';

export interface MariaDb {
  readonly pid: number;
  readonly port: number;
  /** Of the only user, who owns the database of the same name. */
  readonly user: string;
  readonly password: string;
  stop(): Promise<void>;
}

const USER = 'peer';
const PASSWORD = 'only-on-loopback';

/** Debian's character set; it does not wait for the disk, as PostgreSQL in this benchmark. */
const SETTINGS = [
  '--character-set-server=utf8mb4',
  '--innodb-flush-log-at-trx-commit=0',
  '--skip-innodb-doublewrite',
  '--skip-log-bin',
];

export async function startMariaDb({
  folder,
  peer,
  signal,
}: Pick<Bench, 'folder' | 'peer' | 'signal'>): Promise<MariaDb> {
  const { argv, env } = peer('mariadbd');
  const [program = ''] = argv;
  const prefix = path.resolve(path.dirname(program), '..');
  const own = mkdtempSync(path.join(folder, 'mariadb-'));
  const data = path.join(own, 'data');
  const identity = process.getuid?.() === 0 ? ['--user=root'] : [];
  const environment = { PATH: process.env['PATH'], ...env };
  const options = ['--no-defaults', ...identity, `--basedir=${prefix}`, `--datadir=${data}`];
  const install = spawnSync(path.join(prefix, 'bin', 'mariadb-install-db'), [...options, '--skip-test-db'], {
    cwd: own,
    encoding: 'utf8',
    env: environment,
  });
  if (install.status !== 0) throw new Error(`mariadb-install-db: ${install.error?.message ?? install.stderr}`);
  const begin = path.join(own, 'begin.sql');
  writeFileSync(
    begin,
    `CREATE DATABASE ${USER};
CREATE USER '${USER}'@'%' IDENTIFIED BY '${PASSWORD}';
GRANT ALL ON ${USER}.* TO '${USER}'@'%';
`,
  );
  const port = await freePort();
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${path.join(own, 'socket')}`];
  const files = [`--pid-file=${path.join(own, 'pid')}`, `--init-file=${begin}`];
  const child = spawn(program, [...options, ...listen, ...files, ...SETTINGS], {
    cwd: own,
    stdio: 'ignore',
    env: environment,
  });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    rmSync(own, { recursive: true, force: true });
  };
  try {
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`mariadbd ended with ${child.exitCode}`);
      await sleep(100, undefined, { signal });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid ?? NaN, port, user: USER, password: PASSWORD, stop };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
