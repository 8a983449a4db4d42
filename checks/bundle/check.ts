import { defineCheck, type Answer, type Draft, type Gathered } from '../../src/check.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { REPLY_CODES, replyEvidence, usable } from '../../src/expect/reply.ts';
import { readText, TEXT_CODES } from '../../src/expect/text.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { explained, MISSING_FILE_CODES, withReason, type WhyMissing } from '../../src/site/missing-file.ts';

const CODES = {
  ...REPLY_CODES,
  ...MISSING_FILE_CODES,
  ...TEXT_CODES,
  'media-type': 'error',
  'not-html': 'error',
} as const;

interface GatheredBundle extends Gathered {
  readonly answer: Answer;
  readonly why?: WhyMissing;
}

/** The engine bundle: the HTML page that a browser loads and that fetches everything else. */
export const bundle = defineCheck<GatheredBundle, keyof typeof CODES>({
  id: 'bundle',
  target: 'index.html',
  codes: CODES,
  vital: true,
  gather: async (site) => withReason({ answer: await site.bundle() }, site),
  judge: (gathered) => explained(gathered, () => Promise.resolve(judge(gathered.answer))),
});

function judge(answer: Answer): readonly Draft<keyof typeof CODES>[] {
  const given = usable(answer);
  if ('draft' in given) return [given.draft];
  const read = readText(given.reply);
  if ('draft' in read) return [read.draft];
  if (!hasHtmlMarkup(read.text)) return [{ code: 'not-html', evidence: replyEvidence(given.reply) }];
  const isHtml = mediaTypeOf(given.reply) === 'text/html';
  return isHtml ? [] : [{ code: 'media-type', evidence: replyEvidence(given.reply) }];
}
