/** A site whose host refuses the monitor: nothing is known of it, and somebody has to let the monitor in. */
import { afterEach, expect, it } from 'vitest';
import type { Report } from '../../core/check.ts';
import { finding, reportOf } from '../../../test/reports.ts';
import { settingsOf, siteAt, webhookTo } from '../../../test/monitor/settings.ts';
import { startWorld, type World } from '../../../test/monitor/world.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const EVIDENCE = { refusal: 'challenge', product: 'Cloudflare', status: 403 };
const refused = (): Report =>
  reportOf(
    [
      {
        id: 'bundle',
        status: 'unknown',
        httpStatus: 403,
        findings: [finding({ rule: 'client-refused', severity: null, evidence: EVIDENCE })],
      },
      { id: 'config', status: 'skip', httpStatus: 403 },
    ],
    { verdict: 'unknown', site: { url: 'https://docs.example/', host: 'Cloudflare' } },
  );
const well = (): Report => reportOf([{ id: 'bundle', status: 'pass', httpStatus: 200 }], { verdict: 'healthy' });
const down = (): Report =>
  reportOf([{ id: 'bundle', httpStatus: 503, findings: [finding({ rule: 'server-error' })] }], { verdict: 'down' });

const SETTINGS = settingsOf([siteAt('https://docs.example/')], {
  alerts: [webhookTo('https://one.example/', { id: 'one' }), webhookTo('https://two.example/', { id: 'two' })],
});

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

/** A monitor of a site whose reports are `report`, and what it sends. */
async function start(report: () => Report) {
  const live = { report, runs: 0, isReached: true };
  const sent: { readonly route: string; readonly event: string; readonly notice: unknown; readonly about: unknown }[] =
    [];
  world = await startWorld(SETTINGS, {
    check: async () => {
      live.runs += 1;
      return live.report();
    },
    send: async ({ id: route }, { event, notice, refusedBy }) => {
      if (!live.isReached) return { ok: false, error: 'http 503', permanent: false, retryAfterMs: null };
      sent.push({ route, event, notice, about: refusedBy });
      return { ok: true, status: 200 };
    },
  });
  return { world, live, sent };
}

it('opens no incident, loses no uptime, and is a problem of the monitor until the host answers', async () => {
  const { world: one, live } = await start(well);
  await one.live(MINUTE);
  live.report = refused;
  await one.live(10 * MINUTE);
  const [site] = one.monitor().sites();
  expect(site?.state).toMatchObject({ verdict: 'unknown', refusal: { evidence: EVIDENCE } });
  expect(one.monitor().troubles()).toEqual(['client-refused']);
  expect(one.told('client-refused')).toMatchObject([{ site: 'docs', product: 'Cloudflare' }]);
  const runs = await one.store().runs({ site: 'docs', from: 0, to: Number.MAX_SAFE_INTEGER });
  expect(new Set(runs.map(({ verdict }) => verdict))).toEqual(new Set(['healthy', 'unknown']));
  live.report = well;
  await one.live(6 * MINUTE);
  expect(one.monitor().sites()[0]?.state).toMatchObject({ verdict: 'healthy', refusal: null });
  expect(one.monitor().troubles()).toEqual([]);
  expect(one.told('client-accepted')).toHaveLength(1);
  expect(await one.store().incidents({})).toEqual([]);
});

it('is checked ever more rarely, up to every five minutes, and as scheduled when the host answers', async () => {
  const { world: one, live } = await start(refused);
  await one.live(10 * MINUTE);
  // After 10, 20, 40, 80, 160 and 300 s, instead of 60 times.
  expect(live.runs).toBeGreaterThanOrEqual(5);
  expect(live.runs).toBeLessThanOrEqual(7);
  live.report = well;
  await one.live(6 * MINUTE);
  live.runs = 0;
  await one.live(MINUTE);
  expect(live.runs).toBeGreaterThanOrEqual(5);
});

it('is notified once to each route after 15 minutes, and again for a later refusal', async () => {
  const { world: one, live, sent } = await start(refused);
  await one.live(14 * MINUTE);
  expect(sent).toEqual([]);
  await one.live(8 * MINUTE);
  const notice = { event: 'opened', notice: 'refused', about: { title: 'docs', host: 'Cloudflare' } };
  const routes = [
    { route: 'one', ...notice },
    { route: 'two', ...notice },
  ];
  expect(sent).toEqual(routes);
  await one.restart(MINUTE);
  await one.live(30 * MINUTE);
  expect(sent).toEqual(routes);
  live.report = well;
  await one.live(6 * MINUTE);
  live.report = refused;
  await one.live(22 * MINUTE);
  expect(sent).toEqual([...routes, ...routes]);
});

it('is notified when the route can be reached', async () => {
  const { world: one, live, sent } = await start(refused);
  live.isReached = false;
  await one.live(22 * MINUTE);
  live.isReached = true;
  // The next attempt is up to twice as far away as the last one.
  await one.live(15 * MINUTE);
  expect(sent.map(({ route }) => route)).toEqual(['one', 'two']);
});

it('keeps an open outage open', async () => {
  const { world: one, live } = await start(well);
  await one.live(MINUTE);
  live.report = down;
  await one.live(MINUTE);
  live.report = refused;
  await one.live(5 * MINUTE);
  expect(await one.store().incidents({ open: true })).toHaveLength(1);
});
