import { defineCheck } from '../../src/core/define-check.ts';
import type { EvaluationLimits, Site } from '../../src/site/types.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { beginningOf, hasOwnContent, isAbsent } from '../../src/expect/fallback.ts';
import { ACCEPT } from '../../src/site/settings.ts';
import { interruptedFinding } from '../../src/expect/not-received.ts';
import { TEXT_FILE_RULES, textFile } from '../../src/expect/page.ts';
import { replyEvidence } from '../../src/expect/reply.ts';
import { jsonValue } from '../../src/parse/json.ts';
import { bareUrls } from '../../src/parse/urls.ts';
import { outlineMarkdown } from '../../src/parse/markdown.ts';
import { explained, MISSING_NAMED_RULES, withReason } from '../../src/site/missing-file.ts';
import type { FollowedIndex } from './follow.ts';
import { markedMisread, MISSPELLING_RULES } from '../../src/expect/text.ts';

export const FOLLOWED_RULES = {
  missing: 'error',
  ...MISSPELLING_RULES,
  'broken-page': 'error',
  'local-links': 'error',
  'no-own-links': 'warning',
  'hash-route': 'warning',
  'heading-not-first': 'warning',
  'several-headings': 'warning',
  'no-summary': 'warning',
  'no-sections': 'warning',
  'unlisted-links': 'warning',
  'html-link': 'info',
} as const;

export type FollowedRule = keyof typeof FOLLOWED_RULES | 'git-lfs-pointer' | 'merge-conflict';

const RULES = {
  ...TEXT_FILE_RULES,
  ...MISSING_NAMED_RULES,
  json: 'error',
  // Advice: no index was promised.
  absent: 'info',
  'no-heading': 'warning',
  'no-links': 'warning',
  ...FOLLOWED_RULES,
  off: 'skip',
} as const;

type Rule = keyof typeof RULES;

/** The agent index (llmstxt.org): a plain-text list of the documentation's pages. */
export const llmsTxt = defineCheck<FollowedIndex | (Gathered & { readonly answer: null }), Rule>({
  id: 'llms-txt',
  target: 'llms.txt',
  rules: RULES,
  async gather(site) {
    // Begun at once, but not waited for where the site has no index.
    const file = site.file('llmsTxtUrl');
    const { llmsTxtUrl } = await site.settings();
    if (llmsTxtUrl === null) return { answer: null };
    const requested = await file;
    const found = await withReason({ ...requested, answer: markedMisread(requested.answer) }, site);
    const isExplained = (found.why?.rule ?? null) !== null;
    if (!isExplained && (await isUndeclared(found, site))) return { ...found, isUndeclared: true };
    if (!site.requested.full || found.why !== undefined) return found;
    const { followIndex } = await import('./follow.ts');
    return followIndex(found, site);
  },
  async evaluate(gathered, limits) {
    if (gathered.answer === null) return [{ rule: 'off', evidence: { setting: 'llmsTxtUrl', value: null } }];
    if (gathered.isUndeclared === true) return [{ rule: 'absent', evidence: { url: gathered.answer.requestUrl } }];
    return explained(gathered, () => evaluate(gathered, limits));
  },
});

/** Whether an index is missing that neither the engine nor the configuration nor `robots.txt` declares. */
async function isUndeclared({ answer, bundle, missing }: FollowedIndex, site: Site): Promise<boolean> {
  const [{ profile }, { llmsTxtUrl }] = await Promise.all([site.engine(), site.settings()]);
  if (profile.llmsTxt === 'required' || llmsTxtUrl !== undefined) return false;
  if (missing !== true && !isAbsent(answer, bundle)) return false;
  const robots = await site.get({ url: new URL('/robots.txt', site.base), accept: ACCEPT.fetch });
  return !hasOwnContent(robots, bundle) || !/llms(?:-full)?\.txt/i.test(beginningOf(robots.body));
}

async function evaluate(gathered: FollowedIndex, limits: EvaluationLimits): Promise<readonly RawFinding<Rule>[]> {
  const file = textFile(gathered.answer, gathered.bundle);
  if (file.text === null) return file.findings;
  if (gathered.missing === true) return [{ rule: 'not-found', evidence: replyEvidence(file.reply) }];
  // JSON instead of the index: an object or an array, as an API or an error handler would send.
  if (/^\s*[[{]/.test(file.text) && jsonValue(file.text).ok)
    return [{ rule: 'json', evidence: replyEvidence(file.reply) }];
  const { followed } = gathered;
  const ended = gathered.ended === true ? [interruptedFinding(limits.signal?.reason)] : [];
  const advised = ended.length > 0 ? ended : await advice(file.text, limits);
  if (followed === undefined) return [...file.findings, ...advised];
  const { followedFindings } = await import('./follow.ts');
  return [...file.findings, ...advised, ...followedFindings(file.text, followed)];
}

async function advice(text: string, limits: EvaluationLimits): Promise<readonly RawFinding<Rule>[]> {
  const { parseMs: limitMs, signal } = limits;
  const outline = await outlineMarkdown(text, { limitMs, signal }, ['hasTitle', 'hasLink']);
  if (!outline.ok) return outline.limit === 'ended' ? [interruptedFinding(limits.signal?.reason)] : [];
  if (!outline.whole) return [];
  const hasUrl = outline.hasLink || bareUrls(text, 1).length > 0;
  return [
    ...(outline.hasTitle ? [] : [{ rule: 'no-heading' } as const]),
    ...(hasUrl ? [] : [{ rule: 'no-links' } as const]),
  ];
}
