import { defineCheck, type Answer, type RawFinding, type EvaluationLimits, type NamedFile } from '../../src/check.ts';
import { namedPage, PAGE_RULES, type PageRule } from '../../src/expect/page.ts';
import type { OtherHost } from '../../src/site/other-host.ts';
import { explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';

const RULES = { ...PAGE_RULES, ...MISSING_NAMED_RULES, 'no-links': 'warning', 'other-host': 'warning' } as const;

interface GatheredNavigation extends NamedFile {
  /** Set where most of the navigation leads to this site under another host name. */
  readonly otherHost?: OtherHost;
}

/** The navigation: a Markdown page whose links lead to the site's pages. */
export const navigation = defineCheck<GatheredNavigation, keyof typeof RULES>({
  id: 'navigation',
  target: 'navigation.md',
  rules: RULES,
  gather: async (site) => {
    const file = await withReason(await site.file('navigationFile'), site);
    if (!namesHosts(file.answer)) return file;
    const { findOtherHost } = await import('../../src/site/other-host.ts');
    const otherHost = await findOtherHost(file, site);
    return otherHost === null ? file : { ...file, otherHost };
  },
  evaluate: (file, limits) => explained(file, () => evaluate(file, limits)),
});

function namesHosts(answer: Answer): boolean {
  return answer.kind === 'reply' && Buffer.from(answer.body).includes('://');
}

type Rule = PageRule | 'no-links' | 'other-host';

async function evaluate(file: GatheredNavigation, limits: EvaluationLimits): Promise<readonly RawFinding<Rule>[]> {
  const { findings, parsed } = await namedPage(file, limits, ['hasContent', 'hasLink']);
  // A page too long to be read whole may have its links further down.
  const noLinks = parsed?.hasContent === true && parsed.whole && !parsed.hasLink;
  return [
    ...findings,
    ...(noLinks ? [{ rule: 'no-links' } as const] : []),
    ...(file.otherHost === undefined ? [] : [otherHostFinding(file.otherHost)]),
  ];
}

function otherHostFinding({ host, count, links, location, ...more }: OtherHost): RawFinding<'other-host'> {
  return { rule: 'other-host', evidence: { foreignHosts: host, foreign: count, links, ...more }, location };
}
