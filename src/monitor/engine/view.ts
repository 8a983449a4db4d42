import type { MonitorView, SiteView } from '../view.ts';
import type { Core } from './core.ts';
import type { WatchedSite } from './watched-site.ts';

/** What the outside sees of a monitor. `nextAt`: when a site is due next. */
export function viewOf(core: Core, nextAt: (site: string) => number | null): MonitorView {
  const startedAt = core.clock.now();
  return {
    startedAt,
    store: core.options.store,
    unwritten: () => core.writer.waiting.flatMap(({ incidents }) => incidents),
    resolver: core.resolver,
    now: () => core.clock.now(),
    settings: () => core.settings,
    sites: () => [...core.watched.values()].map((watched) => siteView(core, watched, nextAt(watched.site.id))),
    counters: () => {
      const { sent, failed } = core.deliverer.counters();
      return { ...core.counts, alertsSent: sent, alertsFailed: failed };
    },
    troubles: () => core.troubles(),
    ready: () => core.writer.problem === null && [...core.watched.values()].every(({ state }) => state !== null),
  };
}

function siteView(core: Core, watched: WatchedSite, nextAt: number | null): SiteView {
  const { site, url, state, report, results } = watched;
  return { site, url, state, report, results, maintenance: core.maintenanceOf(watched, core.clock.now()), nextAt };
}
