/** `docvitals monitor` with more and more sites. */
import { watchInTurn } from '../monitor/watch-in-turn.ts';
import type { WatchTimes } from '../monitor/watch.ts';
import { medians, type Growth, type Line, type Point } from './growth.ts';

const OURS = 'docvitals';
const THEIRS = 'blackbox';
const LINES: readonly Line[] = [{ name: OURS }, { name: THEIRS, isPeer: true }];

/** At the usual pace; as many sites as that are checked each second, at most. */
const SITES_A_SECOND = 50;
/** One scrape of the metrics falls into a window, as with Prometheus' usual settings. */
const TIMES = { windowSeconds: 15, settleSeconds: 3 };

export const sitesGrowth = (steps: readonly number[], times: Omit<WatchTimes, 'everySeconds'> = TIMES): Growth => ({
  id: 'growth/sites',
  what: 'sites',
  panels: [
    {
      id: 'growth/sites-cpu',
      title: 'The monitor: cpu a check',
      short: 'cpu a check',
      figure: 'cpuMsPerCheck',
      lines: LINES,
    },
    {
      id: 'growth/sites-cpu-flat-out',
      title: 'The monitor: cpu a check, flat out',
      short: 'cpu a check flat out',
      figure: 'cpuMsPerCheckFlatOut',
      lines: LINES,
    },
    {
      id: 'growth/sites-rate',
      title: 'The monitor: checks a second, flat out',
      short: 'checks a second',
      figure: 'checksPerSecond',
      lines: LINES,
    },
    {
      id: 'growth/sites-memory',
      title: 'The monitor: peak memory',
      short: 'peak memory',
      figure: 'peakMiB',
      lines: LINES,
    },
  ],
  needs: ['nginx', 'prometheus-blackbox-exporter'],
  pairs: 1,
  async measure(bench) {
    const points: Point[] = [];
    for (const at of steps) {
      const everySeconds = Math.max(1, Math.ceil(at / SITES_A_SECOND));
      const pairs = await watchInTurn({ count: at }, { ...times, everySeconds, warmUps: 0 }, bench);
      points.push({ at, costs: { [OURS]: medians(pairs.ours), [THEIRS]: medians(pairs.theirs) } });
    }
    return points;
  },
});
