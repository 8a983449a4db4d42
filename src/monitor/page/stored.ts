/** What the pages are made of where no monitor can be asked: a database beside a configuration. */
import { parseBaseUrl } from '../../base-url.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';
import type { StartedMaintenance, Store } from '../store/store.ts';
import { watchedOf, type PageStore, type StatusSource, type WatchedSite } from './data.ts';

/** What a database and a configuration say together. Rejects with what the store rejects with. */
export async function storedSource(
  settings: Pick<MonitorSettings, 'page' | 'sites'>,
  store: PageStore & Pick<Store, 'states'>,
  now: number,
): Promise<StatusSource> {
  const [states, started] = await Promise.all([store.states(), store.maintenance(now)]);
  const sites = await Promise.all(
    settings.sites.map(async (site): Promise<WatchedSite> => {
      const parsed = parseBaseUrl(site.url);
      return {
        site,
        // A URL that is none was refused with the configuration.
        url: parsed.ok ? parsed.base.href : '',
        state: states.get(site.id) ?? null,
        maintenance: await currentMaintenance(site, started, now),
      };
    }),
  );
  return { now, settings, sites, troubles: [], store: watchedOf(store, settings) };
}

async function currentMaintenance(
  { id, maintenance }: MonitoredSite,
  started: readonly StartedMaintenance[],
  now: number,
): Promise<WatchedSite['maintenance']> {
  const own = started.filter(({ site }) => site === id);
  if (own.length === 0 && maintenance.length === 0) return null;
  // It reads cron expressions, which few need.
  const { maintenanceAt } = await import('../maintenance/maintenance.ts');
  return maintenanceAt(maintenance, own, now);
}
