import { defineCheck, type Draft, type Gathered, type JudgeLimits } from '../../src/check.ts';
import { endedDraft } from '../../src/expect/ended-run.ts';
import { TEXT_FILE_CODES, textFile } from '../../src/expect/page.ts';
import { replyEvidence } from '../../src/expect/reply.ts';
import { parseJson } from '../../src/parse/json.ts';
import { bareUrls, parseMarkdown, type MarkdownFacts, type MarkdownLimit } from '../../src/parse/markdown.ts';
import { explained, MISSING_NAMED_CODES, withReason } from '../../src/site/missing-file.ts';
import { FOLLOWED_CODES } from './codes.ts';
import type { FollowedIndex } from './follow.ts';

const CODES = {
  ...TEXT_FILE_CODES,
  ...MISSING_NAMED_CODES,
  json: 'error',
  'no-heading': 'warning',
  'no-links': 'warning',
  ...FOLLOWED_CODES,
  off: 'skip',
} as const;

type Code = keyof typeof CODES;

/** The configuration says that the site has no agent index. */
interface TurnedOff extends Gathered {
  readonly answer: null;
}

/** The agent index (llmstxt.org): a plain-text list of the documentation's pages. */
export const llmsTxt = defineCheck<FollowedIndex | TurnedOff, Code>({
  id: 'llms-txt',
  target: 'llms.txt',
  codes: CODES,
  async gather(site) {
    // Begun at once, but not waited for where the site has no index.
    const file = site.file('llmsTxtUrl');
    const { llmsTxtUrl } = await site.settings();
    if (llmsTxtUrl === null) return { answer: null };
    const found = await withReason(await file, site);
    if (!site.wants.full || found.why !== undefined) return found;
    const { followIndex } = await import('./follow.ts');
    return followIndex(found, site);
  },
  async judge(gathered, limits) {
    if (gathered.answer === null) return [{ code: 'off', evidence: { setting: 'llmsTxtUrl', value: null } }];
    return explained(gathered, () => judge(gathered, limits));
  },
});

async function judge(gathered: FollowedIndex, limits: JudgeLimits): Promise<readonly Draft<Code>[]> {
  const file = textFile(gathered.answer, gathered.bundle);
  if (file.text === null) return file.drafts;
  if (gathered.missing === true) return [{ code: 'not-found', evidence: replyEvidence(file.reply) }];
  if (isJson(file.text)) return [{ code: 'json', evidence: replyEvidence(file.reply) }];
  const { followed } = gathered;
  const ended = gathered.ended === true ? [endedDraft(limits.signal)] : [];
  if (followed === undefined) return [...file.drafts, ...(ended.length > 0 ? ended : await advice(file.text, limits))];
  const { followedDrafts, layoutDrafts } = await import('./follow.ts');
  return [
    ...file.drafts,
    ...ended,
    ...missingParts(file.text, followed.facts),
    ...followedDrafts(followed),
    ...layoutDrafts(file.text, followed),
  ];
}

/** JSON text in place of the index: an object or an array, as an API or an error handler would send. */
function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text).ok;
}

/** What the llms.txt proposal asks for beyond plain text; a file that cannot be parsed in time earns no advice. */
async function advice(text: string, limits: JudgeLimits): Promise<readonly Draft<Code>[]> {
  const { parseMs: limitMs, signal } = limits;
  const parsed = await parseMarkdown(text, { limitMs, signal, enough: ['title', 'link'] });
  if (!parsed.ok && parsed.limit === 'ended') return [endedDraft(limits.signal)];
  return missingParts(text, parsed);
}

function missingParts(text: string, parsed: MarkdownFacts | MarkdownLimit): readonly Draft<Code>[] {
  if (!parsed.ok || !parsed.whole) return [];
  const heading = parsed.headings.some(({ depth }) => depth === 1);
  const links = parsed.links.some(({ kind }) => kind !== 'image') || bareUrls(text).length > 0;
  return [...(heading ? [] : [{ code: 'no-heading' } as const]), ...(links ? [] : [{ code: 'no-links' } as const])];
}
