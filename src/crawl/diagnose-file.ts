/** Finds the file that a missing one of the site's own files (its home page, its navigation) most likely is. */
import type { Diagnosis, Site } from '../check.ts';
import { isAbsent } from '../site/missing-status.ts';
import { diagnose, DIAGNOSIS_BUDGET, KnownPaths } from './diagnose.ts';
import { pathsOf } from './source-pages.ts';

/** Requests for a file that nobody named: the core checks are quick, and a broken site is not flooded. */
const FEW_REQUESTS = 4;
/** Names that people give such files and that no rule derives from the right one. */
const HABITS = ['LLMS.txt'];

/** What kind of name was requested. */
export interface FileName {
  /** Relative to the base. */
  readonly path: string;
  /** A setting names the file. */
  readonly isNamed: boolean;
  /** Whether files of another name may be meant, or only other letters of the same name. */
  readonly isFree: boolean;
}

/** `null`: the host has no such file. */
export async function diagnoseFile({ path, isNamed, isFree }: FileName, site: Site): Promise<Diagnosis | null> {
  const [bundle, source] = await Promise.all([site.bundle(), pathsOf(site.requested.source)]);
  const known = new KnownPaths();
  for (const file of [...source, ...HABITS]) known.add(file);
  const requests = site.requested.full || isNamed ? DIAGNOSIS_BUDGET.requests : FEW_REQUESTS;
  return diagnose(path, {
    base: site.base,
    known,
    source: new Set(source),
    observed: (other) => (isFree || isSameWord(other, path) ? undefined : false),
    look: async (_, url) => {
      const answer = await site.get({ url: new URL(url), accept: '*/*' });
      const isThere = answer.kind === 'reply' && answer.status === 200 && answer.redirects.length === 0;
      // A bundle is HTML, which comes instead of other files where those are missing.
      if (!isThere || (isFree && isAbsent(answer, bundle))) return { ok: false };
      return { ok: !site.requested.full || !(await site.notFound()).isMissing(answer) };
    },
    stop: site.limits.signal ?? new AbortController().signal,
    budget: { ...DIAGNOSIS_BUDGET, requests },
  });
}

const isSameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
