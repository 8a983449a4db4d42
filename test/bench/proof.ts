/**
 * Before anything is measured, every contender looks at a healthy site and at sites with one fault each, and has to find
 * the faults that it claims to find: what is fast because it does not look is detected here.
 */
import type { Checker } from './checkers.ts';
import { run, type Finished } from './command.ts';
import { FAULTS, PAGE_FAULTS, TREE_FAULTS, type Fault } from './faults.ts';
import { withScene, type SceneOptions } from './host.ts';
import { progress } from './session.ts';
import { benchSite, browserSite, oneShotSite, type Files } from './site.ts';

const PAGES = 20;

const TRIALS: Readonly<Record<Checker['looksAt'], readonly [Readonly<Record<string, Fault>>, () => Files]>> = {
  core: [FAULTS, oneShotSite],
  tree: [TREE_FAULTS, () => benchSite(PAGES)],
  pages: [PAGE_FAULTS, browserSite],
};

/** Which faults a contender was shown, and which it found. */
export interface Testimony {
  readonly contender: string;
  readonly shown: readonly string[];
  readonly seen: readonly string[];
}

/** What is wrong with a contender is passed to `fail`. */
export async function prove(checkers: readonly Checker[], fail: (problem: string) => void): Promise<Testimony[]> {
  const testimonies: Testimony[] = [];
  for (const [looksAt, group] of Map.groupBy(new Set(checkers), (checker) => checker.looksAt)) {
    const [faults, files] = TRIALS[looksAt];
    const healthy = await look({ files: files() }, group);
    const found = new Map<string, readonly Checker[]>();
    for (const [id, fault] of Object.entries(faults)) {
      progress(`proof: ${id}`);
      const spoilt = files();
      fault.spoil?.(spoilt);
      const results = await look({ files: spoilt, configuration: fault.configuration ?? '' }, group);
      const finds = (checker: Checker, index: number): boolean => {
        const { status = 0, output = '' } = results[index] ?? {};
        return checker.finds?.(fault, output, healthy[index]?.output ?? '') ?? status !== 0;
      };
      found.set(id, group.filter(finds));
    }
    for (const [index, checker] of group.entries()) {
      const seen = [...found].flatMap(([id, by]) => (by.includes(checker) ? [id] : []));
      testimonies.push({ contender: checker.name, shown: [...found.keys()], seen });
      if (healthy[index]?.status !== 0 && checker.isElsewhere !== true) fail(`${checker.name} fails a healthy site`);
      for (const id of checker.claims) if (!seen.includes(id)) fail(`${checker.name} does not find ${id}`);
    }
  }
  return testimonies;
}

const look = (site: SceneOptions, checkers: readonly Checker[]): Promise<readonly Finished[]> =>
  withScene(site, async (scene) => {
    const results: Finished[] = [];
    for (const checker of checkers) results.push(await run(checker.command(scene)));
    return results;
  });
