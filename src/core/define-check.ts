/** Declares checks. Nothing else makes a `Check`, so that each one is held to what its declaration promises. */
import type { Check, DeclaredCheck } from './check.ts';
import type { Evidence } from './answer.ts';
import type { Gathered } from './gathered.ts';
import { evidenceWords } from '../generated/locales/evidence.ts';

/** Defined in bundles, see `src/build/bundle.ts`. */
declare const DOCVITALS_PACKAGE: object | undefined;

/**
 * Declares a check, so that its rules are inferred and its evaluation can report no other. When docvitals runs from its
 * sources, as in tests, gathering and evaluating reject where a field of evidence has no label.
 */
export function defineCheck<G extends Gathered, Rule extends string>(check: DeclaredCheck<G, Rule>): Check<G, Rule> {
  return (typeof DOCVITALS_PACKAGE === 'object' ? check : demandingLabels(check)) as Check<G, Rule>;
}

/** The compiler finds a field without a label where it is written into evidence, but not where it is spread into it. */
function demandingLabels<G extends Gathered, Rule extends string>(
  check: DeclaredCheck<G, Rule>,
): DeclaredCheck<G, Rule> {
  return {
    ...check,
    async gather(site) {
      const gathered = await check.gather(site);
      demandLabels(check.id, gathered.facts);
      return gathered;
    },
    async evaluate(gathered, limits) {
      const findings = await check.evaluate(gathered, limits);
      for (const { rule, evidence } of findings) demandLabels(`${check.id}/${rule}`, evidence);
      return findings;
    },
  };
}

/** Fields whose members are named by others: what a schema of the user's own reports. */
const FREE = new Set(['params']);

function demandLabels(of: string, evidence: Evidence = {}): void {
  const labels = Object.values(evidenceWords('en'));
  const demand = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) return value.forEach(demand);
    for (const [name, member] of Object.entries(value)) {
      if (!labels.some((group) => Object.hasOwn(group, name))) {
        throw new Error(`${of}: the field "${name}" of its evidence has no label in src/locales`);
      }
      if (!FREE.has(name)) demand(member);
    }
  };
  demand(evidence);
}
