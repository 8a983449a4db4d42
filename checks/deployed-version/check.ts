import { defineCheck, type RawFinding, type Gathered, type Severity } from '../../src/check.ts';
import { NOT_EVALUATED_RULES } from '../../src/expect/not-received.ts';

const RULES = {
  ...NOT_EVALUATED_RULES,
  'old-version': 'error',
  'not-changed': 'error',
  'no-version': 'error',
  'no-place': 'error',
  'not-read': 'unknown',
  'no-validators': 'unknown',
  untold: 'skip',
  'not-expected': 'skip',
} as const satisfies Record<string, Severity>;

export type VersionRule = keyof typeof RULES;

export interface GatheredVersion extends Gathered {
  readonly finding: RawFinding<VersionRule> | null;
}

/** What is live is the version that was expected, as the site itself publishes it. */
export const deployedVersion = defineCheck<GatheredVersion, VersionRule>({
  id: 'deployed-version',
  role: 'version',
  target: 'version.json',
  full: true,
  rules: RULES,
  freshness: ['old-version', 'not-changed'],
  gather: async (site) => (await import('./gather.ts')).gather(site),
  evaluate: ({ finding }) => Promise.resolve(finding === null ? [] : [finding]),
});
