/** Checks of the user's own, declared in `docvitals.yaml` and made of the same pieces as the built-in ones. */
import type { Check, Severity } from '../../src/check.ts';
import { defineCheck } from '../../src/define-check.ts';
import { PAGE_RULES } from '../../src/expect/page.ts';
import type { OwnDefinition } from './definition.ts';
import type { OwnGathered } from './implementation.ts';

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
} as const satisfies Record<string, Severity>;

export type OwnRule = keyof typeof OWN_RULES;

export function ownCheck(definition: OwnDefinition): Check<OwnGathered, OwnRule> {
  return defineCheck<OwnGathered, OwnRule>({
    id: definition.id,
    target: definition.path,
    rules: OWN_RULES,
    gather: async (site) => (await import('./implementation.ts')).gather(definition, site),
    evaluate: async (gathered, limits) => (await import('./implementation.ts')).evaluate(definition, gathered, limits),
  });
}
