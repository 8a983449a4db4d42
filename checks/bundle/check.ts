import type { Answer } from '../../src/core/answer.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { isOk, mediaTypeOf, redirectEvidence, REPLY_RULES, replyEvidence, usable } from '../../src/expect/reply.ts';
import { BROKEN_PAGE_RULES, brokenPageIn } from '../../src/site/broken-page.ts';
import { readText, TEXT_RULES } from '../../src/expect/text.ts';
import { hasHtmlMarkup } from '../../src/parse/html.ts';
import { explained, MISSING_FILE_RULES, withReason, type WhyMissing } from '../../src/site/missing-file.ts';
import { START_RULES, type StartRule } from '../assets/rules.ts';

const RULES = {
  ...REPLY_RULES,
  ...MISSING_FILE_RULES,
  ...TEXT_RULES,
  'media-type': 'error',
  'not-html': 'error',
  ...BROKEN_PAGE_RULES,
  'clean-url': 'info',
  ...START_RULES,
  'git-lfs-pointer': 'error',
} as const;

interface GatheredBundle extends Gathered {
  readonly answer: Answer;
  readonly why?: WhyMissing;
  /** What is wrong with the scripts that the page cannot start without. */
  readonly scripts?: readonly RawFinding<StartRule>[];
}

/** The engine bundle: the HTML page that a browser loads and that fetches everything else. */
export const bundle = defineCheck<GatheredBundle, keyof typeof RULES>({
  id: 'bundle',
  role: 'bundle',
  target: 'index.html',
  rules: RULES,
  vital: true,
  gather: async (site) => {
    const file: GatheredBundle = await withReason({ answer: await site.bundle() }, site);
    const isWanted = site.requested.full || site.requested.scripts;
    if (file.why !== undefined || !isWanted || !hasScript(file.answer)) return file;
    if ((await site.brokenPage()) !== null) return file;
    const { startFindings } = await import('../assets/evaluate.ts');
    const { findings: scripts, isReadable } = await startFindings(site);
    // Visitors read the page without its scripts.
    return { ...file, scripts, ...(isReadable ? { vital: false } : {}) };
  },
  evaluate: (gathered) => explained(gathered, () => [...evaluate(gathered.answer), ...(gathered.scripts ?? [])]),
});

/** How a `<meta>` is written. */
const POLICIES = ['Content-Security-Policy', 'content-security-policy'];
/** A page with such settings loads an engine, or should. */
const SETTINGS = '$docsify';
/** Longest beginning of a tag that is searched for an attribute, in bytes. */
const LONGEST_TAG = 2_000;

/**
 * Whether the page loads a script from a file, or may have a policy for its own. Not decoded: what is received instead of a
 * page may be large.
 */
function hasScript(answer: Answer): boolean {
  if (!isOk(answer)) return false;
  const { body, headers } = answer;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (headers.get('content-security-policy') !== null || [...POLICIES, SETTINGS].some((name) => bytes.includes(name)))
    return true;
  return ['<script', '<SCRIPT'].some((tag) => {
    for (let at = bytes.indexOf(tag); at !== -1; at = bytes.indexOf(tag, at + tag.length)) {
      if (/^[^>]*\ssrc/i.test(bytes.subarray(at, at + LONGEST_TAG).toString('latin1'))) return true;
    }
    return false;
  });
}

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
  const broken = brokenPageIn(read.text);
  if (broken !== null) return [broken];
  const isHtml = mediaTypeOf(given.reply) === 'text/html';
  return isHtml ? [] : [{ rule: 'media-type', evidence: replyEvidence(given.reply) }];
}
