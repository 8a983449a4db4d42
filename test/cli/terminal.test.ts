/** What is different on a terminal: colours and progress. The terminal is a real one (a pty), made by Python. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { runCli } from './run.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', 'no heading, no link\n'],
};

// Runs a command with a terminal for the descriptors named in FDS; hands over what it wrote there, then its status.
// PRESS is typed once WHEN has been seen.
const PTY = `
import fcntl, json, os, pty, select, struct, subprocess, sys, termios
options = json.loads(sys.argv[1])
master, slave = pty.openpty()
fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, options['columns'], 0, 0))
piped = {name: subprocess.DEVNULL for name in ('stdout', 'stderr') if name not in options['tty']}
streams = {'stdin': slave, 'stdout': slave, 'stderr': slave, **piped}
def control():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
child = subprocess.Popen(options['command'], preexec_fn=control, **streams)
os.close(slave)
seen, waiting = b'', options.get('when')
while select.select([master], [], [], options['seconds'])[0]:
    try:
        data = os.read(master, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
    if waiting and waiting.encode() in seen:
        waiting = None
        os.write(master, options['press'].encode())
try:
    status = child.wait(2)
except subprocess.TimeoutExpired:
    child.kill()
    status = None
print(json.dumps({'status': status, 'text': seen.decode('utf-8', 'replace')}))
`;

interface Terminal {
  readonly columns?: number;
  readonly tty?: readonly ('stdout' | 'stderr')[];
  readonly env?: Readonly<Record<string, string>>;
  /** Typed once this text has been seen. */
  readonly when?: string;
  readonly press?: string;
}

function onTerminal(
  args: readonly string[],
  terminal: Terminal = {},
): Promise<{ status: number | null; text: string }> {
  const { columns = 100, tty = ['stdout', 'stderr'], env = {}, when, press } = terminal;
  const options = { columns, tty, when, press, seconds: 8, command: [process.execPath, BIN, ...args] };
  const child = spawn('python3', ['-c', PTY, JSON.stringify(options)], {
    cwd: mkdtempSync(join(tmpdir(), 'docvitals-pty-')),
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TERM: 'xterm-256color', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  return new Promise((resolve, reject) => {
    child.once('close', () => resolve(JSON.parse(printed) as { status: number | null; text: string }));
    child.once('error', reject);
  });
}

/** What stands on the screen in the end: each line as it was last drawn. */
function screen(text: string): string[] {
  return text.split('\r\n').map((line) => stripVTControlCharacters(line.split('\r\u001b[2K').at(-1) ?? '').trimEnd());
}

const ESCAPE = '\u001b';
const SGR = new RegExp(`${ESCAPE}\\[[0-9;]*m`);

let healthy: Host;
let slow: Host;
beforeAll(async () => {
  const serve = (silent: readonly string[]) =>
    listen(({ url = '' }, response) => {
      const name = url.split('/').at(-1) ?? '';
      const [type, body] = FILES[name] ?? [];
      if (silent.includes(name)) return;
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': type }).end(body);
    });
  [healthy, slow] = await Promise.all([serve([]), serve(['navigation.md'])]);
});
afterAll(async () => Promise.all([healthy.close(), slow.close()]));

const slowly = (): string[] => ['check', slow.url, '--retries', '0', '--timeout', '1s'];

describe.concurrent('colours in a pipe', () => {
  const rows: readonly { name: string; env: Record<string, string>; args: readonly string[]; coloured: boolean }[] = [
    { name: 'none by default', env: {}, args: [], coloured: false },
    {
      name: 'none with a terminal named in TERM',
      env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
      args: [],
      coloured: false,
    },
    { name: 'with FORCE_COLOR', env: { FORCE_COLOR: '1' }, args: [], coloured: true },
    { name: 'with FORCE_COLOR=3', env: { FORCE_COLOR: '3' }, args: [], coloured: true },
    { name: 'none with FORCE_COLOR=0', env: { FORCE_COLOR: '0' }, args: [], coloured: false },
    {
      name: 'none with NO_COLOR beside FORCE_COLOR',
      env: { FORCE_COLOR: '1', NO_COLOR: '1' },
      args: [],
      coloured: false,
    },
    {
      name: 'none with --no-color beside FORCE_COLOR',
      env: { FORCE_COLOR: '1' },
      args: ['--no-color'],
      coloured: false,
    },
  ];

  it.each(rows)('$name', async ({ env, args, coloured }) => {
    const options = { env: { NO_COLOR: '', ...env } };
    const [report, page] = await Promise.all([
      runCli(['check', healthy.url, ...args], options),
      runCli(['explain', 'config', ...args], options),
    ]);
    expect([SGR.test(report.stdout), SGR.test(page.stdout)]).toEqual([coloured, coloured]);
  });

  it('nothing is said of them', async () => {
    const { stderr } = await runCli(['check', healthy.url], { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(stderr).toBe('');
  });

  it('none in JSON and in files', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'docvitals-plain-')), 'report.txt');
    const args = ['check', healthy.url, '--format', 'json', '--report', `pretty=${file}`];
    const { stdout } = await runCli(args, { env: { NO_COLOR: '', FORCE_COLOR: '1' } });
    expect(stdout + readFileSync(file, 'utf8')).not.toContain(ESCAPE);
  });

  it('change nothing but the colours and the backticks', async () => {
    const plain = await runCli(['explain', 'config'], { env: { COLUMNS: '4000' } });
    const coloured = await runCli(['explain', 'config'], { env: { NO_COLOR: '', FORCE_COLOR: '1', COLUMNS: '4000' } });
    const words = (text: string): string[] =>
      stripVTControlCharacters(text).replaceAll(/[`#]/g, '').trim().split(/\s+/);
    expect(words(coloured.stdout)).toEqual(words(plain.stdout));
  });
});

const python = process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;
if (!python) console.warn('No python3 with a pty module here: what needs a terminal is not tested.');

// In CI a missing Python must be seen.
describe.skipIf(!python && !process.env['CI']).concurrent('on a terminal', () => {
  it.each([
    { name: 'coloured', args: [], env: {}, coloured: true },
    { name: 'plain with --no-color', args: ['--no-color'], env: {}, coloured: false },
    { name: 'plain with NO_COLOR', args: [], env: { NO_COLOR: '1' }, coloured: false },
    { name: 'coloured with an empty NO_COLOR', args: [], env: { NO_COLOR: '' }, coloured: true },
    { name: 'plain with TERM=dumb', args: [], env: { TERM: 'dumb' }, coloured: false },
    { name: 'plain with FORCE_COLOR=0', args: [], env: { FORCE_COLOR: '0' }, coloured: false },
  ])('the report is $name', async ({ args, env, coloured }) => {
    const { status, text } = await onTerminal(['check', healthy.url, ...args], { env: { ...env } });
    expect({ status, coloured: SGR.test(text) }).toEqual({ status: 0, coloured });
  });

  it.each([40, 60, 200])('of %i columns no line is wider', async (columns) => {
    const { text } = await onTerminal(slowly(), { columns });
    for (const line of screen(text)) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('tells of each round of --wait in one line, and wipes it in the end', async () => {
    const { status, text } = await onTerminal([...slowly(), '--wait', '1500ms'], { columns: 60 });
    const drawn = text.split('\r\u001b[2K').slice(1, -1);
    expect(status).toBe(1);
    expect(drawn.filter((line) => /0:0\d of 0:01/.test(line)).length).toBeGreaterThan(1);
    for (const line of drawn) expect(stringWidth(line)).toBeLessThanOrEqual(60);
    expect(screen(text).filter((line) => line.includes(' of 0:01'))).toEqual([]);
  });

  it('tells what it waits for, and wipes that in the end', async () => {
    const { status, text } = await onTerminal(slowly());
    const drawn = text.split('\r\u001b[2K').slice(1, -1);
    expect(status).toBe(1);
    expect(drawn.length).toBeGreaterThan(1);
    for (const line of drawn) expect(line).toMatch(/navigation.*\d/);
    expect(drawn.at(-1)).not.toMatch(/bundle|config|home|llms-txt/);
    const { stdout } = await runCli(slowly(), { env: { COLUMNS: '100' } });
    const withoutTimes = (lines: readonly string[]): string[] =>
      lines.map((line) => line.replaceAll(/[\d,.]+/g, '#').replaceAll(/ +/g, ' '));
    expect(withoutTimes(screen(text)).filter((line) => !line.includes('`'))).toEqual(
      expect.arrayContaining(withoutTimes([stdout.split('\n')[0] ?? '', stdout.trimEnd().split('\n').at(-1) ?? ''])),
    );
  });

  it('shows progress when only standard error is the terminal, and leaves it clean', async () => {
    const { text } = await onTerminal([...slowly(), '--format', 'json'], { tty: ['stderr'] });
    expect(text).toContain('navigation');
    expect(screen(text).join('')).toBe('');
  });

  it.each([
    { name: 'with CI=true', terminal: { env: { CI: 'true' } }, args: [] },
    { name: 'with TERM=dumb', terminal: { env: { TERM: 'dumb' } }, args: [] },
    { name: 'when standard error is elsewhere', terminal: { tty: ['stdout'] }, args: [] },
    { name: 'with --quiet', terminal: {}, args: ['--quiet'] },
  ] as const)('shows no progress $name', async ({ terminal, args }) => {
    const { status, text } = await onTerminal([...slowly(), ...args], terminal);
    expect(status).toBe(1);
    expect(text).not.toContain('\u001b[2K');
    expect(text).not.toMatch(/\r(?!\n)/);
  });

  it.each([0, 1, 5])('of %i columns, as some CI services and containers make, ends too', async (columns) => {
    const { status } = await onTerminal(slowly(), { columns });
    expect(status).toBe(1);
  });

  it('Ctrl-C tells what is known, on clean lines', async () => {
    const args = ['check', slow.url, '--retries', '0'];
    const { status, text } = await onTerminal(args, { when: 'for navigation (', press: '\u0003' });
    expect(status).toBe(130);
    const lines = screen(text);
    expect(lines.filter((line) => /\bpass\b/.test(line))).toHaveLength(3);
    expect(lines.filter((line) => /\bunknown\b.*\/navigation\.md/.test(line))).toHaveLength(1);
    for (const line of lines) expect(line).not.toContain('for navigation (');
  });
});
