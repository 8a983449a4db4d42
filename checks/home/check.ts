import { defineCheck, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_CODES } from '../../src/expect/page.ts';
import { explained, MISSING_NAMED_CODES, withReason } from '../../src/site/missing-file.ts';

const CODES = { ...PAGE_CODES, ...MISSING_NAMED_CODES } as const;

/** The home page: the Markdown page that the engine shows first, as the setting `homePage` names it. */
export const home = defineCheck<NamedFile, keyof typeof CODES>({
  id: 'home',
  target: 'index.md',
  codes: CODES,
  gather: async (site) => withReason(await site.file('homePage'), site),
  async judge(file, limits) {
    const drafts = await explained(file, async () => (await namedPage(file, limits, ['content'])).drafts);
    const named = { setting: file.setting, value: file.value ?? null, url: file.answer.requestUrl };
    return drafts.map((draft) => ({ ...draft, evidence: { ...draft.evidence, ...named } }));
  },
});
