import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { REPLY_RULES, replyEvidence, usable, mediaTypeOf } from '../../src/expect/reply.ts';
import { readText, TEXT_RULES } from '../../src/expect/text.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { explained, MISSING_FILE_RULES, withReason } from '../../src/site/missing-file.ts';

const RULES = {
  ...REPLY_RULES,
  ...MISSING_FILE_RULES,
  ...TEXT_RULES,
  'media-type': 'error',
  'not-html': 'error',
} as const;

/** The engine bundle: the HTML page that a browser loads and that fetches everything else. */
export const bundle = defineCheck({
  id: 'bundle',
  role: 'bundle',
  target: 'index.html',
  rules: RULES,
  vital: true,
  gather: async (site) => withReason({ answer: await site.bundle() }, site),
  evaluate: (gathered) => explained(gathered, () => evaluate(gathered.answer)),
});

function evaluate(answer: Answer): readonly RawFinding<keyof typeof RULES>[] {
  const given = usable(answer);
  if ('finding' in given) return [given.finding];
  const read = readText(given.reply);
  if ('finding' in read) return [read.finding];
  if (!hasHtmlMarkup(read.text)) return [{ rule: 'not-html', evidence: replyEvidence(given.reply) }];
  const isHtml = mediaTypeOf(given.reply) === 'text/html';
  return isHtml ? [] : [{ rule: 'media-type', evidence: replyEvidence(given.reply) }];
}
