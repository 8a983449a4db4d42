/** Sites that fail together, and are not seen to fail in the same moment. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/monitor/alerts/alert.ts';
import { finding, reportOf } from '../../reports.ts';
import { settingsOf, siteAt, webhookTo } from '../../monitor/settings.ts';
import { startWorld, type World } from '../../monitor/world.ts';

const MINUTE = 60_000;

let world: World | undefined;
afterEach(async () => {
  await world?.end();
  world = undefined;
});

const down = reportOf([{ id: 'bundle', httpStatus: null, findings: [finding({ rule: 'refused' })] }], {
  verdict: 'down',
});

describe('sites with one root cause', () => {
  it('are reported in one alert and one reminder, and all of them know when', async () => {
    const sent: Alert[] = [];
    const ids = ['blog', 'docs', 'wiki'];
    const sites = ids.map((id) => siteAt(`https://www.example.com/${id}/`, { id }));
    world = await startWorld(settingsOf(sites, { alerts: [webhookTo('http://ops/')] }), {
      check: async () => down,
      send: async (_route, alert) => {
        sent.push(alert);
        return { ok: true, status: 200 };
      },
    });
    await world.live(30 * MINUTE);
    const [leader] = sent;
    const others = ids.filter((id) => id !== leader?.incident.site);
    expect(sent.map(({ event, incident, alsoSites }) => [event, incident.id, alsoSites.toSorted()])).toEqual([
      ['opened', leader?.incident.id, []],
      ['reminder', leader?.incident.id, others],
    ]);
    const kept = (await world.store().incidents({})).map(({ site, notifiedAt }) => ({ site, notifiedAt }));
    expect(kept).toHaveLength(3);
    expect(kept.filter(({ notifiedAt }) => notifiedAt === null)).toEqual([]);
    const seen = world
      .monitor()
      .sites()
      .map(({ site, state }) => {
        return { site: site.id, notifiedAt: state?.outage.incident?.notifiedAt };
      });
    expect(seen).toEqual(expect.arrayContaining(kept));
  });
});
