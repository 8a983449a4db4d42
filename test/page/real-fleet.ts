/** A coordinator, its runners and PostgreSQL on loopback, as the built command runs them, with a site that they check. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunResult } from '../cli/run.ts';
import { createRoles, startPostgres, type Postgres } from '../hosts/postgres.ts';
import { freePort } from '../hosts/port.ts';
import { makeProject, type Project } from '../monitor/process.ts';
import { listen, MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

export const LOCATIONS = [
  { id: 'paris', title: 'Paris', latitude: 48.86, longitude: 2.35 },
  { id: 'bucharest', title: 'Bucharest' },
  { id: 'virginia', title: 'Virginia' },
] as const;

export type LocationId = (typeof LOCATIONS)[number]['id'];

export interface Fleet {
  readonly postgres: Postgres;
  readonly project: Project;
  /** The coordinator's server; ends with a slash. */
  readonly url: string;
  /** Locations to which the site responds with 503. */
  readonly brokenFor: Set<LocationId>;
  /** How long the site takes to respond, in ms. */
  readonly delays: Map<LocationId, number>;
  /** A command beside the fleet. */
  readonly run: (...args: readonly string[]) => Promise<RunResult>;
  readonly startRunner: (location: LocationId) => Promise<void>;
  /** Ends the runner of a location without notice. */
  readonly killRunner: (location: LocationId) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(100);
}

/** Starts everything but the runners. `sites`: more of them, beside `docs`. */
export async function startFleet(
  rest: { readonly every?: string; readonly sites?: readonly string[] } = {},
): Promise<Fleet> {
  const { every = '1s', sites = [] } = rest;
  const postgres = await startPostgres();
  createRoles(postgres);
  const brokenFor = new Set<LocationId>();
  const delays = new Map<LocationId, number>();
  const files = sampleSite();
  const host = await listen(({ url = '/', headers }, response) => {
    const location = headers['x-location'] as LocationId;
    const path = decodeURIComponent((url.split('?')[0] ?? '/').slice(1)) || 'index.html';
    const body = files.get(path);
    const respond = (): void => {
      const isBroken = brokenFor.has(location);
      if (isBroken || body === undefined) return void response.writeHead(isBroken ? 503 : 404).end('Not available');
      const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    setTimeout(respond, delays.get(location) ?? 0);
  });
  const port = await freePort();
  const project = makeProject({
    sites: ['docs', ...sites].map((id) => ({
      id,
      url: host.url,
      title: `The ${id}`,
      every,
      full: false,
      confirm: { times: 2, after: '200ms' },
      headers: { 'X-Location': id === 'docs' ? '${LOCATION}' : 'none' },
    })),
    monitor: { database: '${DATABASE}', connectivity: [], listen: `127.0.0.1:${port}`, locations: LOCATIONS },
  });
  const env = (location: string): Record<string, string> => ({
    DATABASE: postgres.url('docvitals', `docvitals_${location}`),
    LOCATION: location,
  });
  const started: { readonly child: ChildProcess; readonly ended: Promise<RunResult> }[] = [];
  const start = async (args: readonly string[], location: string): Promise<ChildProcess> => {
    const { promise, resolve } = Promise.withResolvers<ChildProcess>();
    const ended = project.run([...args, '--log', 'json'], {
      env: env(location),
      onStart: resolve,
      killAfterMs: 600_000,
    });
    const child = await promise;
    started.push({ child, ended });
    return child;
  };
  const runners = new Map<LocationId, ChildProcess>();
  const url = `http://127.0.0.1:${port}/`;
  await start(['coordinator'], 'coordinator');
  await until(() =>
    fetch(`${url}healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    postgres,
    project,
    url,
    brokenFor,
    delays,
    run: (...args) => project.run(args, { env: env('coordinator') }),
    async startRunner(location) {
      runners.set(location, await start(['runner', '--location', location], location));
    },
    async killRunner(location) {
      const child = runners.get(location);
      child?.kill('SIGKILL');
      await started.find((one) => one.child === child)?.ended;
    },
    async stop() {
      for (const { child, ended } of started.toReversed()) {
        child.kill('SIGTERM');
        await ended;
      }
      await host.close();
      await postgres.stop();
      project.remove();
    },
  };
}
