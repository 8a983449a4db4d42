/**
 * A monitor that is killed again and again, while its sites fail and recover and its receiver fails, all at random. In the
 * end nothing is lost, and nothing doubled that a kill does not explain.
 *
 * `KILLS=200 KILLS_POSTGRES=50 SEED=7 npx vitest run --project long test/monitor/killed.long.test.ts` does more of it. What
 * a seed gives is the same each time, except for when processes begin and end.
 */
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { status } from '../alerts/receiver.ts';
import { random, type Random } from '../generator/random.ts';
import { MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { makeProject, startProcess, type MonitorProcess } from './process.ts';
import { KINDS, listIncidents, listWaiting, startRecorder, until } from './running.ts';
import type { Attempt, Databases, Listed, Recorder } from './running.ts';

const { SEED = '36', KILLS = '12', KILLS_POSTGRES = '6' } = process.env;
const KILLS_OF: Readonly<Record<string, number>> = { SQLite: Number(KILLS), PostgreSQL: Number(KILLS_POSTGRES) };

/** Sites that fail in the same part of the run, and for how many kills that lasts. */
const TOGETHER = 5;
const KILLS_TOGETHER = 12;
/** One more would be flapping, which ends after five minutes only. */
const OUTAGES = 2;
/** So late, at most, a run that began before the site changed is over. */
const RUN_MS = 3_000;
/** An outage that one process saw in so many runs has to be in the history: two confirm it, and it is written at once. */
const CONFIRMED_RUNS = 4;
/** Each run of a site requests it once. */
const ONCE_A_RUN = 'config.json';
/** So often, at most, the receiver fails for the same notification: each failure doubles the time until the next attempt. */
const FAILURES = 3;

interface Span {
  readonly from: number;
  /** `Infinity`: it goes on. */
  to: number;
}

interface Site {
  readonly id: string;
  readonly url: string;
  /** When it was down: the truth. */
  readonly outages: Span[];
  /** When runs requested it. */
  readonly ranAt: readonly number[];
  close(): Promise<void>;
}

/** A site in a network of its own: those that share one are notified together. */
async function startSite(index: number): Promise<Site> {
  const files = sampleSite();
  const outages: Span[] = [];
  const ranAt: number[] = [];
  const server = createServer(({ url = '/' }, response) => {
    const name = url.slice(1) || 'index.html';
    const body = files.get(name);
    if (name === ONCE_A_RUN) ranAt.push(Date.now());
    if (outages.at(-1)?.to === Infinity) return response.writeHead(503).end('down for now');
    if (body === undefined) return response.writeHead(404).end('not found');
    const type = MEDIA_TYPES[path.extname(name).slice(1)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type }).end(body);
  });
  const address = `127.0.${index + 1}.1`;
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    id: `site-${index}`,
    url: `http://${address}:${port}/`,
    outages,
    ranAt,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Resolves after so many more runs of a site, or some time: there may be none at the moment. */
async function runsOf({ ranAt }: Site, count: number): Promise<void> {
  const wanted = ranAt.length + count;
  await until('runs', () => ranAt.length >= wanted, 15_000).catch(() => {});
}

/** A site that goes down a few times, for a few runs each, at random, and is well in the end. */
async function live(site: Site, chance: Random): Promise<void> {
  await runsOf(site, 1 + chance.int(3));
  for (let outage = 0; outage < OUTAGES; outage += 1) {
    const span = { from: Date.now(), to: Infinity };
    site.outages.push(span);
    await runsOf(site, 1 + chance.int(8));
    await sleep(chance.int(500));
    span.to = Date.now();
    // No run is left that saw it down.
    await sleep(RUN_MS + 500);
    await runsOf(site, chance.int(3));
  }
}

/** A receiver that fails at random: 503, no answer, a connection that is cut. */
function failAtRandom({ attempts }: Recorder, chance: Random): Recorder['answer'] {
  return (response, _received, { key }) => {
    const delayMs = chance.int(60);
    const failure = chance.pick(['none', 'none', '503', 'silent', 'reset']);
    const failures = attempts.filter((one) => one.key === key && one.acceptedAt === null).length - 1;
    if (failure === 'none' || failures >= FAILURES) setTimeout(() => response.end(), delayMs);
    else if (failure === '503') response.writeHead(503).end();
    else setTimeout(() => response.destroy(), failure === 'silent' ? 2_000 : delayMs);
  };
}

/** When a process is killed: while it starts, soon afterwards, or when a notification has been sent. */
async function momentToKill(chance: Random, started: Promise<unknown>, { attempts }: Recorder): Promise<void> {
  const kind = chance.pick(['starting', 'started', 'sending', 'sending']);
  const delayMs = 50 + chance.int(1_450);
  if (kind !== 'starting') await started;
  if (kind !== 'sending') return sleep(delayMs);
  const before = attempts.length;
  for (let waited = 0; waited < 6_000 && attempts.length === before; waited += 5) await sleep(5);
  await sleep(chance.int(80));
}

/** PostgreSQL may release the lock of a killed process a moment later: it is started again, as systemd would. */
const isLocked = (text: string): boolean => text.includes('another monitor is running');

interface Outcome {
  readonly sites: readonly Site[];
  readonly incidents: readonly Listed[];
  readonly attempts: readonly Attempt[];
  readonly accepted: readonly Attempt[];
  readonly waiting: readonly string[];
  /** From when each was started until it had ended. */
  readonly processes: readonly Span[];
}

async function run(databases: Databases, kills: number, seed: string): Promise<Outcome> {
  const chance = random(seed);
  const groups = Math.ceil(kills / KILLS_TOGETHER);
  const sites = await Promise.all(Array.from({ length: groups * TOGETHER }, (_, index) => startSite(index)));
  const receiver = await startRecorder();
  receiver.answer = failAtRandom(receiver, random(`${seed} receiver`));
  const { monitor, env } = databases.place();
  const place = { monitor, env: { ...env, SENDER: 'a command' } };
  const how = { full: false, confirm: { after: '200ms', times: 2 } };
  /** Sites of earlier groups are well, or soon will be: they are checked rarely. */
  const configOf = (group: number): object => ({
    sites: sites.slice(0, (group + 1) * TOGETHER).map(({ id, url }, index) => {
      return { id, url, every: index < (group - 1) * TOGETHER ? '20s' : '1s', ...how };
    }),
    alerts: [{ id: 'ops', webhook: { url: receiver.url('ops'), headers: { sender: '${SENDER}' } } }],
    monitor: { connectivity: [], ...monitor },
  });
  const project = makeProject(configOf(0));
  let child: ChildProcess | undefined;
  let last: MonitorProcess | undefined;
  onTestFinished(async () => {
    for (const one of [child, last?.child]) one?.kill('SIGKILL');
    await Promise.all([receiver.stop(), ...sites.map((site) => site.close())]);
    project.remove();
  });

  const processes: Span[] = [];
  /** A number for each process, so that a request shows which one sent it. */
  const nextEnv = () => ({ ...env, SENDER: String(processes.length) });
  const lives: Promise<void>[] = [];
  /** Starts a process, and kills it at a random moment; `false`: it had ended before. */
  const killOnce = async (): Promise<boolean> => {
    const span = { from: Date.now(), to: Infinity };
    const { promise: started, resolve: onStarted } = Promise.withResolvers<void>();
    const ended = project.run(['monitor', '--log', 'json'], {
      env: nextEnv(),
      onStart: (process) => {
        child = process;
        process.stdout?.on('data', (chunk: Buffer) => {
          if (chunk.includes('"monitor-started"')) onStarted();
        });
      },
    });
    await Promise.race([momentToKill(chance, started, receiver), ended]);
    child?.kill('SIGKILL');
    const { signal, stderr } = await ended;
    if (signal !== 'SIGKILL' && !isLocked(stderr)) throw new Error(`a monitor ended: ${stderr}`);
    span.to = Date.now();
    processes.push(span);
    return signal === 'SIGKILL';
  };
  for (let kill = 0; kill < kills; kill += 1) {
    if (kill % KILLS_TOGETHER === 0) {
      const group = kill / KILLS_TOGETHER;
      project.configure(configOf(group));
      const begun = sites.slice(group * TOGETHER, (group + 1) * TOGETHER);
      for (const site of begun) lives.push(live(site, random(`${seed} ${site.id}`)));
    }
    await until('it has the database', killOnce);
  }
  const startLast = (): Promise<MonitorProcess> => startProcess(project, [], { env: nextEnv(), killAfterMs: 600_000 });
  await until('the last one has the database', async () => {
    last = await startLast().catch((error: Error) => {
      if (isLocked(error.message)) return undefined;
      throw error;
    });
    return last !== undefined;
  });
  const from = Date.now();
  await Promise.all(lives);
  receiver.answer = status(200);
  const isOver = async (): Promise<boolean> =>
    (await listIncidents(project, place)).every(({ recoveredAt }) => recoveredAt !== null) &&
    (await listWaiting(project, place)).length === 0;
  // What is left is reported with the rest.
  await until('every incident is over and every notification sent', isOver, 120_000).catch(() => {});
  processes.push({ from, to: Date.now() });
  last?.child.kill('SIGTERM');
  await last?.ended;
  return {
    sites,
    incidents: await listIncidents(project, place),
    attempts: receiver.attempts,
    accepted: receiver.accepted(),
    waiting: await listWaiting(project, place),
    processes,
  };
}

const time = (text: string | null): number => (text === null ? Infinity : Date.parse(text));

/** In how many of its runs one process saw an outage. */
function mostRuns({ from, to }: Span, ranAt: readonly number[], processes: readonly Span[]): number {
  const during = ranAt.filter((at) => at >= from && at <= to);
  return Math.max(...processes.map((one) => during.filter((at) => at >= one.from && at <= one.to).length));
}

/** What is wrong with the history of a site, compared with when it was down. */
function wrongIncidents(
  { id, outages, ranAt }: Site,
  all: readonly Listed[],
  processes: readonly Span[],
): readonly string[] {
  const incidents = all.filter(({ site }) => site === id);
  const within = (at: number, { from, to }: Span): boolean => at >= from && at <= to + RUN_MS;
  const unexplained = incidents.filter(({ detectedAt }) => !outages.some((span) => within(time(detectedAt), span)));
  const endless = incidents.filter(({ recoveredAt }) => recoveredAt === null);
  // Two at the same time.
  const overlapping = incidents.filter(
    ({ detectedAt }, index) => index > 0 && time(incidents[index - 1]?.recoveredAt ?? null) > time(detectedAt),
  );
  const early = incidents.filter(({ recoveredAt }) =>
    outages.some(({ from, to }) => time(recoveredAt) > from + RUN_MS && time(recoveredAt) < to),
  );
  const detectedIn = (span: Span): readonly Listed[] =>
    incidents.filter(({ detectedAt }) => within(time(detectedAt), span));
  const covering = ({ from, to }: Span): readonly Listed[] =>
    incidents.filter((one) => time(one.detectedAt) <= to + RUN_MS && time(one.recoveredAt) >= from);
  const doubled = outages.filter((span) => detectedIn(span).length > 1);
  const isConfirmed = (span: Span): boolean => mostRuns(span, ranAt, processes) >= CONFIRMED_RUNS;
  const lost = outages.filter((span) => isConfirmed(span) && covering(span).length === 0);
  const told = (what: string, some: readonly unknown[]): string[] =>
    some.map((one) => `${id}: ${what}: ${JSON.stringify(one)}`);
  return [
    ...told('an incident without an outage', unexplained),
    ...told('an incident without an end', endless),
    ...told('an incident that opened while another one was open', overlapping),
    ...told('an incident that ended while the site was down', early),
    ...told('an outage with two incidents', doubled),
    ...told('an outage without an incident', lost),
  ];
}

/** What is wrong with the notifications of an incident. */
function wrongNotifications({ id, notifiedAt }: Listed, accepted: readonly Attempt[]): readonly string[] {
  const of = (event: string): readonly Attempt[] =>
    accepted.filter((one) => one.incident.id === id && one.event === event);
  const [opened, recovered] = [of('opened'), of('recovered')];
  const [first, last] = [opened[0]?.acceptedAt ?? Infinity, opened.at(-1)?.acceptedAt ?? -Infinity];
  const isInTime = time(notifiedAt) >= first - RUN_MS && time(notifiedAt) <= last + RUN_MS;
  return [
    ...(opened.length === 0 ? [`${id}: the outage was not notified`] : []),
    ...(recovered.length === 0 ? [`${id}: the recovery was not notified`] : []),
    ...((recovered[0]?.acceptedAt ?? Infinity) < first ? [`${id}: the recovery was notified first`] : []),
    ...(isInTime ? [] : [`${id}: notified from ${first} to ${last}, but the history has ${notifiedAt}`]),
  ];
}

/** Keys that were accepted twice from the same process: only a kill explains that one is sent again. */
function doubledKeys(accepted: readonly Attempt[]): readonly string[] {
  const byProcess = Map.groupBy(accepted, ({ key, sender }) => `${key}, process ${sender}`);
  return [...byProcess].flatMap(([key, all]) => (all.length > 1 ? [`${key}: ${all.length} times`] : []));
}

// Other systems have one address on loopback only.
const isLinux = process.platform === 'linux';

describe.runIf(isLinux).each(KINDS)('a monitor on $kind', ({ kind, start }) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await start();
  });
  afterAll(() => databases.stop());

  const kills = KILLS_OF[kind] ?? 0;

  it(`that is killed ${kills} times loses and doubles nothing (seed ${SEED})`, { timeout: 3_600_000 }, async () => {
    const outcome = await run(databases, kills, `${kind} ${SEED}`);
    const { sites, incidents, attempts, accepted, waiting, processes } = outcome;
    const ids = new Set(incidents.map(({ id }) => id));
    const keys = new Set(accepted.map(({ key }) => key));
    const outages = sites.reduce((sum, site) => sum + site.outages.length, 0);
    console.log(
      `${kind}, seed ${SEED}: ${kills} kills, ${outages} outages, ${ids.size} incidents, ${attempts.length} notifications ` +
        `sent, ${accepted.length} accepted with ${keys.size} keys`,
    );
    expect(ids.size).toBeGreaterThan(0);
    expect({
      incidents: sites.flatMap((site) => wrongIncidents(site, incidents, processes)),
      notifications: incidents.flatMap((incident) => wrongNotifications(incident, accepted)),
      unknown: accepted.filter(({ incident }) => !ids.has(incident.id)).map(({ key }) => key),
      doubled: doubledKeys(accepted),
      badKeys: attempts.filter(({ id, key }) => id !== key).map(({ key }) => key),
      waiting,
    }).toEqual({ incidents: [], notifications: [], unknown: [], doubled: [], badKeys: [], waiting: [] });
    expect(incidents).toHaveLength(ids.size);
  });
});
