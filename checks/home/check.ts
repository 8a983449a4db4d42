import { defineCheck, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_CODES, type PageCode } from '../../src/expect/page.ts';

/** The home page: the Markdown page that the engine shows first, as the setting `homePage` names it. */
export const home = defineCheck<NamedFile, PageCode>({
  id: 'home',
  target: 'index.md',
  codes: PAGE_CODES,
  gather: (site) => site.file('homePage'),
  async judge(file, limits) {
    const { drafts } = await namedPage(file, limits, ['content']);
    const named = { setting: file.setting, value: file.value ?? null, url: file.answer.requestUrl };
    return drafts.map((draft) => ({ ...draft, evidence: { ...draft.evidence, ...named } }));
  },
});
