import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../src/monitor/store/open.ts';
import { commitOf } from '../store/samples.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { incidentOf, waitingOf } from './samples.ts';

const ALERTS = 60;
const KILLS = 5;

let folder: string;
let receiver: Receiver;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'killed-'));
  receiver = await startReceiver();
});
afterEach(async () => {
  await kill();
  await receiver.stop();
  await rm(folder, { recursive: true });
});

async function kill(): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const alerts = Array.from({ length: ALERTS }, (_, number) =>
  waitingOf({ incident: incidentOf({ id: `site-${number}-x`, site: `site-${number}` }) }),
);

it('loses no alert, however often the process that delivers is killed', { retry: 0, timeout: 60_000 }, async () => {
  const database = path.join(folder, 'monitor.db');
  const store = await openStore(database, { mode: 'own' });
  await store.append([commitOf({ incidents: alerts.map(({ incident }) => incident), notifications: alerts })]);
  await store.close();
  // Slow enough to be killed in between: before it is sent, before it is answered, before it is noted.
  receiver.answer = (response) => void setTimeout(() => response.writeHead(200).end(), 5);
  const script = path.join(import.meta.dirname, 'delivering.ts');
  const start = (): void => {
    child = spawn(process.execPath, ['--no-warnings', script, database, receiver.url], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  };
  for (let kills = 0; kills < KILLS; kills++) {
    start();
    await receiver.has(receiver.received.length + 5);
    await kill();
  }
  start();
  const pending = async (): Promise<number> => {
    const shared = await openStore(database, { mode: 'shared' });
    const state = await shared.waiting(0);
    await shared.close();
    return state.pending;
  };
  while ((await pending()) > 0) await sleep(50);
  const ids = receiver.received.map(({ headers, body }) => {
    const { id } = JSON.parse(body) as { id: string };
    expect(headers['idempotency-key']).toBe(id);
    return id;
  });
  expect(new Set(ids)).toEqual(new Set(alerts.map(({ key }) => key)));
  // What was under way when it was killed comes twice, and nothing else.
  expect(ids.length - ALERTS).toBeLessThanOrEqual(KILLS * 4);
});
