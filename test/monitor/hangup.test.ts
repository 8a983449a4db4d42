/** A monitor on a terminal that is closed: nobody sees it any more. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasTerminal } from '../cli/pty.ts';
import { makeProject, type Project } from './process.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

/** Waits until the monitor is seen to run on a terminal, does what is asked, and says how it ended. */
const PTY = `
import fcntl, os, pty, signal, subprocess, sys, termios, time
act, command = sys.argv[1], sys.argv[2:]
master, slave = pty.openpty()
def control():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen(command, preexec_fn=control, stdin=slave, stdout=slave, stderr=slave)
os.close(slave)
seen = b''
while b'monitor-started' not in seen:
    seen += os.read(master, 65536)
if act == 'close':
    os.close(master)
else:
    child.send_signal(signal.SIGHUP)
    while b'config-unchanged' not in seen:
        seen += os.read(master, 65536)
    child.terminate()
try:
    print(child.wait(10))
except subprocess.TimeoutExpired:
    child.kill()
    print('still there')
`;

let host: WatchedHost;
let project: Project;

beforeEach(async () => {
  host = await startWatchedHost();
  project = makeProject({ sites: [{ id: 'docs', url: host.url, full: false }], monitor: { connectivity: [] } });
});
afterEach(async () => {
  await host.close();
  project.remove();
});

async function ended(act: 'close' | 'hang up'): Promise<string> {
  const command = [process.execPath, BIN, 'monitor', '--log', 'json'];
  const child = spawn('python3', ['-c', PTY, act, ...command], {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TERM: 'xterm' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return printed.trim();
}

describe.runIf(hasTerminal)('a monitor on a terminal', () => {
  it('ends well when that is closed, and leaves the database free', async () => {
    expect(await ended('close')).toBe('0');
    expect((await project.run(['monitor', '--once'])).status).toBe(0);
  });

  it('reads its configuration again by SIGHUP while that is there', async () => {
    expect(await ended('hang up')).toBe('0');
  });
});
