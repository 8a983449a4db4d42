/** Checks of the user's own, declared in `docvitals.yaml` and made of the same pieces as the built-in ones. */
import { defineCheck, type Check, type Grade } from '../../src/check.ts';
import { PAGE_CODES } from '../../src/expect/page.ts';
import type { OwnDefinition } from './definition.ts';
import type { OwnGathered } from './work.ts';

/** Every code that a check of the user's own may give. */
export const OWN_CODES = {
  ...PAGE_CODES,
  status: 'error',
  'media-type': 'error',
  'json-syntax': 'error',
  'json-schema': 'error',
  contains: 'error',
  'not-contains': 'error',
  header: 'error',
  'too-slow': 'error',
} as const satisfies Record<string, Grade>;

export type OwnCode = keyof typeof OWN_CODES;

/** Makes a check of its definition. */
export function ownCheck(definition: OwnDefinition): Check<OwnGathered, OwnCode> {
  return defineCheck<OwnGathered, OwnCode>({
    id: definition.id,
    target: definition.path,
    codes: OWN_CODES,
    gather: async (site) => (await import('./work.ts')).gather(definition, site),
    judge: async (gathered, limits) => (await import('./work.ts')).judge(definition, gathered, limits),
  });
}
