/** Both monitors watch the same origins, in turn. */
import { inTurn, type Contender, type Pairs } from '../measure.ts';
import type { Bench } from '../row.ts';
import { blackboxExporter } from './blackbox.ts';
import type { MonitorContender, RunningMonitor } from './contender.ts';
import { docvitals } from './docvitals.ts';
import { startOrigins, type OriginOptions } from './origins.ts';
import { watchFor, type WatchTimes } from './watch.ts';

/** docvitals is ours, blackbox_exporter is theirs. While one is measured the other one rests. */
export async function watchInTurn(
  options: OriginOptions,
  { warmUps, ...times }: WatchTimes & { readonly warmUps: number },
  bench: Bench,
): Promise<Pairs> {
  const { progress, pairs, signal } = bench;
  const origins = await startOrigins(options);
  const running: RunningMonitor[] = [];
  const started = async (contender: MonitorContender): Promise<Contender> => {
    progress(`${contender.name} looks at ${options.count} sites`);
    const monitor = await contender.start(origins, bench);
    running.push(monitor);
    return { name: contender.name, sample: () => watchFor({ contender, monitor, origins }, times, signal) };
  };
  try {
    const [ours, theirs] = [await started(docvitals), await started(blackboxExporter)];
    const onPair = (done: number): void => progress(`${options.count} sites, ${done} of ${pairs} pairs`);
    return await inTurn(ours, theirs, { pairs, warmUps, onPair });
  } finally {
    for (const monitor of running) await monitor.stop();
    await origins.stop();
  }
}
