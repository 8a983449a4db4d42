/**
 * What a monitor notifies of, and what is in its history afterwards, on each kind of database: the built command, real
 * signals, a site and a webhook on loopback.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { status } from '../alerts/receiver.ts';
import { makeProject, startProcess, type MonitorProcess, type Project } from './process.ts';
import { KINDS, listIncidents, listWaiting, startRecorder, until } from './running.ts';
import type { Attempt, Databases, Listed, Place, Recorder } from './running.ts';
import { startWatchedHost, type WatchedHost } from './watched-host.ts';

/** Most of the time a story waits. */
const CONCURRENT = { concurrent: true, timeout: 120_000 };

/** A route besides `ops`, with its settings. */
type Routes = Readonly<Record<string, object>>;

interface Story {
  readonly site: WatchedHost;
  readonly receiver: Recorder;
  readonly project: Project;
  /** The process that was started last. */
  running(): MonitorProcess;
  start(): Promise<void>;
  /** By `SIGKILL`, unless another signal is named. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Writes the configuration with these routes. */
  configure(routes: Routes): void;
  /** The problems in `/readyz`. */
  problems(): Promise<readonly string[]>;
  /** Events about the site that a route has accepted, in that order. */
  events(route?: string): readonly string[];
  incidents(): Promise<readonly Listed[]>;
  waiting(): Promise<readonly string[]>;
}

/** A site that is checked every second, and a monitor that has run for a moment. */
async function begin({ onTestFinished }: TestContext, place: Place, routes: Routes = { ops: {} }): Promise<Story> {
  const [site, receiver] = await Promise.all([startWatchedHost(), startRecorder()]);
  const configOf = (all: Routes): object => ({
    sites: [{ id: 'docs', url: site.url, every: '1s', full: false, confirm: { after: '200ms', times: 2 } }],
    alerts: Object.entries(all).map(([id, settings]) => ({ id, webhook: { url: receiver.url(id) }, ...settings })),
    monitor: { connectivity: [], listen: '127.0.0.1:0', ...place.monitor },
  });
  const project = makeProject(configOf(routes));
  let running: MonitorProcess | undefined;
  const story: Story = {
    site,
    receiver,
    project,
    running: () => running as MonitorProcess,
    async start() {
      running = await startProcess(project, [], { env: place.env, killAfterMs: 120_000 });
    },
    async stop(signal = 'SIGKILL') {
      running?.child.kill(signal);
      await running?.ended;
    },
    configure: (all) => project.configure(configOf(all)),
    async problems() {
      const { url } = await story.running().told('monitor-started');
      const response = await fetch(`${String(url)}readyz`);
      return ((await response.json()) as { readonly problems?: readonly string[] }).problems ?? [];
    },
    events: (route) => acceptedOf(receiver, route).map(({ event }) => event),
    incidents: () => listIncidents(project, place),
    waiting: () => listWaiting(project, place),
  };
  onTestFinished(async () => {
    await story.stop();
    await Promise.all([site.close(), receiver.stop()]);
    project.remove();
  });
  await story.start();
  await checked(site);
  return story;
}

/** What a route has accepted about the site; notices about the monitor itself are left out. */
const acceptedOf = (receiver: Recorder, route?: string): readonly Attempt[] =>
  receiver.accepted(route).filter(({ incident }) => incident.site === 'docs');

/** Resolves once the site was checked a few times more. */
async function checked({ asked }: WatchedHost): Promise<void> {
  const wanted = asked.length + 15;
  await until('the site is checked', () => asked.length >= wanted);
}

/** Resolves once a route has accepted so many notifications about the site. */
const notified = ({ receiver }: Story, count: number, route?: string): Promise<void> =>
  until(`${count} notifications`, () => acceptedOf(receiver, route).length >= count);

/** Takes the site down, and waits until the first route knows. */
async function goDown(story: Story): Promise<void> {
  const before = story.events().length;
  story.site.condition = 'failing';
  await notified(story, before + 1);
}

/** Brings the site up again, and waits until the first route knows. */
async function comeUp(story: Story): Promise<void> {
  const before = story.events().length;
  story.site.condition = 'well';
  await notified(story, before + 1);
}

/** The result of every notification is written. */
const settled = (story: Story): Promise<void> =>
  until('nothing waits to be sent', async () => (await story.waiting()).length === 0);

/** The history has one outage, which was notified and is over; each key was accepted once. */
async function expectOneOutage(story: Story, routes: readonly string[] = ['ops']): Promise<void> {
  await settled(story);
  const [incident, ...others] = await story.incidents();
  expect(others).toEqual([]);
  const { id, detectedAt = '', notifiedAt, recoveredAt } = incident ?? {};
  for (const later of [notifiedAt, recoveredAt])
    expect(Date.parse(later ?? '')).toBeGreaterThan(Date.parse(detectedAt));
  for (const route of routes) {
    const keys = acceptedOf(story.receiver, route).map(({ key }) => key);
    expect(keys).toEqual([`${id}:opened:${route}`, `${id}:recovered:${route}`]);
  }
}

describe.each(KINDS)('a monitor on $kind', CONCURRENT, ({ start }) => {
  let databases: Databases;
  beforeAll(async () => {
    databases = await start();
  });
  afterAll(() => databases.stop());

  it('notifies of an outage and of its end, once each', async (context) => {
    const story = await begin(context, databases.place());
    await goDown(story);
    await checked(story.site);
    await checked(story.site);
    expect(story.events()).toEqual(['opened']);
    await comeUp(story);
    await expectOneOutage(story);
  });

  it('calls the third outage in a row flapping, and does not end it when the site is up for a moment', async (context) => {
    const story = await begin(context, databases.place());
    for (let time = 0; time < 2; time += 1) {
      await goDown(story);
      await comeUp(story);
    }
    await goDown(story);
    story.site.condition = 'well';
    for (let time = 0; time < 5; time += 1) await checked(story.site);
    story.site.condition = 'failing';
    await checked(story.site);
    const accepted = acceptedOf(story.receiver);
    const ofTwo = ['opened', 'recovered', 'opened', 'recovered'];
    expect(accepted.map(({ event }) => event)).toEqual([...ofTwo, 'opened']);
    expect(accepted.at(-1)?.incident.flapping).toBe(true);
    const incidents = await story.incidents();
    expect(incidents.map(({ flapping, recoveredAt }) => [flapping, recoveredAt === null])).toEqual([
      [undefined, false],
      [undefined, false],
      [true, true],
    ]);
  });

  it('reminds of an outage until it is over, also after it was killed', async (context) => {
    const story = await begin(context, databases.place(), { ops: { reminder: '1s' } });
    await goDown(story);
    await notified(story, 2);
    await settled(story);
    await story.stop();
    await story.start();
    await notified(story, 3);
    story.site.condition = 'well';
    await until('the recovery is notified', () => story.events().includes('recovered'));
    await settled(story);
    const [incident] = await story.incidents();
    const keys = acceptedOf(story.receiver).map(({ key }) => key.slice(incident?.id.length));
    const reminders = keys.slice(1, -1).map((_, index) => `:reminder:${index + 1}:ops`);
    expect(keys).toEqual([':opened:ops', ...reminders, ':recovered:ops']);
    expect(reminders.length).toBeGreaterThanOrEqual(2);
  });

  it('escalates an outage that lasts, and none that is over before', async (context) => {
    const story = await begin(context, databases.place(), { ops: {}, boss: { after: '5s' } });
    await goDown(story);
    await comeUp(story);
    await goDown(story);
    await until('the result is written', async () => (await story.waiting()).length === 1);
    // What waits to escalate is not forgotten.
    await story.stop();
    await story.start();
    await notified(story, 1, 'boss');
    await comeUp(story);
    await notified(story, 2, 'boss');
    const [short, long] = await story.incidents();
    const keys = acceptedOf(story.receiver, 'boss').map(({ key }) => key);
    expect(keys).toEqual([`${long?.id}:opened:boss`, `${long?.id}:recovered:boss`]);
    const atOps = acceptedOf(story.receiver).map(({ incident }) => incident.id);
    expect(atOps).toEqual([short?.id, short?.id, long?.id, long?.id]);
  });

  describe.each([
    ['goes on', async () => {}],
    [
      'is killed meanwhile',
      async (story: Story) => {
        await story.stop();
        await story.start();
      },
    ],
  ])('that %s', (_, meanwhile) => {
    it('notifies of an outage that began and ended while the receiver failed', async (context) => {
      const story = await begin(context, databases.place());
      const { receiver, site } = story;
      receiver.answer = status(503);
      site.condition = 'failing';
      await until('the receiver was sent it', () => receiver.attempts.length > 0);
      await meanwhile(story);
      site.condition = 'well';
      await until('it is over', async () => (await story.incidents())[0]?.recoveredAt !== null);
      receiver.answer = status(200);
      await notified(story, 2);
      await expectOneOutage(story);
      // Nothing of the recovery was sent before the outage was known.
      const openedAt = acceptedOf(receiver)[0]?.acceptedAt ?? 0;
      const early = receiver.attempts.filter(({ event, at }) => event === 'recovered' && at < openedAt);
      expect(early).toEqual([]);
      expect(new Set(receiver.attempts.map(({ key }) => key)).size).toBe(2);
      expect(receiver.attempts.every(({ id, key }) => id === key)).toBe(true);
    });

    it('keeps the key of a notification that was not answered', async (context) => {
      const story = await begin(context, databases.place());
      const { receiver } = story;
      let unanswered = 0;
      receiver.answer = (response, received, attempt) => {
        if (attempt.event !== 'opened' || (unanswered += 1) > 1) return status(200)(response, received);
        setTimeout(() => response.destroy(), 2_000);
      };
      story.site.condition = 'failing';
      await until('the receiver was sent it', () => unanswered === 1);
      await meanwhile(story);
      await notified(story, 1);
      await comeUp(story);
      await expectOneOutage(story);
      expect(unanswered).toBe(2);
    });
  });

  it('notifies of what happened while it was dead, and of nothing twice', async (context) => {
    const story = await begin(context, databases.place());
    await goDown(story);
    await settled(story);
    await story.stop();
    await story.start();
    await checked(story.site);
    expect(story.events()).toEqual(['opened']);
    await story.stop();
    story.site.condition = 'well';
    await story.start();
    await notified(story, 2);
    await expectOneOutage(story);
  });

  it('notifies a route that is added during an outage', async (context) => {
    const story = await begin(context, databases.place());
    await goDown(story);
    story.configure({ ops: {}, boss: {} });
    story.running().child.kill('SIGHUP');
    await notified(story, 1, 'boss');
    await comeUp(story);
    await notified(story, 2, 'boss');
    await expectOneOutage(story, ['ops', 'boss']);
  });
});

/* Files: what happens to a database in a folder. */

const canLimitFiles = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0;

/** Limits the size of files that a process may write, as `ulimit -f`: every write beyond it fails. */
function limitFiles(story: Story, bytes: number | 'unlimited'): void {
  const { pid } = story.running().child;
  const { status: exit, stderr } = spawnSync('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`]);
  if (exit !== 0) throw new Error(`prlimit ended with ${exit}: ${String(stderr)}`);
}

const remove =
  (...ends: readonly string[]) =>
  (file: string): void => {
    for (const end of ends) rmSync(file + end);
  };

/** What becomes of the files of a database. */
const LOSSES: readonly { readonly what: string; readonly lose: (file: string) => void }[] = [
  { what: 'whose file is deleted', lose: remove('') },
  { what: 'whose files are deleted', lose: remove('', '-wal', '-shm') },
  { what: 'whose log is deleted', lose: remove('-wal') },
  { what: 'whose log and index are deleted', lose: remove('-wal', '-shm') },
  {
    what: 'whose file is replaced by a copy',
    lose: (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  },
  {
    what: 'whose file is replaced by something else',
    lose: (file) => {
      writeFileSync(`${file}.other`, 'something else\n'.repeat(1_000));
      renameSync(`${file}.other`, file);
    },
  },
  { what: 'whose file is overwritten', lose: (file) => writeFileSync(file, Buffer.alloc(100_000)) },
];

describe('a monitor with a database', CONCURRENT, () => {
  const PLACE: Place = { monitor: {}, env: {} };

  it.runIf(canLimitFiles)('that cannot be written for a while notifies once, and writes it later', async (context) => {
    const story = await begin(context, PLACE);
    limitFiles(story, 1);
    await until('the problem is reported', async () => (await story.problems()).length > 0);
    await goDown(story);
    for (let time = 0; time < 3; time += 1) await checked(story.site);
    expect([story.events(), await story.incidents()]).toEqual([['opened'], []]);
    limitFiles(story, 'unlimited');
    await until('the problem is over', async () => (await story.problems()).length === 0);
    await until('it is in the history', async () => (await story.incidents()).length === 1);
    // The next process knows it as well.
    await story.stop();
    await story.start();
    await checked(story.site);
    await comeUp(story);
    await expectOneOutage(story);
  });

  it.runIf(canLimitFiles)(
    'that cannot be written during a whole outage notifies of both, once each',
    async (context) => {
      const story = await begin(context, PLACE);
      limitFiles(story, 1);
      await goDown(story);
      await comeUp(story);
      limitFiles(story, 'unlimited');
      await until('it is in the history', async () => (await story.incidents()).length === 1);
      await story.stop();
      await story.start();
      await checked(story.site);
      await expectOneOutage(story);
    },
  );

  async function loseIt({ lose }: (typeof LOSSES)[number], context: TestContext): Promise<void> {
    const story = await begin(context, PLACE);
    await goDown(story);
    await settled(story);
    const before = (await story.incidents()).map(({ id }) => id);
    lose(story.project.database);
    for (let time = 0; time < 3; time += 1) await checked(story.site);
    await story.stop();
    await story.start();
    for (let time = 0; time < 3; time += 1) await checked(story.site);
    expect([story.events(), (await story.incidents()).map(({ id }) => id)]).toEqual([['opened'], before]);
    await comeUp(story);
    await expectOneOutage(story);
  }

  it.for(LOSSES)('$what, and that is killed then, does not notify of the outage again', loseIt);
});
