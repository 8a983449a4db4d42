/** What a real coordinator with three runners shows of a site that fails from one location, then from two. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { samplesOf } from '../server/exposition.ts';
import { run as runTool, wanted } from '../server/tools.ts';
import { LOCATIONS, startFleet, until, type Fleet } from './real-fleet.ts';

describe.runIf(postgresWanted())('a fleet', { timeout: 60_000 }, () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet({ sites: ['api'] });
    await Promise.all(LOCATIONS.map(({ id }) => fleet.startRunner(id)));
    await until(async () => (await seen()) === 'healthy, healthy, healthy');
  }, 60_000);
  afterAll(() => fleet.stop());

  const text = async (of: string): Promise<string> => (await fetch(fleet.url + of)).text();
  const json = async (of: string): Promise<unknown> => JSON.parse(await text(of)) as unknown;
  const site = async () => (await json('api/v1/sites/docs')) as Site;
  /** The verdicts of all locations. */
  const seen = async (): Promise<string> => (await site()).locations.map(({ verdict }) => verdict).join(', ');
  const metrics = async () => samplesOf(await text('metrics'));

  it('has the response time of each location', async () => {
    const { locations, failingFrom } = await site();
    expect(locations[0]).toMatchObject({ id: 'paris', title: 'Paris', latitude: 48.86, probeSide: null });
    expect(locations.filter(({ responseMs }) => responseMs === null)).toEqual([]);
    expect(failingFrom).toEqual([]);
    expect(await text('sites/docs/')).toMatch(/<h3>Paris<\/h3><span class="kind pass">/);
  });

  it('calls a site degraded from the location that alone sees it fail', async () => {
    fleet.brokenFor.add('paris');
    await until(async () => (await seen()) === 'down, healthy, healthy');
    await until(async () => (await site()).verdict === 'degraded');
    expect((await site()).failingFrom).toEqual(['paris']);
    await until(async () => (await text('')).includes('Degraded from Paris'));
    expect(await text('fr/')).toContain('Dégradé depuis Paris');
    // The database has it a moment later.
    await until(async () => /^Degraded from Paris {2}docs /m.test((await fleet.run('status')).stdout));
    expect((await fleet.run('status')).status).toBe(1);
    const samples = await metrics();
    expect(samples.get('docvitals_up{site="docs"}')).toBe(1);
    expect(samples.get('docvitals_up{site="docs",location="paris"}')).toBe(0);
    expect(samples.get('docvitals_runs_total{site="docs",location="paris",verdict="down"}')).toBeGreaterThan(0);
    expect(samples.get('docvitals_runs_total{site="docs",verdict="down"}')).toBe(0);
    expect(samples.get('docvitals_runners{location="virginia"}')).toBe(1);
    expect(samples.get('docvitals_coordinator_acting')).toBe(1);
  });

  it.runIf(wanted('promtool'))('has metrics as promtool wants them', async () => {
    expect(runTool('promtool', ['check', 'metrics'], await text('metrics'))).toEqual({ status: 0, said: '' });
  });

  it('names the locations of an incident on its page', async () => {
    fleet.brokenFor.add('virginia');
    await until(async () => (await site()).incident !== null);
    const { incident } = await site();
    expect(await text(`incidents/${incident}/`)).toMatch(/Seen from:<\/strong> Paris, Virginia</);
    fleet.brokenFor.clear();
    await until(async () => (await seen()) === 'healthy, healthy, healthy');
  });

  it('has a history of each location', async () => {
    const history = (...args: readonly string[]) => fleet.run('history', 'docs', '--resolution', 'run', ...args);
    const { stdout } = await history('--location', 'paris', '--format', 'csv');
    expect(stdout).toMatch(/^docs,paris,.*,down,/m);
    expect((await history('--location', 'bucharest', '--format', 'csv')).stdout).not.toContain(',down,');
    const refused = await history('--location', 'pariz');
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('Did you mean paris?')]);
    const { entries } = (await json('api/v1/sites/docs/history?location=paris&resolution=day')) as {
      readonly entries: readonly { readonly down: number; readonly p95Ms: number }[];
    };
    expect(entries.at(-1)?.down).toBeGreaterThan(0);
  });

  it('is exported as files with what the locations saw last', async () => {
    expect((await fleet.run('status', 'export', 'public')).status).toBe(0);
    const page = readFileSync(path.join(fleet.project.folder, 'public/sites/docs/index.html'), 'utf8');
    expect(page).toMatch(/<h3>Virginia<\/h3><span class="kind pass">/);
    expect(page).toContain('<table class="checks located">');
  });

  it('shows a runner that is gone', async () => {
    await fleet.killRunner('virginia');
    await until(async () => (await metrics()).get('docvitals_runners{location="virginia"}') === 0);
    await until(async () => (await text('')).includes('A location has no runner'));
    const { stdout } = await fleet.run('status', '--format', 'json');
    const { fleet: shown } = JSON.parse(stdout) as { readonly fleet: ShownFleet };
    expect(shown.locations.map(({ runners }) => runners)).toEqual([1, 1, 0]);
    expect(shown.members.map(({ role, alive }) => `${role} ${alive}`)).toEqual([
      'coordinator true',
      'runner true',
      'runner true',
      'runner false',
    ]);
    expect(await json('api/v1/fleet')).toMatchObject({ locations: shown.locations.map(({ id }) => ({ id })) });
  });
});

interface Site {
  readonly verdict: string;
  readonly incident: string | null;
  readonly failingFrom: readonly string[];
  readonly locations: readonly { readonly id: string; readonly verdict: string; readonly responseMs: number | null }[];
}

interface ShownFleet {
  readonly locations: readonly { readonly id: string; readonly runners: number }[];
  readonly members: readonly { readonly role: string; readonly alive: boolean }[];
}
