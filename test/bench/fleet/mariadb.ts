/** A MariaDB server on a free loopback port, in a temporary folder, for a peer that stores its history there. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { freePort } from '../../hosts/port.ts';
import { peer } from '../peers.ts';
import { Process } from '../process.ts';
import { newFolder } from '../session.ts';

/** The only user, who owns the database of the same name. */
export const USER = 'peer';
export const PASSWORD = 'only-on-loopback';

/** Debian's character set; it does not wait for the disk, as PostgreSQL in this benchmark. */
const SETTINGS = [
  '--character-set-server=utf8mb4',
  '--innodb-flush-log-at-trx-commit=0',
  '--skip-innodb-doublewrite',
  '--skip-log-bin',
];

export async function startMariaDb() {
  const { argv, env } = peer('mariadbd');
  const prefix = path.resolve(path.dirname(argv[0] ?? ''), '..');
  const cwd = newFolder('mariadb');
  const identity = process.getuid?.() === 0 ? ['--user=root'] : [];
  const options = ['--no-defaults', ...identity, `--basedir=${prefix}`, `--datadir=${path.join(cwd, 'data')}`];
  const install = spawnSync(path.join(prefix, 'bin', 'mariadb-install-db'), [...options, '--skip-test-db'], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
  if (install.status !== 0) throw new Error(`mariadb-install-db: ${install.error?.message ?? install.stderr}`);
  const begin = path.join(cwd, 'begin.sql');
  writeFileSync(
    begin,
    `CREATE DATABASE ${USER};
CREATE USER '${USER}'@'%' IDENTIFIED BY '${PASSWORD}';
GRANT ALL ON ${USER}.* TO '${USER}'@'%';
`,
  );
  const port = await freePort();
  const files = [
    `--socket=${path.join(cwd, 'socket')}`,
    `--pid-file=${path.join(cwd, 'pid')}`,
    `--log-error=${path.join(cwd, 'log')}`,
    `--init-file=${begin}`,
  ];
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1'];
  const server = new Process([...argv, ...options, ...listen, ...files, ...SETTINGS], { cwd, env });
  const stop = (): Promise<void> => server.stop('SIGKILL');
  try {
    await server.until(() => accepts(port));
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: server.pid, port, stop };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
