import { defineCheck, type Answer, type Draft, type JudgeLimits, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_CODES, type PageCode } from '../../src/expect/page.ts';
import type { OtherHost } from '../../src/site/other-host.ts';
import { explained, MISSING_NAMED_CODES, withReason } from '../../src/site/missing-file.ts';

const CODES = { ...PAGE_CODES, ...MISSING_NAMED_CODES, 'no-links': 'warning', 'other-host': 'warning' } as const;

interface GatheredNavigation extends NamedFile {
  /** Set where most of the navigation leads to this site under another host name. */
  readonly otherHost?: OtherHost;
}

/** The navigation: a Markdown page whose links lead to the site's pages. */
export const navigation = defineCheck<GatheredNavigation, keyof typeof CODES>({
  id: 'navigation',
  target: 'navigation.md',
  codes: CODES,
  gather: async (site) => {
    const file = await withReason(await site.file('navigationFile'), site);
    if (!namesHosts(file.answer)) return file;
    const { findOtherHost } = await import('../../src/site/other-host.ts');
    const otherHost = await findOtherHost(file, site);
    return otherHost === null ? file : { ...file, otherHost };
  },
  judge: (file, limits) => explained(file, () => judge(file, limits)),
});

/** Whether a text has web addresses at all: most navigations have none. */
function namesHosts(answer: Answer): boolean {
  return answer.kind === 'reply' && Buffer.from(answer.body).includes('://');
}

type Code = PageCode | 'no-links' | 'other-host';

async function judge(file: GatheredNavigation, limits: JudgeLimits): Promise<readonly Draft<Code>[]> {
  const { drafts, facts } = await namedPage(file, limits, ['content', 'link']);
  // A page too long to be read whole may have its links further down.
  // Images and bare URLs are no navigation.
  const leads = facts?.links.some(({ kind }) => kind === 'link' || kind === 'html') === true;
  const noLinks = facts?.hasContent === true && facts.whole && !leads;
  return [
    ...drafts,
    ...(noLinks ? [{ code: 'no-links' } as const] : []),
    ...(file.otherHost === undefined ? [] : [otherHostDraft(file.otherHost)]),
  ];
}

function otherHostDraft({ host, count, links, location, ...more }: OtherHost): Draft<'other-host'> {
  return { code: 'other-host', evidence: { foreignHosts: host, foreign: count, links, ...more }, location };
}
