/** A command that looks at a site and says by its exit status whether it is well. */
import { run, type Command } from '../command.ts';
import type { Contender } from '../measure.ts';
import type { Peer } from '../peers/peer.ts';
import type { PeerName } from '../peers/peers.ts';
import type { Bench } from '../row.ts';
import type { Fault } from '../scene/faults.ts';
import type { Scene } from '../scene/host.ts';

/** Where it looks, and what it may use. */
export interface Surroundings {
  readonly scene: Scene;
  readonly peer: (name: PeerName) => Peer;
  /** A folder for its own files. */
  readonly folder: string;
}

export interface Checker {
  readonly name: string;
  readonly needs: readonly PeerName[];
  /** The five files of a site, all of it, or its pages in a browser. */
  readonly looksAt: 'five' | 'tree' | 'pages';
  /** The faults that it is asked to see: where it does not see one, its time is worth nothing. */
  readonly claims: readonly string[];
  readonly command: (surroundings: Surroundings) => Command;
  /** Whether it has seen a fault, by what it says of this site and of a healthy one. Default: by its exit status. */
  readonly sees?: (fault: Fault, output: string, healthy: string) => boolean;
  /** Why it has not done all of its work, though it found nothing wrong. */
  readonly shirked?: (output: string) => string | undefined;
  /** Its exit status tells other things, too: that a healthy site is well is not expected of it. */
  readonly isElsewhere?: true;
}

/** Times it on a healthy site. */
export function contender(checker: Checker, scene: Scene, bench: Bench): Contender {
  const { name, shirked, isElsewhere = false } = checker;
  return {
    name,
    async sample() {
      const command = checker.command({ scene, peer: bench.peer, folder: bench.folder });
      const { status, output, cost } = await run(command, bench);
      if (status !== 0 && !isElsewhere)
        throw new Error(`${name}: ${status} for a healthy site\n${output.slice(-1000)}`);
      const problem = shirked?.(output);
      if (problem !== undefined) throw new Error(`${name}: ${problem}\n${output.slice(-1000)}`);
      return cost;
    },
  };
}
