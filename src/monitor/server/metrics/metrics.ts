/** `/metrics`. */
import type { MonitorView } from '../../view.ts';
import { exposition, type Answered } from '../answer.ts';
import { siteMetrics } from './site-metrics.ts';

export type Metrics = () => Promise<Answered>;

/** Many readers at once cost one reading; no reader gets figures that are older than this, in milliseconds. */
const KEPT_MS = 1_000;

/** Metrics of a monitor. prom-client is loaded with the first request. */
export function createMetrics(view: MonitorView): Metrics {
  let loading: Promise<() => Promise<string>> | undefined;
  let kept: { readonly until: number; readonly answered: Promise<Answered> } | undefined;
  const read = async (): Promise<Answered> => {
    loading ??= import('./monitor-metrics.ts').then(({ monitorMetrics }) => monitorMetrics(view));
    const text = await (await loading)();
    return exposition(Buffer.concat([Buffer.from(`${text}\n`), await siteMetrics(view.sites(), view.now())]));
  };
  return () => {
    const now = performance.now();
    if (kept !== undefined && now < kept.until) return kept.answered;
    const answered = read();
    kept = { until: now + KEPT_MS, answered };
    // A failure is not kept: out of file descriptors, perhaps.
    answered.catch(() => (kept = loading = undefined));
    return answered;
  };
}
