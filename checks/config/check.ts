import {
  defineCheck,
  type Answer,
  type Draft,
  type Evidence,
  type Gathered,
  type JudgeLimits,
  type Reply,
} from '../../src/check.ts';
import { htmlInPlace, isFallback, FALLBACK_CODES } from '../../src/expect/fallback.ts';
import { leftover } from '../../src/expect/leftovers.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { REPLY_CODES, replyEvidence, usable } from '../../src/expect/reply.ts';
import { readText, TEXT_CODES } from '../../src/expect/text.ts';
import { jsonNotes, type JsonNote } from '../../src/parse/json-notes.ts';
import { memberOffset, parseJson, type ParsedJson } from '../../src/parse/json.ts';
import { excerpt, position, type Position } from '../../src/parse/position.ts';
import { withinTime } from '../../src/parse/time-limit.ts';
import { explained, MISSING_FILE_CODES, withReason, type WhyMissing } from '../../src/site/missing-file.ts';
import { LONGEST_PATH } from '../../src/site/settings.ts';

const CODES = {
  ...REPLY_CODES,
  ...MISSING_FILE_CODES,
  ...TEXT_CODES,
  ...FALLBACK_CODES,
  'git-lfs-pointer': 'error',
  'merge-conflict': 'error',
  'trailing-comma': 'error',
  'unclosed-string': 'error',
  comment: 'error',
  'single-quotes': 'error',
  'unquoted-key': 'error',
  'missing-comma': 'error',
  'control-character': 'error',
  'not-a-number': 'error',
  'cut-short': 'error',
  'text-after-end': 'error',
  syntax: 'error',
  'parse-limit': 'error',
  'not-object': 'error',
  'setting-type': 'error',
  'duplicate-key': 'warning',
  'byte-order-mark': 'warning',
  'media-type': 'warning',
  'deep-nesting': 'warning',
  'number-range': 'warning',
  'proto-key': 'warning',
} as const;

type Code = keyof typeof CODES;

interface GatheredConfig extends Gathered {
  readonly answer: Answer;
  readonly bundle: Answer;
  readonly why?: WhyMissing;
}

/** The configuration: strict JSON (RFC 8259) that is an object. Every field is optional. */
export const config = defineCheck<GatheredConfig, Code>({
  id: 'config',
  target: 'config.json',
  codes: CODES,
  vital: true,
  gather: async (site) => {
    const [answer, bundle] = await Promise.all([site.config(), site.bundle()]);
    return withReason({ answer, bundle }, site);
  },
  judge: (gathered, limits) =>
    explained(gathered, () => Promise.resolve(judge(gathered.answer, gathered.bundle, limits))),
});

/** Longer texts (UTF-16 code units) may take longer than a moment. */
const LARGEST_ORDINARY = 256 * 1024;

function judge(answer: Answer, bundle: Answer, { parseMs }: JudgeLimits): readonly Draft<Code>[] {
  const given = usable(answer);
  if ('draft' in given) return [given.draft];
  const { reply } = given;
  const read = readText(reply);
  if ('draft' in read) return [read.draft];
  const parsing = (): ParsedJson & { readonly notes: readonly JsonNote[] } => {
    const result = parseJson(read.text);
    return { ...result, notes: result.ok ? jsonNotes(read.text) : [] };
  };
  const limited =
    read.text.length <= LARGEST_ORDINARY ? ({ done: true, value: parsing() } as const) : withinTime(parseMs, parsing);
  if (!limited.done)
    return [{ code: 'parse-limit', evidence: { ...replyEvidence(reply), limit: 'time', limitMs: parseMs } }];
  const parsed = limited.value;
  if (!parsed.ok && parsed.problem.code === 'parse-limit')
    return [located(read.text, parsed.problem, { ...replyEvidence(reply), limit: 'memory', limitMs: parseMs })];
  if (!parsed.ok) return [inPlace(reply, read.text, bundle) ?? located(read.text, parsed.problem)];
  return [
    ...(read.byteOrderMark ? [{ code: 'byte-order-mark' } as const] : []),
    ...mediaType(mediaTypeOf(reply)),
    ...shape(parsed.value, read.text),
    ...parsed.notes.map((note) => located(read.text, note)),
  ];
}

/** What came in place of JSON, where it is something that has a name. */
function inPlace(reply: Reply, text: string, bundle: Answer): Draft<Code> | null {
  if (isFallback(reply, bundle)) return { code: 'spa-fallback', evidence: replyEvidence(reply) };
  if (text.trimStart().startsWith('<')) {
    const html = htmlInPlace(reply, text, bundle);
    if (html !== null) return html;
  }
  const left = leftover(text);
  const line = left?.evidence?.['line'];
  return left === null || typeof line !== 'number' ? left : { ...left, ...placeIn(text, { line, column: 1 }) };
}

function mediaType(type: string | null): readonly Draft<'media-type'>[] {
  if (type === null || /^(application|text)\/json$|\+json$/.test(type)) return [];
  return [{ code: 'media-type', evidence: { mediaType: type } }];
}

/** The settings that docvitals and the engines rely on, where they are set. */
function shape(value: unknown, text: string): readonly Draft<'not-object' | 'setting-type'>[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ code: 'not-object', evidence: { type: jsonType(value) } }];
  }
  return (['homePage', 'navigationFile', 'llmsTxtUrl'] as const).flatMap((setting) => {
    if (!Object.hasOwn(value, setting)) return [];
    const set = (value as Record<string, unknown>)[setting];
    if ((typeof set === 'string' && set.length <= LONGEST_PATH) || (set === null && setting === 'llmsTxtUrl'))
      return [];
    const offset = memberOffset(text, setting);
    return [located(text, { code: 'setting-type', offset }, { setting, type: jsonType(set) })];
  });
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function located<C extends Code>(
  text: string,
  { code, offset, ...evidence }: { code: C; offset: number; key?: string; depth?: number; literal?: string },
  more: Evidence = {},
): Draft<C> {
  const at = position(text, offset);
  return {
    code,
    evidence: { offset, ...evidence, ...more },
    ...placeIn(text, at),
  };
}

function placeIn(text: string, at: Position): Pick<Draft, 'location' | 'excerpt'> {
  return { location: { path: 'config.json', ...at }, excerpt: excerpt(text, at.line, 1, at.column) };
}
