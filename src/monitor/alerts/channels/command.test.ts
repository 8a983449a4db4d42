import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SendResult } from '../alert.ts';
import { createSend } from '../send.ts';
import { incidentOf, routeOf, SECOND, siteOf, SIX } from '../../../../test/alerts/samples.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'command-'));
  file = path.join(folder, 'out');
});
afterEach(() => rm(folder, { recursive: true }));

const KEY = `${incidentOf().id}:opened:ops`;

const send = createSend({
  settings: () => ({ sites: [siteOf()], page: { title: null, url: null, language: 'en' } }),
  env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', OPS_WEBHOOK: 'secret', GITHUB_TOKEN: 'secret' },
  now: () => SIX,
});

function run(
  command: readonly string[],
  timeoutMs = 10 * SECOND,
  signal = new AbortController().signal,
): Promise<SendResult> {
  const route = routeOf({ channel: { kind: 'command', run: command, timeoutMs } });
  return send(route, { key: KEY, event: 'opened', incident: incidentOf(), alsoSites: [] }, signal);
}

/** Ends without being told only after a minute; so does what it has started. */
const FAMILY = 'sleep 60 & echo $! > "$0"; sleep 60';

const failed = (error: string, permanent = false): SendResult => ({ ok: false, error, permanent, retryAfterMs: null });

/** Whether a process is there and not only waits to be buried. */
async function lives(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

describe('a command', () => {
  it('reads the JSON of a webhook', async () => {
    expect(await run(['sh', '-c', 'cat > "$0"', file])).toEqual({ ok: true, status: 0 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ id: KEY, event: 'opened', site: { id: 'docs' } });
  });

  it('has the alert in its environment, and none of our secrets', async () => {
    await run(['sh', '-c', 'env > "$0"', file]);
    const environment = (await readFile(file, 'utf8')).split('\n');
    expect(environment).toEqual(
      expect.arrayContaining([
        'DOCVITALS_EVENT=opened',
        'DOCVITALS_SITE=docs',
        'DOCVITALS_VERDICT=down',
        'DOCVITALS_URL=https://docs.example.com/',
        'LANG=C.UTF-8',
      ]),
    );
    expect(environment.join('\n')).not.toMatch(/secret|letmein1/);
  });

  it('is no shell', async () => {
    expect(await run(['printf', '%s', `$(touch ${file}); touch ${file}`])).toMatchObject({ ok: true });
    expect(existsSync(file)).toBe(false);
  });

  it('need not read', async () => {
    expect(await run(['true'])).toEqual({ ok: true, status: 0 });
  });

  it.each([
    { name: 'that fails', command: ['sh', '-c', 'exit 3'], result: failed('exit 3') },
    { name: 'that is killed', command: ['sh', '-c', 'kill -9 $$'], result: failed('signal SIGKILL') },
    { name: 'that is not there', command: ['no-such-program'], result: failed('not started: ENOENT', true) },
    { name: 'that is no program', command: ['/etc/passwd'], result: failed('not started: EACCES', true) },
  ])('$name is reported', async ({ command, result }) => {
    expect(await run(command)).toEqual(result);
  });

  it('that takes too long is ended with all that it has started', async () => {
    expect(await run(['sh', '-c', FAMILY, file], 300)).toEqual(failed('timeout'));
    const child = Number(await readFile(file, 'utf8'));
    while (await lives(child)) await sleep(20);
  });

  it('is ended when the monitor ends', async () => {
    const stopping = new AbortController();
    const running = run(['sh', '-c', FAMILY, file], 10 * SECOND, stopping.signal);
    while (!existsSync(file)) await sleep(20);
    stopping.abort();
    expect(await running).toEqual(failed('aborted'));
  });
});
