import type { Evidence } from '../../src/core/answer.ts';
import { isAbsent } from '../../src/expect/fallback.ts';
import { ACCEPT, candidates } from '../../src/site/settings.ts';
import type { NamedFile, Site } from '../../src/site/types.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { outlinedPage, PAGE_RULES } from '../../src/expect/page.ts';
import { asEngineReads, explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';

const RULES = { ...PAGE_RULES, ...MISSING_NAMED_RULES, 'cover-missing': 'warning' } as const;

interface GatheredHome extends NamedFile {
  /** What came instead of a cover. */
  readonly missingCover?: Evidence;
}

/** The home page: the Markdown page that the engine shows first, as the setting `homePage` names it. */
export const home = defineCheck<GatheredHome, keyof typeof RULES>({
  id: 'home',
  target: 'index.md',
  rules: RULES,
  gather: async (site) => {
    const [file, missingCover] = await Promise.all([site.file('homePage'), findMissingCover(site)]);
    const read = await asEngineReads(await withReason(file, site), site);
    return missingCover === null ? read : { ...read, missingCover };
  },
  async evaluate(file, limits) {
    const findings = await explained(file, async () => (await outlinedPage(file, limits)).findings);
    const named = { setting: file.settingName, value: file.value ?? null, url: file.answer.requestUrl };
    const { missingCover } = file;
    return [
      ...findings.map((finding) => ({ ...finding, evidence: { ...finding.evidence, ...named } })),
      ...(missingCover === undefined ? [] : [{ rule: 'cover-missing', evidence: missingCover } as const]),
    ];
  },
});

async function findMissingCover(site: Site): Promise<Evidence | null> {
  const [{ cover }, bundle] = await Promise.all([site.engineSettings(), site.bundle()]);
  const [url] = cover === undefined ? [] : candidates(cover, site.base);
  const answer = url && (await site.get({ url, accept: ACCEPT.fetch }));
  if (answer?.kind !== 'reply' || !isAbsent(answer, bundle)) return null;
  return { setting: 'coverpage', url: answer.requestUrl, status: answer.status };
}
