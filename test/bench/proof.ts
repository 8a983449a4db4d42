/**
 * Before anything is timed: every contender looks at a healthy site and at sites with one fault each, and has to tell
 * them apart as far as it claims to. Who is quick because he does not look is found out here.
 */
import { run, type Finished } from './command.ts';
import type { Checker } from './contenders/checker.ts';
import type { Bench } from './row.ts';
import { FAULTS, TREE_FAULTS, type Fault } from './scene/faults.ts';
import { startScene, type SceneOptions } from './scene/host.ts';
import { oneShotSite } from './scene/site.ts';
import { benchSite } from './site.ts';

const PAGES = 20;

/** What those that look at the same are shown. */
interface Trial {
  readonly faults: Readonly<Record<string, Fault>>;
  /** A healthy site. */
  readonly files: () => Map<string, string>;
}

const TRIALS: Readonly<Record<Checker['looksAt'], Trial>> = {
  five: { faults: FAULTS, files: oneShotSite },
  tree: { faults: TREE_FAULTS, files: () => benchSite(PAGES) },
};

/** What a contender said, by its exit status. */
export interface Testimony {
  readonly contender: string;
  /** Ids of the faults that it was shown, and of those that it called bad. */
  readonly shown: readonly string[];
  readonly seen: readonly string[];
  /** Its status says other things, too, and proves nothing here. */
  readonly isElsewhere: boolean;
}

export interface Proof {
  readonly testimonies: readonly Testimony[];
  /** What speaks against them, in sentences. */
  readonly problems: readonly string[];
}

/** Shows them every fault. */
export async function prove(checkers: ReadonlySet<Checker>, bench: Bench): Promise<Proof> {
  const proofs: Proof[] = [];
  for (const [looksAt, asked] of Map.groupBy(checkers, (checker) => checker.looksAt))
    proofs.push(await hear(TRIALS[looksAt], asked, bench));
  return {
    testimonies: proofs.flatMap(({ testimonies }) => testimonies),
    problems: proofs.flatMap(({ problems }) => problems),
  };
}

async function hear({ faults, files }: Trial, checkers: readonly Checker[], bench: Bench): Promise<Proof> {
  const well = await look({ files: files() }, checkers, bench, (_, { status }) => status !== 0);
  const seen = new Map<string, readonly Checker[]>();
  for (const [id, fault] of Object.entries(faults)) {
    bench.progress(id);
    const { spoil, configuration = '' } = fault;
    const spoilt = files();
    spoil?.(spoilt);
    const sees = ({ sees: named }: Checker, { status, output }: Finished): boolean =>
      named?.(fault, output) ?? status !== 0;
    seen.set(id, await look({ files: spoilt, configuration }, checkers, bench, sees));
  }
  const testimonies = checkers.map((checker) => ({
    contender: checker.name,
    shown: [...seen.keys()],
    seen: [...seen].flatMap(([id, by]) => (by.includes(checker) ? [id] : [])),
    isElsewhere: checker.isElsewhere ?? false,
  }));
  const wrong = well
    .filter(({ isElsewhere }) => isElsewhere !== true)
    .map(({ name }) => `${name} calls a healthy site bad`);
  const unseen = checkers.flatMap((checker) =>
    checker.claims
      .filter((id) => seen.get(id)?.includes(checker) !== true)
      .map((id) => `${checker.name} does not see ${id}`),
  );
  return { testimonies, problems: [...wrong, ...unseen] };
}

/** Those that find what they look for on a site. */
async function look(
  site: Pick<SceneOptions, 'files' | 'configuration'>,
  checkers: readonly Checker[],
  bench: Bench,
  finds: (checker: Checker, finished: Finished) => boolean,
): Promise<readonly Checker[]> {
  const { folder, peer } = bench;
  const scene = await startScene({ folder, ...site });
  const found: Checker[] = [];
  try {
    for (const checker of checkers)
      if (finds(checker, await run(checker.command({ scene, peer, folder }), bench))) found.push(checker);
  } finally {
    await scene.stop();
  }
  return found;
}
