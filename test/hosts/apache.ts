/** Debian's Apache on a free loopback port, in a folder of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './port.ts';
import { isWanted, untilListening } from './program.ts';

export const apacheWanted = (): boolean => isWanted('apache2', ['-v']);

const AVAILABLE = '/etc/apache2/mods-available';
/** Those that Debian enables and that a static site meets, then `a2enmod headers rewrite ssl`. */
const MODULES = ['mpm_event', 'authz_core', 'alias', 'dir', 'mime', 'negotiation', 'autoindex', 'filter', 'deflate'];
const ENABLED = ['headers', 'rewrite', 'socache_shmcb', 'ssl'];

/** Serves `prefix/site`; `server`: lines of the server's configuration. */
export async function startApache(prefix: string, server: readonly string[]) {
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const configuration = `ServerRoot ${prefix}
PidFile ${prefix}/pid
DefaultRuntimeDir ${prefix}
Listen 127.0.0.1:${port}
ServerName localhost
${isRoot ? 'User nobody\nGroup nogroup' : ''}
ErrorLog ${prefix}/error.log
Mutex file:${prefix} default
${[...MODULES, ...ENABLED].map((name) => `Include ${AVAILABLE}/${name}.load`).join('\n')}
Include ${AVAILABLE}/mime.conf
Include ${AVAILABLE}/dir.conf
DocumentRoot ${prefix}/site
<Directory ${prefix}/site>
  Options FollowSymLinks
  AllowOverride FileInfo Indexes
  Require all granted
</Directory>
${server.join('\n')}
`;
  const file = join(prefix, 'apache.conf');
  writeFileSync(file, configuration);
  const tested = spawnSync('apache2', ['-f', file, '-t'], { encoding: 'utf8' });
  if (tested.status !== 0) throw new Error(`apache2: ${tested.stderr}`);
  const child = spawn('apache2', ['-f', file, '-D', 'FOREGROUND'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return { port, stop: await untilListening(child, port) };
}
