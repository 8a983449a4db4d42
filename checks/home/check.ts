import type { NamedFile } from '../../src/site/types.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { outlinedPage, PAGE_RULES } from '../../src/expect/page.ts';
import { asEngineReads, explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';

const RULES = { ...PAGE_RULES, ...MISSING_NAMED_RULES } as const;

/** The home page: the Markdown page that the engine shows first, as the setting `homePage` names it. */
export const home = defineCheck<NamedFile, keyof typeof RULES>({
  id: 'home',
  target: 'index.md',
  rules: RULES,
  gather: async (site) => asEngineReads(await withReason(await site.file('homePage'), site), site),
  async evaluate(file, limits) {
    const findings = await explained(file, async () => (await outlinedPage(file, limits)).findings);
    const named = { setting: file.settingName, value: file.value ?? null, url: file.answer.requestUrl };
    return findings.map((finding) => ({ ...finding, evidence: { ...finding.evidence, ...named } }));
  },
});
