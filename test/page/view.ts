/** A running monitor of nothing but what the status page asks for. */
import type { StatusSource } from '../../src/monitor/page/data.ts';
import type { MonitorView } from '../../src/monitor/view.ts';

/** The source as a monitor shows it. `now`: its clock. */
export function viewOf(source: StatusSource, now: () => number = () => source.now): MonitorView {
  const view: Partial<MonitorView> = {
    now,
    settings: () => source.settings as ReturnType<MonitorView['settings']>,
    sites: () =>
      source.sites.map((watched) => ({ ...watched, report: null, results: new Map<never, never>(), nextAt: null })),
    troubles: () => source.troubles,
    store: source.store as MonitorView['store'],
  };
  return view as MonitorView;
}
