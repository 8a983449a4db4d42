/** `/metrics`. */
import type { MonitorView } from '../../view.ts';
import { exposition, type Answered } from '../answer.ts';
import { siteMetrics } from './site-metrics.ts';

export type Metrics = () => Promise<Answered>;

/** Answers for a monitor. prom-client is loaded when somebody asks for the first time. */
export function createMetrics(view: MonitorView): Metrics {
  let loading: Promise<() => Promise<string>> | undefined;
  return async () => {
    loading ??= import('./monitor-metrics.ts').then(({ monitorMetrics }) => monitorMetrics(view));
    loading.catch(() => {
      // Out of descriptors, perhaps: whoever asks next tries again.
      loading = undefined;
    });
    const ofMonitor = await (await loading)();
    return exposition(Buffer.concat([Buffer.from(`${ofMonitor}\n`), siteMetrics(view.sites())]));
  };
}
