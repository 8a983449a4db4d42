/** A terminal (a pty, made by Python) on which somebody answers questions. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

/** Typed once the text has been seen after what was typed before. */
export interface Step {
  readonly when: string;
  readonly press: string;
  /** Sends SIGTERM instead. */
  readonly kill?: boolean;
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
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 40, 100, 0, 0))
def control():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen(options['command'], preexec_fn=control, stdin=slave, stdout=slave, stderr=slave)
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

/** Runs `docvitals <args>` on a terminal. */
export function converse(args: readonly string[], cwd: string, steps: readonly Step[]): Promise<Session> {
  const options = { steps, seconds: 6, command: [process.execPath, BIN, ...args] };
  const child = spawn('python3', ['-c', PTY, JSON.stringify(options)], {
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('close', () => resolve(JSON.parse(printed) as Session));
    child.once('error', reject);
  });
}
