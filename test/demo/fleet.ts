/**
 * `npm run demo:fleet`: three runners and two coordinators with PostgreSQL, all on loopback. Breaks a site from one
 * location, then from two, kills the acting coordinator during the outage, and repairs the site. Exits 0 when everything
 * happened as documented, 1 otherwise.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { createRoles, isPostgresInstalled, startPostgres, type Postgres } from '../hosts/postgres.ts';
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

const BIN = fileURLToPath(new URL('../../bin/docvitals.js', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

const LOCATIONS = ['paris', 'bucharest', 'virginia'] as const;
/** How long anything may take before the demo gives up. */
const PATIENCE_MS = 30_000;
/** What `docs/guides/locations.md` promises. */
const TAKEOVER_MS = 10_000;
/** How long nobody is notified while only one location fails. */
const QUIET_MS = 6_000;
/** Late notifications would come within this time. */
const AFTERWARDS_MS = 6_000;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)));

const began = performance.now();

/** A line of the story, with the seconds since its begin. */
function say(text: string): void {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1).padStart(5);
  console.log(`${styleText('dim', `${seconds} s`)}  ${text}`);
}

const heading = (text: string): void => console.log(`\n${styleText('bold', text)}`);

const problems: string[] = [];

function expectThat(isSo: boolean, what: string): void {
  if (isSo) return;
  problems.push(what);
  say(styleText('red', `✗ ${what}`));
}

/** Resolves as soon as something holds. */
async function until(what: string, holds: () => boolean | Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  const endsAt = performance.now() + ms;
  while (!(await holds())) {
    stop.signal.throwIfAborted();
    if (performance.now() > endsAt) throw new Error(`waited ${ms / 1_000} s in vain: ${what}`);
    await sleep(50);
  }
}

const pause = (ms: number): Promise<void> => sleep(ms, undefined, { signal: stop.signal });

interface LogLine {
  readonly event: string;
  readonly [name: string]: unknown;
}

/** A command that runs until it is stopped, with the events of its log. */
class Service {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly lines: LogLine[] = [];
  errors = '';

  constructor(name: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
    this.name = name;
    this.child = spawn(process.execPath, [BIN, ...args, '--log', 'json'], {
      cwd,
      env,
      // Ctrl-C ends the demo, which ends the services one after the other.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
    let rest = '';
    this.child.stdout?.on('data', (chunk: Buffer) => {
      const parts = `${rest}${chunk.toString()}`.split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts.map((part) => JSON.parse(part) as LogLine));
    });
    this.child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  has(event: string): boolean {
    if (this.isOver) throw new Error(`${this.name} ended early: ${this.errors}`);
    return this.lines.some((line) => line.event === event);
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (!this.isOver) this.child.kill(signal);
    await Promise.race([this.ended, sleep(8_000)]);
    if (!this.isOver) this.child.kill('SIGKILL');
  }
}

/** What a webhook received. */
interface Notification {
  readonly key: string;
  readonly event: string;
  readonly verdict: string;
  readonly seenFrom: readonly string[];
}

/** Everything that has to be removed, in the reverse order of its start. */
const cleanups: (() => Promise<unknown> | void)[] = [];

/** The site: each runner requests it with a header that names its location, so that it can fail for some of them. */
async function startSite(): Promise<{ readonly url: string; readonly brokenFor: Set<string> }> {
  const files = sampleSite();
  const brokenFor = new Set<string>();
  const site = await listen(({ url = '/', headers }, response) => {
    const path = decodeURIComponent((url.split('?')[0] ?? '/').slice(1)) || 'index.html';
    const body = files.get(path);
    const isBroken = brokenFor.has(String(headers['x-location']));
    if (isBroken || body === undefined) {
      response.writeHead(isBroken ? 503 : 404).end('Not available');
      return;
    }
    const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  cleanups.push(() => site.close());
  return { url: site.url, brokenFor };
}

async function startReceiver(): Promise<{ readonly url: string; readonly received: readonly Notification[] }> {
  const received: Notification[] = [];
  const receiver = await listen((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const notification = notificationOf(text, String(request.headers['idempotency-key']));
      received.push(notification);
      const { event, verdict, seenFrom } = notification;
      const verb = event === 'opened' ? 'is' : 'was';
      say(
        `the webhook received ${styleText('bold', event)}: docs ${verb} ${verdict}, seen from ${seenFrom.join(', ')}`,
      );
      response.end();
    });
  });
  cleanups.push(() => receiver.close());
  return { url: receiver.url, received };
}

function notificationOf(text: string, key: string): Notification {
  const { event, incident } = JSON.parse(text) as {
    readonly event: string;
    readonly incident: { readonly verdict: string; readonly locations?: readonly string[] };
  };
  return { key, event, verdict: incident.verdict, seenFrom: incident.locations ?? [] };
}

async function demo(): Promise<void> {
  heading('1. PostgreSQL, three runners and two coordinators start');
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-demo-'));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startPostgres();
  cleanups.push(() => postgres.stop());
  createRoles(postgres);
  say('PostgreSQL listens, in a temporary folder');
  const site = await startSite();
  const { url: webhook, received } = await startReceiver();
  const configuration = {
    sites: [
      {
        id: 'docs',
        url: site.url,
        every: '1s',
        full: false,
        confirm: { times: 3, after: '500ms' },
        headers: { 'X-Location': '${LOCATION}' },
      },
    ],
    alerts: [{ id: 'ops', webhook: { url: webhook } }],
    monitor: { database: '${DATABASE}', connectivity: [], locations: LOCATIONS },
  };
  writeFileSync(join(folder, 'docvitals.json'), JSON.stringify(configuration, null, 2));
  const environment = (location: string): NodeJS.ProcessEnv => ({
    ...process.env,
    DATABASE: postgres.url('docvitals', `docvitals_${location}`),
    LOCATION: location,
    // A proxy in the environment would be requested the loopback addresses, too.
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  });
  const start = (name: string, args: readonly string[], location = 'coordinator'): Service => {
    const service = new Service(name, args, folder, environment(location));
    cleanups.push(() => service.end('SIGTERM'));
    return service;
  };

  const first = start('coordinator 1', ['coordinator']);
  await until('coordinator 1 acts', () => first.has('coordinator-acting'));
  say(`coordinator 1 acts (process ${first.child.pid})`);
  const second = start('coordinator 2', ['coordinator']);
  const runners = LOCATIONS.map((location) =>
    start(`runner ${location}`, ['runner', '--location', location], location),
  );
  await until('coordinator 2 stands by', () => second.has('coordinator-standby'));
  say(`coordinator 2 stands by (process ${second.child.pid})`);
  await until('all runners run', () => runners.every((runner) => runner.has('runner-started')));
  say(`the runners of ${LOCATIONS.join(', ')} take runs`);
  const state = (): string => postgres.psql("SELECT verdict FROM docvitals.site_state WHERE site = 'docs'");
  const latest = (): string => latestOf(postgres);
  await until('healthy everywhere', () => state() === 'healthy' && latest().split('healthy').length === 4);
  say(`docs is healthy: ${latest()}`);

  heading('2. The site fails for paris only');
  site.brokenFor.add('paris');
  await until('degraded', () => state() === 'degraded' && latest().includes('paris down'));
  say(`docs is degraded, because one of three locations is not enough: ${latest()}`);
  await pause(QUIET_MS);
  expectThat(received.length === 0, 'a notification was sent although only one location fails');
  expectThat(state() === 'degraded', `the site is ${state()} instead of degraded`);
  expectThat(postgres.psql('SELECT count(*) FROM docvitals.incident') === '0', 'an incident was opened');
  if (received.length === 0) say(`${QUIET_MS / 1_000} s later there is no incident, and nobody was notified`);

  heading('3. The site fails for bucharest, too');
  site.brokenFor.add('bucharest');
  await until('notified of the outage', () => received.length > 0);
  const [opened] = received;
  expectThat(opened?.event === 'opened' && opened.verdict === 'down', 'the outage was not reported as such');
  const seenFrom = opened?.seenFrom.toSorted().join(', ');
  expectThat(seenFrom === 'bucharest, paris', `the notification names ${seenFrom} instead of bucharest, paris`);
  say(
    `incident: ${postgres.psql("SELECT verdict || ' since ' || to_char(started_at, 'HH24:MI:SS') FROM docvitals.incident")} UTC`,
  );

  heading('4. The acting coordinator is killed during the outage');
  await until('the notification is stored', () => sent(postgres) === 1);
  const killedAt = performance.now();
  await first.end('SIGKILL');
  say(`coordinator 1 was killed (SIGKILL)`);
  await until('coordinator 2 acts', () => second.has('coordinator-acting'));
  const tookMs = performance.now() - killedAt;
  say(`coordinator 2 acts, ${(tookMs / 1_000).toFixed(1)} s later`);
  expectThat(tookMs <= TAKEOVER_MS, `the takeover took more than ${TAKEOVER_MS / 1_000} s`);
  const runs = (): number => Number(postgres.psql("SELECT count(*) FROM docvitals.run WHERE site = 'docs'"));
  const before = runs();
  await until('runs go on', () => runs() > before);
  say(`the site is checked on, and is still ${state()}: ${latest()}`);
  expectThat(state() === 'down', `the site is ${state()} instead of down`);

  heading('5. The site is repaired');
  site.brokenFor.clear();
  await until('notified of the recovery', () => received.some(({ event }) => event === 'recovered'));
  await until('healthy everywhere', () => state() === 'healthy' && latest().split('healthy').length === 4);
  say(`docs is healthy: ${latest()}`);
  await pause(AFTERWARDS_MS);
  const events = received.map(({ event }) => event).join(', ');
  expectThat(events === 'opened, recovered', `the webhook received ${events} instead of opened, recovered`);
  expectThat(new Set(received.map(({ key }) => key)).size === received.length, 'a notification was sent twice');
  expectThat(
    postgres.psql('SELECT count(*), count(recovered_at) FROM docvitals.incident') === '1|1',
    'the database does not have one incident that is over',
  );
  expectThat(sent(postgres) === 2, `the database has ${sent(postgres)} notifications that were sent instead of 2`);

  heading('What the database knows');
  const status = spawnSync(process.execPath, [BIN, 'incidents'], {
    cwd: folder,
    env: environment('coordinator'),
    encoding: 'utf8',
  });
  console.log(status.stdout.trimEnd());
  expectThat(status.status === 0, `docvitals incidents ended with ${status.status}: ${status.stderr}`);
}

const sent = (postgres: Postgres): number =>
  Number(postgres.psql("SELECT count(*) FROM docvitals.notification WHERE state = 'sent'"));

/** What each location saw last: `paris down, bucharest healthy, virginia healthy`. */
function latestOf(postgres: Postgres): string {
  const rows = postgres.psql(
    `SELECT DISTINCT ON (site) split_part(site, '@', 2), verdict FROM docvitals.run
     WHERE site LIKE 'docs@%' ORDER BY site, started_at DESC`,
  );
  const seen = new Map(rows.split('\n').map((row) => row.split('|') as [string, string]));
  return LOCATIONS.map((location) => `${location} ${seen.get(location) ?? 'unknown'}`).join(', ');
}

async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.toReversed()) {
    try {
      await cleanup();
    } catch (error) {
      problems.push(`cleaning up: ${(error as Error).message}`);
    }
  }
}

async function main(): Promise<number> {
  if (!existsSync(BUILT)) {
    console.log('The command has not been built yet. Run `npm ci` (or `npm run build`) first.');
    return 1;
  }
  if (!isPostgresInstalled()) {
    console.log('PostgreSQL is not installed. Install it first: sudo apt-get install postgresql');
    return 1;
  }
  try {
    await demo();
  } catch (error) {
    problems.push((error as Error).message);
  }
  if (stop.signal.aborted) console.log('\nStopped; cleaning up.');
  await cleanUp();
  if (stop.signal.aborted) return 130;
  heading(problems.length === 0 ? 'Everything was as promised.' : 'This is not what docvitals promises:');
  for (const problem of problems) console.log(`- ${problem}`);
  console.log('\nNext, set it up for your sites: docs/guides/locations.md\n');
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main();
