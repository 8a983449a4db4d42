import { fullCheck } from '../full-check.ts';

const RULES = {
  'old-version': 'error',
  'not-changed': 'error',
  'no-version': 'error',
  'version-not-found': 'error',
  'not-read': 'unknown',
  'no-validators': 'unknown',
  'not-published': 'skip',
  'not-expected': 'skip',
} as const;

export type VersionRule = keyof typeof RULES | 'no-answer';

/** What is live is the version that was expected, as the site itself publishes it. */
export const deployedVersion = fullCheck({
  id: 'deployed-version',
  role: 'version',
  target: 'version.json',
  rules: RULES,
  freshness: ['old-version', 'not-changed'],
  older: ['old-version', 'not-changed'],
  load: () => import('./evaluate.ts'),
});
