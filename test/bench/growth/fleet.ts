/** Many locations on PostgreSQL with more and more sites: really checked, and with canned reports. */
import { rawQueueCpuMs } from '../fleet/raw-queue.ts';
import { watchEmbedded, watchFleet, type Taken, type Work } from '../fleet/scene.ts';
import type { Sample } from '../measure.ts';
import { startOrigins } from '../monitor/origins.ts';
import type { Bench } from '../row.ts';
import type { Growth, Line, Panel, Point } from './growth.ts';

const PARTS = ['database', 'coordinator', 'runners'] as const;
const EMBEDDED = 'embedded';
const QUEUE = 'pg-boss';
const WHOLE = 'fleet';

export interface FleetTimes {
  readonly settleSeconds: number;
  readonly windowSeconds: number;
  /** Default: once a minute, or as often as this machine is asked for. */
  readonly everySeconds?: number;
}

const TIMES: FleetTimes = { settleSeconds: 40, windowSeconds: 40 };
/** Until every site has been checked once: its first run receives its files whole. */
const CHECKED_TIMES: FleetTimes = { settleSeconds: 75, windowSeconds: 45 };

/** How many runs a second are asked of this machine, at most: sites beyond that are checked less often. */
const MOST_RUNS_A_SECOND = 350;
const MINUTE = 60;
/** Runs whose jobs go through pg-boss alone. */
const RAW_RUNS = 3_000;

/** Checks are replaced by a report that five passing checks would make. */
export const simulatedFleet = (steps: readonly number[], times = TIMES): Growth => ({
  id: 'fleet/simulated',
  what: 'sites',
  panels: panelsOf('fleet', 'Three locations, canned reports', [
    ...PARTS.map((name) => ({ name })),
    { name: EMBEDDED, isPeer: true },
    { name: QUEUE, isPeer: true },
  ]),
  needs: [],
  pairs: 1,
  async measure(bench) {
    const points: Point[] = [];
    for (const at of steps) {
      const work = { sites: at, everySeconds: Math.max(MINUTE, Math.ceil(at / MOST_RUNS_A_SECOND)), ...times };
      bench.progress(`${at} sites`);
      const fleet = await watchFleet(work, bench);
      const embedded = await watchEmbedded(work, bench);
      const costs = {
        ...costsOf(fleet, work),
        [EMBEDDED]: { cpuMsPerRun: sum(embedded.cpuMs) / embedded.runs, mbPerDay: mbPerDay(embedded, work) },
        [QUEUE]: { cpuMsPerRun: await rawQueueCpuMs(RAW_RUNS) },
      };
      points.push({ at, costs });
    }
    return points;
  },
});

/** The built commands check sites on loopback, once a minute. */
export const checkedFleet = (steps: readonly number[], times = CHECKED_TIMES): Growth => ({
  id: 'fleet/checked',
  what: 'sites',
  panels: panelsOf(
    'fleet-checked',
    'Three locations, real checks',
    PARTS.map((name) => ({ name })),
  ),
  needs: ['nginx'],
  pairs: 1,
  async measure(bench) {
    const points: Point[] = [];
    for (const at of steps) {
      bench.progress(`${at} sites`);
      points.push({ at, costs: await checked({ sites: at, everySeconds: MINUTE, ...times }, bench) });
    }
    return points;
  },
});

async function checked(work: Work, bench: Bench): Promise<Point['costs']> {
  const origins = await startOrigins({ count: work.sites });
  try {
    return costsOf(await watchFleet(work, bench, origins), work);
  } finally {
    await origins.stop();
  }
}

function costsOf(taken: Taken, work: Work): Readonly<Record<string, Sample>> {
  const { runs, seconds, cpuMs, peakMiB, lateRuns } = taken;
  const parts = PARTS.map((name): [string, Sample] => {
    const peak = peakMiB[name];
    return [name, { cpuMsPerRun: (cpuMs[name] ?? 0) / runs, ...(peak === undefined ? {} : { peakMiB: peak }) }];
  });
  return {
    ...Object.fromEntries(parts),
    [WHOLE]: { lateRuns, runsPerSecond: runs / seconds, mbPerDay: mbPerDay(taken, work) },
  };
}

/** Of all sites, checked once a minute. */
const mbPerDay = ({ bytes, runs }: Taken, { sites }: Work): number => ((bytes / runs) * sites * 1_440) / 1e6;

const sum = (values: Readonly<Record<string, number>>): number => Object.values(values).reduce((a, b) => a + b, 0);

function panelsOf(name: string, title: string, lines: readonly Line[]): readonly Panel[] {
  const own = lines.filter(({ isPeer }) => isPeer === undefined);
  const inMemory = own.filter((line) => line.name !== 'database');
  const whole = [{ name: WHOLE }];
  return [
    { id: `growth/${name}-cpu`, title: `${title}: cpu a run`, short: 'cpu a run', figure: 'cpuMsPerRun', lines },
    {
      id: `growth/${name}-memory`,
      title: `${title}: peak memory`,
      short: 'peak memory',
      figure: 'peakMiB',
      lines: inMemory,
    },
    {
      id: `growth/${name}-size`,
      title: `${title}: history of a day`,
      short: 'size a day',
      figure: 'mbPerDay',
      lines: whole,
    },
    {
      id: `growth/${name}-rate`,
      title,
      short: 'runs a second',
      figure: 'runsPerSecond',
      lines: whole,
      isTableOnly: true,
    },
    { id: `growth/${name}-late`, title, short: 'late runs', figure: 'lateRuns', lines: whole, isTableOnly: true },
  ];
}
