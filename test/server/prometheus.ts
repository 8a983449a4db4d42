/** A Prometheus and an Alertmanager of the system, with the examples as their configuration, for tests. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../hosts/port.ts';

const EXAMPLES = join(import.meta.dirname, '../../src/monitor/examples');

export interface Watchers {
  /** Base URLs. */
  readonly prometheus: string;
  readonly alertmanager: string;
  stop(): Promise<void>;
}

/** What the examples name, and what it is here. */
export interface Places {
  /** `host:port` */
  readonly monitor: string;
  /** What Prometheus has probed. */
  readonly target: string;
  /** Where Alertmanager sends to. */
  readonly webhook: string;
}

/** Starts both; they ask every three seconds, judge and send every second. Rejects with what they said where one does not start. */
export async function startWatchers(places: Places): Promise<Watchers> {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-prometheus-'));
  const [prometheusPort, alertmanagerPort] = [await freePort(), await freePort()];
  const addresses = { ...places, alertmanager: `127.0.0.1:${alertmanagerPort}` };
  write(folder, 'prometheus/prometheus.yml', 'prometheus.yml', addresses);
  write(folder, 'prometheus/docvitals.rules.yml', 'docvitals.rules.yml', addresses);
  write(folder, 'alertmanager/alertmanager.yml', 'alertmanager.yml', addresses);
  for (const name of ['prometheus', 'alertmanager']) mkdirSync(join(folder, name));
  const children = [
    start('prometheus-alertmanager', [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      `--web.listen-address=${addresses.alertmanager}`,
      '--cluster.listen-address=',
    ]),
    start('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ];
  const stop = async (): Promise<void> => {
    await Promise.all(children.map(end));
    rmSync(folder, { recursive: true, force: true });
  };
  const urls = { prometheus: `http://127.0.0.1:${prometheusPort}/`, alertmanager: `http://${addresses.alertmanager}/` };
  try {
    await Promise.all([ready(urls.alertmanager, children[0]), ready(urls.prometheus, children[1])]);
    return { ...urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Writes an example with the addresses of this machine, and with seconds instead of minutes. */
function write(
  folder: string,
  example: string,
  name: string,
  places: Places & { readonly alertmanager: string },
): void {
  const text = readFileSync(join(EXAMPLES, example), 'utf8')
    .replaceAll('127.0.0.1:9464', places.monitor)
    .replaceAll('127.0.0.1:9093', places.alertmanager)
    .replaceAll('https://docs.example.com/', places.target)
    .replaceAll('http://127.0.0.1:5001/', places.webhook)
    .replaceAll(/^(\s*(?:evaluation_interval|group_wait|group_interval|for): ).*$/gm, (_, key) => `${key}1s`)
    .replaceAll(/^(\s*scrape_(?:interval|timeout): ).*$/gm, (_, key) => `${key}3s`);
  writeFileSync(join(folder, name), text);
}

interface Started {
  readonly child: ChildProcess;
  said: string;
}

function start(program: string, args: readonly string[]): Started {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const started = { child, said: '' };
  child.on('error', (error) => (started.said += error.message));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (started.said = (started.said + text).slice(-4_000)));
  return started;
}

async function end({ child }: Started): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended.finally(() => clearTimeout(killer));
}

async function ready(url: string, started: Started | undefined): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (started?.child.exitCode !== null) break;
    if (
      await fetch(`${url}-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error(`${url} is not ready: ${started?.said ?? ''}`);
}
