import { defineCheck, type Draft, type JudgeLimits, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_CODES, type PageCode } from '../../src/expect/page.ts';
import { explained, MISSING_NAMED_CODES, withReason } from '../../src/site/missing-file.ts';

const CODES = { ...PAGE_CODES, ...MISSING_NAMED_CODES, 'no-links': 'warning' } as const;

/** The navigation: a Markdown page whose links lead to the site's pages. */
export const navigation = defineCheck<NamedFile, keyof typeof CODES>({
  id: 'navigation',
  target: 'navigation.md',
  codes: CODES,
  gather: async (site) => withReason(await site.file('navigationFile'), site),
  judge: (file, limits) => explained(file, () => judge(file, limits)),
});

async function judge(file: NamedFile, limits: JudgeLimits): Promise<readonly Draft<PageCode | 'no-links'>[]> {
  const { drafts, facts } = await namedPage(file, limits, ['content', 'link']);
  // A page too long to be read whole may have its links further down.
  // Images and bare URLs are no navigation.
  const leads = facts?.links.some(({ kind }) => kind === 'link' || kind === 'html') === true;
  const noLinks = facts?.hasContent === true && facts.whole && !leads;
  return noLinks ? [...drafts, { code: 'no-links' }] : drafts;
}
