/**
 * Loaded before every test: a check that reports an evidence field without a label fails the test that made it do so.
 * The compiler finds such a field where it is written into the evidence itself, but not where it is spread into it.
 */
import { vi } from 'vitest';
import type { Check, Evidence, Gathered } from '../src/check.ts';
import { fieldOf } from '../src/report/facts.ts';

/** The fields of what users' own schemas report are not ours. */
const FREE = new Set(['params']);

function demandLabels(of: string, evidence: unknown): void {
  if (Array.isArray(evidence)) for (const item of evidence) demandLabels(of, item);
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return;
  for (const [name, value] of Object.entries(evidence)) {
    if (fieldOf(name, 'en') === undefined) {
      throw new Error(`${of}: the evidence field "${name}" has no label in src/locales`);
    }
    if (!FREE.has(name)) demandLabels(of, value);
  }
}

function demanding<G extends Gathered, Code extends string>(check: Check<G, Code>): Check<G, Code> {
  const facts = (of: Evidence | undefined): void => demandLabels(check.id, of ?? {});
  return {
    ...check,
    async gather(site) {
      const gathered = await check.gather(site);
      facts(gathered.facts);
      return gathered;
    },
    async evaluate(gathered, limits) {
      const drafts = await check.evaluate(gathered, limits);
      for (const { rule, evidence } of drafts) demandLabels(`${check.id}/${rule}`, evidence);
      return drafts;
    },
  };
}

vi.mock('../src/check.ts', async (original) => {
  const real = await original<typeof import('../src/check.ts')>();
  const defineCheck: typeof real.defineCheck = (check) => real.defineCheck(demanding(check));
  return { ...real, defineCheck };
});
