import { defineCheck, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_CODES } from '../../src/expect/page.ts';
import { MISSING_FILE_CODES, missingFile, withReason } from '../../src/site/missing-file.ts';

const CODES = { ...PAGE_CODES, ...MISSING_FILE_CODES } as const;

/** The home page: the Markdown page that the engine shows first, as the setting `homePage` names it. */
export const home = defineCheck<NamedFile, keyof typeof CODES>({
  id: 'home',
  target: 'index.md',
  codes: CODES,
  gather: async (site) => withReason(await site.file('homePage'), site),
  async judge(file, limits) {
    const missing = missingFile(file);
    if (missing !== null) return missing;
    const { drafts } = await namedPage(file, limits, ['content']);
    const named = { setting: file.setting, value: file.value ?? null, url: file.answer.requestUrl };
    return drafts.map((draft) => ({ ...draft, evidence: { ...draft.evidence, ...named } }));
  },
});
