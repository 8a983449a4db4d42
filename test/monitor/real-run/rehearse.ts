/** Plays a script against a real nginx, a real monitor process and a real receiver, and keeps what they came to. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IncidentDocument } from '../../../src/monitor/incident/document.ts';
import { benchSite } from '../../bench/site.ts';
import { startNginx } from '../../hosts/nginx.ts';
import { writeSite } from '../../site/sample.ts';
import { makeProject, type Line } from '../process.ts';
import { startLeavingReceiver, type Received } from './receiver.ts';
import type { Act, Stage } from './script.ts';
import { watcher } from './watcher.ts';

export interface Rehearsal {
  readonly acts: readonly Act[];
  /** Goes on so long after the last act has ended, in seconds. */
  readonly after: number;
  /** Settings of the site beside its id and URL. */
  readonly site: object;
  /** Called with what happens, as it does. */
  readonly tell?: (line: string) => void;
}

/** An act as it was played; ms since 1970. */
export interface Played {
  readonly act: Act;
  readonly beganAt: number;
  /** When its end began: from here on the site can be well. */
  readonly mendedAt: number;
  readonly endedAt: number;
}

export interface Outcome {
  readonly played: readonly Played[];
  /** Oldest first. */
  readonly incidents: readonly IncidentDocument[];
  readonly received: readonly Received[];
  readonly metrics: string;
  readonly page: string;
  readonly log: readonly Line[];
  /** Memory and descriptors, a sample each half minute. */
  readonly sizes: readonly { readonly rssKiB: number; readonly descriptors: number }[];
  /** Of the monitor, when it was asked to end. */
  readonly status: number | null;
}

const CONTENT = benchSite(20);

/** Plays the acts; rejects where something cannot be started. */
export async function rehearse({ acts, after, site, tell = () => {} }: Rehearsal): Promise<Outcome> {
  const root = mkdtempSync(path.join(tmpdir(), 'docvitals-rehearsal-'));
  writeSite(CONTENT, root);
  let host = await startNginx(root, { improved: true });
  const { port } = host;
  const receiver = await startLeavingReceiver();
  const project = makeProject({
    sites: [{ id: 'docs', url: host.url, ...site }],
    alerts: [{ id: 'ops', webhook: { url: '${OPS_WEBHOOK}' } }],
  });
  const monitor = await watcher(project, { OPS_WEBHOOK: receiver.url });
  const stage: Stage = {
    monitor,
    receiver,
    stopHost: () => host.stop(),
    async startHost() {
      host = await startNginx(root, { improved: true, port });
    },
    deploy: (file, text) => deploy(root, file, text),
    restore: (file) => deploy(root, file, CONTENT.get(file) ?? null),
  };
  const sizes: { rssKiB: number; descriptors: number }[] = [];
  const sampling = setInterval(() => {
    void monitor.size().then((size) => size !== null && sizes.push(size));
  }, 30_000);
  try {
    await monitor.start();
    const played = await play(acts, stage, tell);
    await sleep(after * 1000);
    const incidents = JSON.parse(await monitor.read('/api/v1/incidents')) as IncidentDocument[];
    const metrics = await monitor.read('/metrics');
    const page = await monitor.read('/');
    const status = await monitor.stop();
    return {
      played,
      incidents: incidents.toReversed(),
      received: receiver.received(),
      metrics,
      page,
      log: monitor.log(),
      sizes,
      status,
    };
  } finally {
    clearInterval(sampling);
    await monitor.kill();
    await Promise.all([host.stop(), receiver.leave()]);
    project.remove();
    rmSync(root, { recursive: true, force: true });
  }
}

/** A file is replaced by renaming, as deploys do: nobody sees a half of it. */
function deploy(root: string, file: string, text: string | null): void {
  const target = path.join(root, file);
  if (text === null) return rmSync(target);
  const part = path.join(root, `.${file}.part`);
  writeFileSync(part, text);
  renameSync(part, target);
}

/** Everything that happens, at its time: what takes long must not make the rest late. */
async function play(acts: readonly Act[], stage: Stage, tell: (line: string) => void): Promise<readonly Played[]> {
  const began = Date.now();
  const until = (seconds: number): Promise<void> => sleep(Math.max(0, began + seconds * 1000 - Date.now()));
  return Promise.all(
    acts.map(async (act) => {
      const meanwhile = (act.meanwhile ?? []).map(async (step) => {
        await until(act.at + step.after);
        tell(`${act.name}: after ${step.after} s`);
        await step.act(stage);
      });
      await until(act.at);
      tell(`${act.name}: begins`);
      await act.begin(stage);
      const beganAt = Date.now();
      await sleep(act.lasts * 1000);
      const mendedAt = Date.now();
      await act.end(stage);
      const endedAt = Date.now();
      tell(`${act.name}: ended`);
      await Promise.all(meanwhile);
      return { act, beganAt, mendedAt, endedAt };
    }),
  );
}
