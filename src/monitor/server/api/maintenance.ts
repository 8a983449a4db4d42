/** `/api/v1/maintenance` */
import type { Json } from '../../../answer.ts';
import { maintenanceAt, nextMaintenance, type Maintenance } from '../../maintenance/maintenance.ts';
import type { MonitorView } from '../../view.ts';
import { json, type Answered, type Asked } from '../answer.ts';
import { RequestProblem } from '../problem.ts';
import { demandKnown, one } from './query.ts';
import { iso } from '../../iso-time.ts';

/** Of each site the maintenance that goes on and the one that comes next, the earliest first. */
export async function maintenanceList({ search }: Asked, view: MonitorView): Promise<Answered> {
  demandKnown(search, ['site']);
  const { sites } = view.settings();
  const id = one(search, 'site');
  if (id !== null && !sites.some((site) => site.id === id)) throw new RequestProblem('unknown-site', 'site');
  const now = view.now();
  const started = Map.groupBy(await view.store.maintenance(now), ({ site }) => site);
  const wanted = id === null ? sites : sites.filter((site) => site.id === id);
  const found = wanted.flatMap(({ id: site, maintenance }) => {
    const byHand = started.get(site) ?? [];
    const current = maintenanceAt(maintenance, byHand, now);
    const coming = nextMaintenance(maintenance, byHand, now);
    return [
      ...(current === null ? [] : [{ site, ...current, state: 'current' }]),
      ...(coming === null ? [] : [{ site, ...coming, state: 'coming' }]),
    ];
  });
  return json(found.toSorted((a, b) => a.from - b.from).map(document));
}

function document({ site, from, to, reason, state }: Maintenance & { site: string; state: string }): Json {
  return { site, state, from: iso(from), to: iso(to), reason };
}
