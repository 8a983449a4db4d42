import { defineCheck, type Answer, type Draft, type Gathered } from '../../src/check.ts';
import { htmlInPlace, isFallback, FALLBACK_CODES } from '../../src/expect/fallback.ts';
import { mediaTypeOf } from '../../src/expect/media-type.ts';
import { REPLY_CODES, replyEvidence, usable } from '../../src/expect/reply.ts';
import { readText, TEXT_CODES } from '../../src/expect/text.ts';
import { parseJson } from '../../src/parse/json.ts';
import { excerpt, position } from '../../src/parse/position.ts';

const CODES = {
  ...REPLY_CODES,
  ...TEXT_CODES,
  ...FALLBACK_CODES,
  'trailing-comma': 'error',
  'unclosed-string': 'error',
  comment: 'error',
  'single-quotes': 'error',
  'unquoted-key': 'error',
  'missing-comma': 'error',
  'not-a-number': 'error',
  'cut-short': 'error',
  'text-after-end': 'error',
  syntax: 'error',
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
}

/** The configuration: strict JSON (RFC 8259) that is an object. Every field is optional. */
export const config = defineCheck<GatheredConfig, Code>({
  id: 'config',
  target: 'config.json',
  codes: CODES,
  gather: async (site) => {
    const [answer, bundle] = await Promise.all([site.config(), site.bundle()]);
    return { answer, bundle };
  },
  judge: ({ answer, bundle }) => Promise.resolve(judge(answer, bundle)),
});

function judge(answer: Answer, bundle: Answer): readonly Draft<Code>[] {
  const given = usable(answer);
  if ('draft' in given) return [given.draft];
  const { reply } = given;
  const read = readText(reply);
  if ('draft' in read) return [read.draft];
  if (isFallback(reply, bundle)) return [{ code: 'spa-fallback', evidence: replyEvidence(reply) }];
  const parsed = parseJson(read.text);
  if (!parsed.ok) {
    const html = read.text.trimStart().startsWith('<') ? htmlInPlace(reply, read.text, bundle) : null;
    return [html ?? located(read.text, parsed.problem)];
  }
  return [
    ...(read.byteOrderMark ? [{ code: 'byte-order-mark' } as const] : []),
    ...mediaType(mediaTypeOf(reply)),
    ...shape(parsed.value),
    ...parsed.notes.map((note) => located(read.text, note)),
  ];
}

function mediaType(type: string | null): readonly Draft<'media-type'>[] {
  if (type === null || /^(application|text)\/json$|\+json$/.test(type)) return [];
  return [{ code: 'media-type', evidence: { mediaType: type } }];
}

/** The settings that docvitals and the engines rely on, where they are set. */
function shape(value: unknown): readonly Draft<'not-object' | 'setting-type'>[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ code: 'not-object', evidence: { type: jsonType(value) } }];
  }
  return (['homePage', 'navigationFile', 'llmsTxtUrl'] as const).flatMap((setting) => {
    if (!Object.hasOwn(value, setting)) return [];
    const set = (value as Record<string, unknown>)[setting];
    if (typeof set === 'string' || (set === null && setting === 'llmsTxtUrl')) return [];
    return [{ code: 'setting-type', evidence: { setting, type: jsonType(set) } } as const];
  });
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function located<C extends Code>(
  text: string,
  { code, offset, ...evidence }: { code: C; offset: number; key?: string; depth?: number; literal?: string },
): Draft<C> {
  const at = position(text, offset);
  return {
    code,
    evidence: { offset, ...evidence },
    location: { path: 'config.json', ...at },
    excerpt: excerpt(text, at.line, 1, at.column),
  };
}
