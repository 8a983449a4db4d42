import { defineCheck, type Draft, type Gathered, type Grade } from '../../src/check.ts';
import { UNJUDGED_CODES } from '../../src/expect/unjudged.ts';

const CODES = {
  ...UNJUDGED_CODES,
  'old-version': 'error',
  'not-changed': 'error',
  'no-version': 'error',
  'no-place': 'error',
  'not-read': 'unknown',
  'no-validators': 'unknown',
  untold: 'skip',
  'not-expected': 'skip',
} as const satisfies Record<string, Grade>;

export type VersionCode = keyof typeof CODES;

export interface GatheredVersion extends Gathered {
  /** What is to be said; nothing where the version is live. */
  readonly draft: Draft<VersionCode> | null;
}

/** What is live is the version that was expected, as the site itself tells it. */
export const deployedVersion = defineCheck<GatheredVersion, VersionCode>({
  id: 'deployed-version',
  target: 'version.json',
  full: true,
  codes: CODES,
  freshness: ['old-version', 'not-changed'],
  gather: async (site) => (await import('./gather.ts')).gather(site),
  judge: ({ draft }) => Promise.resolve(draft === null ? [] : [draft]),
});
