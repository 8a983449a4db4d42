/** `docvitals check --full` on sites of more and more pages. */
import { contender } from '../contenders/checker.ts';
import { docvitalsFull } from '../contenders/docvitals.ts';
import { linkinatorTree } from '../contenders/tree.ts';
import { inTurn, type Contender, type Pairs, type Sample, type TurnOptions } from '../measure.ts';
import { startScene } from '../scene/host.ts';
import { benchSite } from '../site.ts';
import { medians, type Growth, type Line, type Point } from './growth.ts';

const OURS = 'docvitals';
const THEIRS = 'linkinator';
const LINES: readonly Line[] = [{ name: OURS }, { name: THEIRS, isPeer: true }];

/** Beyond it, a run of the other one takes minutes. */
const MOST_THEIRS = 1000;

export const pagesGrowth = (steps: readonly number[], { mostTheirs = MOST_THEIRS } = {}): Growth => ({
  id: 'growth/pages',
  what: 'pages',
  panels: [
    { id: 'growth/pages-wall', title: 'A whole site: wall time', short: 'wall', figure: 'wallMs', lines: LINES },
    {
      id: 'growth/pages-each',
      title: 'A whole site: wall time a page',
      short: 'wall a page',
      figure: 'wallMsPerPage',
      lines: LINES,
    },
    { id: 'growth/pages-cpu', title: 'A whole site: cpu time', short: 'cpu', figure: 'cpuMs', lines: LINES },
    {
      id: 'growth/pages-memory',
      title: 'A whole site: peak memory',
      short: 'peak memory',
      figure: 'peakMiB',
      lines: LINES,
    },
  ],
  needs: ['nginx', 'linkinator'],
  pairs: 3,
  async measure(bench) {
    const points: Point[] = [];
    for (const at of steps) {
      const scene = await startScene({ folder: bench.folder, files: benchSite(at) });
      const onPair = (done: number): void => bench.progress(`${at} pages, ${done} of ${bench.pairs} runs`);
      try {
        const ours = contender(docvitalsFull(at), scene, bench);
        const theirs = at > mostTheirs ? null : contender(linkinatorTree(at), scene, bench);
        const pairs = await turns(ours, theirs, { pairs: bench.pairs, warmUps: 1, onPair });
        const costs = {
          [OURS]: perPage(medians(pairs.ours), at),
          ...(theirs === null ? {} : { [THEIRS]: perPage(medians(pairs.theirs), at) }),
        };
        points.push({ at, costs });
      } finally {
        await scene.stop();
      }
    }
    return points;
  },
});

const perPage = (costs: Sample, pages: number): Sample => ({
  ...costs,
  wallMsPerPage: (costs.wallMs ?? NaN) / pages,
});

/** The one alone where there is no other. */
const turns = (ours: Contender, theirs: Contender | null, options: TurnOptions): Promise<Pairs> =>
  inTurn(ours, theirs ?? { name: 'nobody', sample: () => Promise.resolve({}) }, options);
