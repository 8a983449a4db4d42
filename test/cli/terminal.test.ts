/** What is different on a terminal: colours and progress. The terminal is a real one (a pty), made by Python. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../site/host.ts';
import type { Host } from '../site/host.ts';
import { hasTerminal, onTerminal } from './pty.ts';
import { runCli } from './run.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  'config.json': ['application/json', '{}'],
  'navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  'index.md': ['text/markdown', '# Docs\n'],
  'llms.txt': ['text/plain', 'no heading, no link\n'],
};

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

  it('change nothing but the colours and the marks of Markdown', async () => {
    const plain = await runCli(['explain', 'config'], { env: { COLUMNS: '4000' } });
    const coloured = await runCli(['explain', 'config'], { env: { NO_COLOR: '', FORCE_COLOR: '1', COLUMNS: '4000' } });
    const words = (text: string): string[] =>
      stripVTControlCharacters(text)
        .replaceAll(/[`#]|\*\*/g, '')
        .trim()
        .split(/\s+/);
    expect(words(coloured.stdout)).toEqual(words(plain.stdout));
  });
});

describe.skipIf(!hasTerminal).concurrent('on a terminal', () => {
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

  it('reports each run of --wait in one line, and wipes it in the end', async () => {
    const { status, text } = await onTerminal([...slowly(), '--wait', '1500ms'], { columns: 60 });
    const drawn = text.split('\r\u001b[2K').slice(1, -1);
    expect(status).toBe(1);
    expect(drawn.filter((line) => /0:0\d of 0:01/.test(line)).length).toBeGreaterThan(1);
    for (const line of drawn) expect(stringWidth(line)).toBeLessThanOrEqual(60);
    expect(screen(text).filter((line) => line.includes(' of 0:01'))).toEqual([]);
  });

  it('reports what it waits for, and wipes that in the end', async () => {
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

  it('Ctrl-C reports what is known, on clean lines', async () => {
    const args = ['check', slow.url, '--retries', '0'];
    const { status, text } = await onTerminal(args, { steps: [{ when: 'for navigation (', press: '\u0003' }] });
    expect(status).toBe(130);
    const lines = screen(text);
    expect(lines.filter((line) => /\bpass\b/.test(line))).toHaveLength(3);
    expect(lines.filter((line) => /\bunknown\b.*\/navigation\.md/.test(line))).toHaveLength(1);
    for (const line of lines) expect(line).not.toContain('for navigation (');
  });
});
