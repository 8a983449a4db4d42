import type { Answer, Reply } from '../../src/core/answer.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import type { EvaluationLimits, Site } from '../../src/site/types.ts';
import { isFallback } from '../../src/expect/fallback.ts';
import { outlinedPage } from '../../src/expect/page.ts';
import { replyEvidence, usable, mediaTypeOf } from '../../src/expect/reply.ts';
import { locatedAt, parseLimit, readText, shortened, unreadFinding } from '../../src/expect/text.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { jsonValue } from '../../src/parse/json.ts';
import { withinTime } from '../../src/parse/time-limit.ts';
import { explainUntrusted } from '../../src/parse/untrusted-json.ts';
import type { OwnRule } from './check.ts';
import type { Expectation, OwnDefinition, SchemaValidator } from './definition.ts';

export type OwnGathered = Awaited<ReturnType<typeof gather>>;

type OwnFinding = RawFinding<OwnRule>;

/** Larger documents are held against a schema only up to the first error: several cost memory that grows with them. */
const LARGEST_FOR_ALL_ERRORS = 256 * 1024;
/** A search index of ten megabytes has fewer: up to about 130 MiB of memory, and half a second. */
const MOST_VALUES = 8_000_000;
/** A header is at most some kilobytes long: a match that takes longer never ends. */
const LONGEST_MATCH_MS = 250;
/** Nothing else of the run is done meanwhile, so this is less than a parse in a thread of its own may take. */
const LONGEST_SCHEMA_MS = 1_000;

export async function gather({ path, accept, expect }: OwnDefinition, site: Site) {
  const url = new URL(path, site.base);
  const asksForBundle = [site.base.pathname, `${site.base.pathname}index.html`].includes(url.pathname);
  const [answer, bundle] = await Promise.all([
    site.get({
      url,
      accept,
      // A check that expects a redirect is about the redirect, not about its target.
      follow: !expect.status.some((status) => status >= 300 && status <= 399),
      ...(expect.maxDurationMs === null ? {} : { alone: true }),
    }),
    asksForBundle ? null : site.bundle(),
  ]);
  // The bundle shows the host's SPA fallback.
  return { answer, bundle };
}

type Expected = OwnDefinition & OwnGathered & { readonly reply: Reply; readonly limits: EvaluationLimits };

type Findings = Promise<readonly OwnFinding[]>;

export async function evaluate(definition: OwnDefinition, gathered: OwnGathered, limits: EvaluationLimits): Findings {
  const { expect } = definition;
  const { answer, bundle } = gathered;
  if (answer.kind === 'reply' && servedInstead(answer, bundle, expect)) {
    // Whatever status was expected: the host answered for a file that is not there.
    return [{ rule: 'spa-fallback', evidence: replyEvidence(answer) }];
  }
  const given = usable(answer, expect.status);
  if ('finding' in given) return [given.finding];
  const { reply } = given;
  const { mediaTypes: expected, maxDurationMs } = expect;
  const mediaType = mediaTypeOf(reply);
  const isExpected = expected.length === 0 || expected.includes(mediaType ?? '');
  // The timings are read only where they count: they are another with each answer.
  const durationMs = maxDurationMs === null ? 0 : reply.timings.totalMs;
  const isSlow = maxDurationMs !== null && durationMs > maxDurationMs;
  const facts = { ...definition, ...gathered, reply, limits };
  return [
    ...(isExpected ? [] : [{ rule: 'media-type' as const, evidence: { status: reply.status, mediaType, expected } }]),
    ...headers(facts),
    ...(isSlow ? [{ rule: 'too-slow' as const, evidence: { durationMs: Math.round(durationMs), maxDurationMs } }] : []),
    ...(await body(facts)),
  ];
}

function servedInstead(reply: Reply, bundle: Answer | null, expect: Expectation): boolean {
  if (bundle === null || reply.status !== 200 || reply.redirects.length > 0) return false;
  return !expect.mediaTypes.includes('text/html') && isFallback(reply, bundle);
}

function headers({ reply, expect, limits }: Expected): readonly OwnFinding[] {
  return expect.headers.flatMap(({ name, value }): readonly OwnFinding[] => {
    const actual = reply.headers.get(name);
    const evidence = { header: name, expected: shortened(String(value)), actual: actual && shortened(actual) };
    if (actual === null) return [{ rule: 'header', evidence }];
    if (typeof value === 'string') return actual === value.trim() ? [] : [{ rule: 'header', evidence }];
    // The expression is the user's, the value the server's: together they may backtrack for ever.
    const limitMs = Math.min(limits.parseMs, LONGEST_MATCH_MS);
    const matched = withinTime(limitMs, () => value.test(actual));
    if (!matched.done) return [{ rule: 'parse-limit', evidence: { ...evidence, limit: 'time', limitMs } }];
    return matched.value ? [] : [{ rule: 'header', evidence }];
  });
}

async function body(facts: Expected): Findings {
  const { reply, path } = facts;
  const { json, markdown, contains, notContains } = facts.expect;
  if (json === null && !markdown && contains.length === 0 && notContains.length === 0) return [];
  const read = readText(reply);
  if ('finding' in read) return [read.finding];
  const { text } = read;
  return [
    ...(json === null ? [] : await evaluateJson(text, json.schema, facts)),
    ...(markdown ? await evaluateMarkdown(facts) : []),
    ...contains.flatMap((wanted): readonly OwnFinding[] =>
      text.includes(wanted) ? [] : [{ rule: 'contains', evidence: { expected: shortened(wanted) } }],
    ),
    ...notContains.flatMap((unwanted) => forbidden(text, unwanted, path)),
  ];
}

async function evaluateJson(text: string, schema: SchemaValidator | null, facts: Expected): Findings {
  const { reply, path, limits } = facts;
  const parsed = jsonValue(text, MOST_VALUES);
  if (!parsed.ok && parsed.excess !== null) return [parseLimit(reply, 'memory', limits.parseMs)];
  if (!parsed.ok) {
    if (isHtmlDocument(text)) return [{ rule: 'html', evidence: replyEvidence(reply) }];
    const explanation = await explainUntrusted(text, false, { ...limits, limitMs: limits.parseMs });
    if (!explanation.ok) return [unreadFinding(reply, explanation, limits)];
    return explanation.remarks.map(({ code, offset }) => {
      const evidence = { ...replyEvidence(reply), syntax: code };
      return { rule: 'json-syntax', evidence, ...locatedAt(path, text, offset) };
    });
  }
  if (schema === null) return [];
  try {
    const all = text.length <= LARGEST_FOR_ALL_ERRORS;
    const checked = withinTime(Math.min(limits.parseMs, LONGEST_SCHEMA_MS), () => schema(parsed.value, all));
    if (!checked.done) return [parseLimit(reply, 'time', limits.parseMs)];
    const errors = checked.value.map((error) => ({ ...error }));
    return errors.length === 0 ? [] : [{ rule: 'json-schema', evidence: { errors } }];
  } catch (error) {
    // A recursive schema over a value that nests too deep uses up the stack.
    if (error instanceof RangeError) return [parseLimit(reply, 'memory', limits.parseMs)];
    throw error;
  }
}

async function evaluateMarkdown({ reply, bundle, limits }: Expected): Findings {
  // The status was evaluated by what this check expects, the media type likewise: the page only sees the body.
  const answer = { ...reply, status: 200, redirects: [] };
  const page = { answer, bundle: bundle ?? { ...answer, body: new Uint8Array() } };
  const { findings } = await outlinedPage(page, limits);
  return findings.filter(({ rule }) => rule !== 'media-type');
}

function forbidden(text: string, unwanted: string, path: string): readonly OwnFinding[] {
  const offset = text.indexOf(unwanted);
  if (offset === -1) return [];
  return [{ rule: 'not-contains', evidence: { unwanted: shortened(unwanted) }, ...locatedAt(path, text, offset) }];
}
