import { defineCheck } from '../../src/core/define-check.ts';
import type { EvaluationLimits, NamedFile } from '../../src/site/types.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { CheckResult } from '../../src/core/check.ts';
import type { Finding, RawFinding } from '../../src/core/finding.ts';
import { engineName } from '../../src/engines/index.ts';
import { isAbsent, isGone } from '../../src/expect/fallback.ts';
import { outlinedPage, PAGE_RULES, type PageRule } from '../../src/expect/page.ts';
import type { OtherHost } from '../../src/site/other-host.ts';
import { asEngineReads, explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';
import { closedToPage, isOnOneHost, OTHER_ORIGIN_RULES } from '../../src/site/other-origin.ts';

const RULES = {
  ...PAGE_RULES,
  ...MISSING_NAMED_RULES,
  ...OTHER_ORIGIN_RULES,
  'no-links': 'warning',
  'other-host': 'warning',
  'no-file': 'info',
  off: 'skip',
} as const;

interface GatheredNavigation extends NamedFile {
  /** The engine's name, where it shows pages without a navigation as well. */
  readonly optionalFor?: string;
  readonly otherHost?: OtherHost;
}

/** A setting that all paths depend on, and a host that allows no page to read its files, is reported once, with the home page. */
function causeOf(finding: Finding, others: readonly CheckResult[]): string | null {
  const { rule, evidence } = finding;
  const home = others.find(({ id }) => id === 'home')?.findings ?? [];
  if (rule === 'cors') return home.some((one) => one.rule === rule && isOnOneHost(one, finding)) ? 'home/cors' : null;
  if (rule !== 'wrong-setting') return null;
  const isSame = home.some((one) => one.rule === 'wrong-setting' && one.evidence['setting'] === evidence['setting']);
  return isSame ? 'home/wrong-setting' : null;
}

/** The engine makes the menu from the headings of each page. */
type TurnedOff = Gathered & { readonly answer: null; readonly setting: string };

/** The navigation: a Markdown page whose links lead to the site's pages. */
export const navigation = defineCheck<GatheredNavigation | TurnedOff, keyof typeof RULES>({
  id: 'navigation',
  target: 'navigation.md',
  rules: RULES,
  causeOf,
  gather: async (site) => {
    // Begun at once, but not waited for where the site has none.
    const requested = site.file('navigationFile');
    const [engine, own] = await Promise.all([site.engine(), site.engineSettings()]);
    if (own.settings.navigationFile === null)
      return { answer: null, setting: engine.profile.settingNames?.navigationFile ?? 'navigationFile' };
    const named = await requested;
    const isOptional = engine.profile.navigation === 'optional' || own.navigation === 'optional';
    if (isOptional && named.answer.kind === 'reply' && isGone(named.answer))
      return { ...named, optionalFor: engineName(engine) };
    const file = await asEngineReads(await withReason(named, site), site);
    const isBlank = engine.profile.htmlNavigation === 'blank' && !isGone(file.answer);
    if (isBlank && isAbsent(file.answer, file.bundle)) return { ...file, vital: true };
    if (file.answer.kind === 'no-reply' || !Buffer.from(file.answer.body).includes('://')) return file;
    const { findOtherHost } = await import('../../src/site/other-host.ts');
    const otherHost = await findOtherHost(file, site);
    return otherHost === null ? file : { ...file, otherHost };
  },
  async evaluate(gathered, limits) {
    if (gathered.answer === null) return [{ rule: 'off', evidence: { setting: gathered.setting } }];
    const { optionalFor: engine, answer } = gathered;
    if (engine !== undefined) return [{ rule: 'no-file', evidence: { engine, url: answer.requestUrl } }];
    const closed = closedToPage(gathered);
    const { settingName: setting, value = null } = gathered;
    if (closed !== null) return [{ rule: 'cors', evidence: { setting, value, ...closed } }];
    const findings = await explained(gathered, () => evaluate(gathered, limits));
    if (gathered.vital !== true) return findings;
    return findings.map((finding) => ({ ...finding, evidence: { ...finding.evidence, visitors: 'blank' } }));
  },
});

type Rule = PageRule | 'no-links' | 'other-host';

async function evaluate(file: GatheredNavigation, limits: EvaluationLimits): Promise<readonly RawFinding<Rule>[]> {
  const { findings, parsed } = await outlinedPage(file, limits, ['hasContent', 'hasLink']);
  // A page too long to be read whole may have its links further down.
  const noLinks = parsed?.hasContent === true && parsed.whole && !parsed.hasLink;
  return [
    ...findings,
    ...(noLinks ? [{ rule: 'no-links' } as const] : []),
    ...(file.otherHost === undefined ? [] : [{ rule: 'other-host', ...file.otherHost } as const]),
  ];
}
