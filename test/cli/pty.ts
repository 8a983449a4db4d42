/** A real terminal (a pty, made by Python) for the command, on which somebody may type. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

/** Typed once the text has been seen after what was typed before. */
export interface Step {
  readonly when: string;
  readonly press: string;
  /** Sends SIGTERM instead. */
  readonly kill?: boolean;
}

/** What is not as usual: a wide terminal for both outputs, in a folder of its own. */
export interface Terminal {
  readonly cwd?: string;
  readonly columns?: number;
  /** Outputs that are on the terminal; the others go nowhere. */
  readonly tty?: readonly ('stdout' | 'stderr')[];
  readonly env?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

export interface Session {
  /** Exit status, `null` when it had to be killed. */
  readonly status: number | null;
  readonly text: string;
  /** The steps that were not come to. */
  readonly left: number;
}

const PTY = `
import fcntl, json, os, pty, select, struct, subprocess, sys, termios, time
options = json.loads(sys.argv[1])
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 40, options['columns'], 0, 0))
piped = {name: subprocess.DEVNULL for name in ('stdout', 'stderr') if name not in options['tty']}
streams = {'stdin': slave, 'stdout': slave, 'stderr': slave, **piped}
def control():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen(options['command'], preexec_fn=control, **streams)
os.close(slave)
seen, start, steps = b'', 0, list(options['steps'])
while select.select([master], [], [], options['seconds'])[0]:
    try:
        data = os.read(master, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if steps:
        at = seen.find(steps[0]['when'].encode(), start)
        if at != -1:
            # The question has been drawn by then; keys before that would be lost.
            time.sleep(0.05)
            start = len(seen)
            step = steps.pop(0)
            if step.get('kill'):
                child.terminate()
            else:
                os.write(master, step['press'].encode())
try:
    status = child.wait(2)
except subprocess.TimeoutExpired:
    child.kill()
    status = None
print(json.dumps({'status': status, 'text': seen.decode('utf-8', 'replace'), 'left': len(steps)}))
`;

/** Whether there is what a terminal needs; in CI it has to be. */
export const hasTerminal =
  process.platform !== 'win32' &&
  (spawnSync('python3', ['-c', 'import pty']).status === 0 || Boolean(process.env['CI']));

/** Runs `docvitals <args>` on a terminal; it is given up when nothing is written for eight seconds. */
export function onTerminal(args: readonly string[], terminal: Terminal = {}): Promise<Session> {
  const { columns = 100, tty = ['stdout', 'stderr'], env = {}, steps = [] } = terminal;
  const options = { columns, tty, steps, seconds: 8, command: [process.execPath, BIN, ...args] };
  const child = spawn('python3', ['-c', PTY, JSON.stringify(options)], {
    cwd: terminal.cwd ?? mkdtempSync(path.join(tmpdir(), 'docvitals-pty-')),
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('close', () => resolve(JSON.parse(printed) as Session));
    child.once('error', reject);
  });
}
