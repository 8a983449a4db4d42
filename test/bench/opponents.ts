/** Rows of two commands that look at the same site, one after the other. */
import { contender, type Checker } from './contenders/checker.ts';
import { inTurn, type Contender, type Figure, type Pairs } from './measure.ts';
import type { Bench, Row } from './row.ts';
import { startScene } from './scene/host.ts';

/** What a process that ends has taken. */
export const COSTS: readonly Figure[] = ['wallMs', 'cpuMs', 'peakMiB'];

export interface Opponents extends Pick<Row, 'id' | 'work' | 'pairs'> {
  readonly ours: Checker;
  readonly theirs: Checker;
  /** The site, made when it is needed. */
  readonly files: () => ReadonlyMap<string, string>;
  /** Over TLS, with so many milliseconds to the host and back. Default: neither. */
  readonly farMs?: number;
}

export function opponents({ ours, theirs, files, farMs, ...row }: Opponents): Row {
  return {
    ...row,
    against: theirs.name,
    figures: COSTS,
    checkers: [ours, theirs],
    needs: ['nginx', ...ours.needs, ...theirs.needs],
    async measure(bench) {
      const far = farMs === undefined ? {} : { farMs };
      const scene = await startScene({ folder: bench.folder, files: files(), ...far });
      try {
        return await turns(contender(ours, scene, bench), contender(theirs, scene, bench), bench);
      } finally {
        await scene.stop();
      }
    },
  };
}

/** Measures them, and says how far it is. */
export const turns = (ours: Contender, theirs: Contender, { pairs, progress }: Bench): Promise<Pairs> =>
  inTurn(ours, theirs, { pairs, onPair: (done) => progress(`${done} of ${pairs} pairs`) });
