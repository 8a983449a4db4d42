import type { Answer, Reply } from '../../src/core/answer.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { defineCheck } from '../../src/core/define-check.ts';
import { isOk, mediaTypeOf, redirectEvidence, REPLY_RULES, replyEvidence, usable } from '../../src/expect/reply.ts';
import { BROKEN_PAGE_RULES } from '../../src/site/broken-page.ts';
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
  /** Why it is not the page of the site, or not all of it. */
  readonly broken?: RawFinding<keyof typeof BROKEN_PAGE_RULES>;
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
    const { answer } = file;
    if (file.why !== undefined || !isOk(answer)) return file;
    const broken = await site.brokenPage();
    if (broken !== null) return { ...file, broken };
    // An engine that is loaded by scripts is missing where there is none.
    const isExpected = (await site.engine()).profile.isOwnScript !== undefined;
    if (!isWanted || !(isExpected || hasScript(answer))) return file;
    const { startFindings } = await import('../assets/evaluate.ts');
    const { findings: scripts, isReadable } = await startFindings(site);
    // Visitors read the page without its scripts.
    return { ...file, scripts, ...(isReadable ? { vital: false } : {}) };
  },
  evaluate: (gathered) => explained(gathered, () => [...evaluate(gathered), ...(gathered.scripts ?? [])]),
});

/** How a `<meta>` is written. */
const POLICIES = ['Content-Security-Policy', 'content-security-policy'];
/** Longest beginning of a tag that is searched for an attribute, in bytes. */
const LONGEST_TAG = 2_000;

/**
 * Whether the page loads a script from a file, or may have a policy for its own. Not decoded: what is received instead of a
 * page may be large. Linear.
 */
function hasScript({ body, headers }: Reply): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (headers.get('content-security-policy') !== null || POLICIES.some((name) => bytes.includes(name))) return true;
  return ['<script', '<SCRIPT'].some((tag) => {
    for (let at = bytes.indexOf(tag); at !== -1; at = bytes.indexOf(tag, at + tag.length)) {
      const next = bytes.indexOf('<', at + 1);
      const end = Math.min(next === -1 ? bytes.length : next, at + LONGEST_TAG);
      if (/^[^>]*\ssrc/i.test(bytes.subarray(at, end).toString('latin1'))) return true;
    }
    return false;
  });
}

type Findings = readonly RawFinding<keyof typeof RULES>[];

function evaluate({ answer, broken }: GatheredBundle): Findings {
  if (!isCleanUrl(answer)) return evaluateFile(answer, broken);
  const found = evaluateFile({ ...answer, redirects: [] }, broken);
  return [...found, { rule: 'clean-url', evidence: redirectEvidence(answer) }];
}

/** `/index.html` → `/`, as several hosts have it by default: visitors open `/`, which is the bundle. */
function isCleanUrl({ requestUrl, url, redirects }: Answer): boolean {
  return redirects.length > 0 && url === new URL('./', requestUrl).href;
}

function evaluateFile(answer: Answer, broken: GatheredBundle['broken']): Findings {
  const given = usable(answer);
  if ('finding' in given) return [given.finding];
  const read = readText(given.reply);
  if ('finding' in read) return [read.finding];
  if (!hasHtmlMarkup(read.text)) return [{ rule: 'not-html', evidence: replyEvidence(given.reply) }];
  if (broken !== undefined) return [broken];
  const isHtml = mediaTypeOf(given.reply) === 'text/html';
  return isHtml ? [] : [{ rule: 'media-type', evidence: replyEvidence(given.reply) }];
}
