import type { Answer } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { redirectEvidence, REPLY_RULES, replyEvidence, usable, mediaTypeOf } from '../../src/expect/reply.ts';
import { readText, TEXT_RULES } from '../../src/expect/text.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { explained, MISSING_FILE_RULES, withReason } from '../../src/site/missing-file.ts';

const RULES = {
  ...REPLY_RULES,
  ...MISSING_FILE_RULES,
  ...TEXT_RULES,
  'media-type': 'error',
  'not-html': 'error',
  'clean-url': 'info',
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

type Findings = readonly RawFinding<keyof typeof RULES>[];

function evaluate(answer: Answer): Findings {
  if (!isCleanUrl(answer)) return evaluateFile(answer);
  const found = evaluateFile({ ...answer, redirects: [] });
  return [...found, { rule: 'clean-url', evidence: redirectEvidence(answer) }];
}

/** `/index.html` → `/`, as several hosts have it by default: visitors open `/`, which is the bundle. */
function isCleanUrl({ requestUrl, url, redirects }: Answer): boolean {
  return redirects.length > 0 && url === new URL('./', requestUrl).href;
}

function evaluateFile(answer: Answer): Findings {
  const given = usable(answer);
  if ('finding' in given) return [given.finding];
  const read = readText(given.reply);
  if ('finding' in read) return [read.finding];
  if (!hasHtmlMarkup(read.text)) return [{ rule: 'not-html', evidence: replyEvidence(given.reply) }];
  const isHtml = mediaTypeOf(given.reply) === 'text/html';
  return isHtml ? [] : [{ rule: 'media-type', evidence: replyEvidence(given.reply) }];
}
