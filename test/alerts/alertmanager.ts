/** A real Alertmanager on a free loopback port, which hands every alert at once to a webhook. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../hosts/port.ts';

/** An alert as `GET /api/v2/alerts` tells it. */
export interface ShownAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly status: { readonly state: string };
}

export interface Alertmanager {
  /** Without a slash at its end. */
  readonly url: string;
  /** Those that are not resolved. */
  alerts(): Promise<readonly ShownAlert[]>;
  stop(): Promise<void>;
}

/** Starts it; `webhook`: where it sends alerts to, and what is resolved. */
export async function startAlertmanager(webhook: string): Promise<Alertmanager> {
  const folder = await mkdtemp(path.join(tmpdir(), 'alertmanager-'));
  const config = path.join(folder, 'alertmanager.yml');
  await writeFile(
    config,
    `route: { receiver: us, group_by: [alertname, site], group_wait: 10ms, group_interval: 100ms, repeat_interval: 1h }
receivers: [{ name: us, webhook_configs: [{ url: '${webhook}', send_resolved: true }] }]
`,
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  const child = spawn(
    'prometheus-alertmanager',
    [
      `--config.file=${config}`,
      `--storage.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  for (let tries = 0; tries < 200; tries++) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) break;
    await sleep(50);
  }
  return {
    url,
    async alerts() {
      const response = await fetch(`${url}/api/v2/alerts`);
      return (await response.json()) as readonly ShownAlert[];
    },
    async stop() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
