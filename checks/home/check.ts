import type { Answer, Evidence } from '../../src/core/answer.ts';
import { isAbsent } from '../../src/expect/fallback.ts';
import { ACCEPT, candidates } from '../../src/site/settings.ts';
import type { NamedFile, Site } from '../../src/site/types.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { outlinedPage, PAGE_RULES } from '../../src/expect/page.ts';
import { isOk } from '../../src/expect/reply.ts';
import { readText } from '../../src/expect/text.ts';
import { REASONS } from '../../src/http/reasons.ts';
import { asEngineReads, explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';
import { closedToPage, OTHER_ORIGIN_RULES } from '../../src/site/other-origin.ts';

const RULES = { ...PAGE_RULES, ...MISSING_NAMED_RULES, ...OTHER_ORIGIN_RULES, 'cover-missing': 'warning' } as const;

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
    const isBlank = await showsNothing(read, site);
    return { ...read, ...(missingCover === null ? {} : { missingCover }), ...(isBlank ? { vital: true } : {}) };
  },
  async evaluate(file, limits) {
    const closed = closedToPage(file);
    const findings =
      closed === null
        ? await explained(file, async () => (await outlinedPage(file, limits)).findings)
        : [{ rule: 'cors', evidence: closed } as const];
    const named = { setting: file.settingName, value: file.value ?? null, url: file.answer.requestUrl };
    const { missingCover, vital } = file;
    const seen = vital === true ? { visitors: 'blank' } : {};
    return [
      ...findings.map((finding) => ({ ...finding, evidence: { ...named, ...finding.evidence, ...seen } })),
      ...(missingCover === undefined || vital === true
        ? []
        : [{ rule: 'cover-missing', evidence: missingCover } as const]),
    ];
  },
});

/** Settings of docsify without which it finds none of the files that it shows first. */
const OF_ALL: ReadonlySet<unknown> = new Set(['basePath', 'ext', 'coverpage']);

/** Whether visitors see nothing where the home page should be: its engine shows nothing else, or nothing else comes either. */
async function showsNothing(file: GatheredHome, site: Site): Promise<boolean> {
  const { answer, why } = file;
  const [{ profile }, bundle] = await Promise.all([site.engine(), site.bundle()]);
  if (!isOk(bundle)) return false;
  const isAlone = profile.emptyHome === 'blank';
  if (closedToPage(file) !== null) return isAlone;
  if (why?.rule === 'wrong-setting') return isAlone && OF_ALL.has(why.evidence['setting']);
  if (!isWithoutText(answer) || (await site.hasOwnText())) return false;
  return isAlone || isWithoutText((await site.file('navigationFile')).answer);
}

/** Whether a file that may be there is not sent, or not as text; one that is missing is another matter. */
function isWithoutText(answer: Answer): boolean {
  if (answer.kind === 'no-reply') return REASONS[answer.reason] === 'error';
  if (answer.status >= 500) return true;
  const read = isOk(answer) ? readText(answer) : null;
  return read !== null && 'finding' in read && (read.finding.rule === 'empty' || read.finding.rule === 'binary');
}

async function findMissingCover(site: Site): Promise<Evidence | null> {
  const [{ cover }, bundle] = await Promise.all([site.engineSettings(), site.bundle()]);
  const [url] = cover === undefined ? [] : candidates(cover, site.base);
  const answer = url && (await site.get({ url, accept: ACCEPT.fetch }));
  if (answer?.kind !== 'reply' || !isAbsent(answer, bundle)) return null;
  return { setting: 'coverpage', url: answer.requestUrl, status: answer.status };
}
