/** Checks of the user's own, declared in `docvitals.yaml` and made of the same pieces as the built-in ones. */
import type { Check } from '../../src/core/check.ts';
import type { SeverityOrOutcome } from '../../src/core/finding.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import type { OwnDefinition } from './definition.ts';
import type { OwnGathered } from './evaluate.ts';

export const OWN_RULES = {
  ...PAGE_RULES,
  status: 'error',
  'media-type': 'error',
  'json-syntax': 'error',
  'json-schema': 'error',
  contains: 'error',
  'not-contains': 'error',
  header: 'error',
  'too-slow': 'error',
} as const satisfies Record<string, SeverityOrOutcome>;

export type OwnRule = keyof typeof OWN_RULES;

export function ownCheck(definition: OwnDefinition): Check<OwnGathered, OwnRule> {
  return defineCheck<OwnGathered, OwnRule>({
    id: definition.id,
    target: definition.path,
    rules: OWN_RULES,
    gather: async (site) => (await import('./evaluate.ts')).gather(definition, site),
    evaluate: async (gathered, limits) => (await import('./evaluate.ts')).evaluate(definition, gathered, limits),
  });
}
