/**
 * Before anything is timed: every contender looks at a healthy site and at sites with one fault each, and has to tell
 * them apart as far as it claims to. Who is quick because he does not look is found out here.
 */
import { run, type Finished } from './command.ts';
import { browserSite } from './contenders/browser.ts';
import type { Checker } from './contenders/checker.ts';
import type { Bench } from './row.ts';
import { FAULTS, PAGE_FAULTS, TREE_FAULTS, type Fault } from './scene/faults.ts';
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
  pages: { faults: PAGE_FAULTS, files: browserSite },
};

/** What a contender said. */
export interface Testimony {
  readonly contender: string;
  /** Ids of the faults that it was shown, and of those that it has seen. */
  readonly shown: readonly string[];
  readonly seen: readonly string[];
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
  const well = await look({ files: files() }, checkers, bench);
  const seen = new Map<string, readonly Checker[]>();
  for (const [id, fault] of Object.entries(faults)) {
    bench.progress(id);
    const { spoil, configuration = '' } = fault;
    const spoilt = files();
    spoil?.(spoilt);
    const told = await look({ files: spoilt, configuration }, checkers, bench);
    const sees = (checker: Checker): boolean => {
      const [{ status = 0, output = '' } = {}, { output: healthy = '' } = {}] = [told.get(checker), well.get(checker)];
      return checker.sees?.(fault, output, healthy) ?? status !== 0;
    };
    seen.set(id, checkers.filter(sees));
  }
  const testimonies = checkers.map((checker) => ({
    contender: checker.name,
    shown: [...seen.keys()],
    seen: [...seen].flatMap(([id, by]) => (by.includes(checker) ? [id] : [])),
  }));
  const wrong = checkers
    .filter((checker) => checker.isElsewhere !== true && well.get(checker)?.status !== 0)
    .map(({ name }) => `${name} calls a healthy site bad`);
  const unseen = checkers.flatMap(({ name, claims }, index) =>
    claims.filter((id) => testimonies[index]?.seen.includes(id) !== true).map((id) => `${name} does not see ${id}`),
  );
  return { testimonies, problems: [...wrong, ...unseen] };
}

/** What each of them says of a site. */
async function look(
  site: Pick<SceneOptions, 'files' | 'configuration'>,
  checkers: readonly Checker[],
  bench: Bench,
): Promise<ReadonlyMap<Checker, Finished>> {
  const { folder, peer } = bench;
  const scene = await startScene({ folder, ...site });
  const told = new Map<Checker, Finished>();
  try {
    for (const checker of checkers) told.set(checker, await run(checker.command({ scene, peer, folder }), bench));
  } finally {
    await scene.stop();
  }
  return told;
}
