import { defineCheck } from '../../src/core/define-check.ts';
import type { Answer, Evidence, Reply } from '../../src/core/answer.ts';
import type { EvaluationLimits, NamedFile } from '../../src/site/types.ts';
import type { Gathered } from '../../src/core/gathered.ts';
import type { RawFinding } from '../../src/core/finding.ts';
import { htmlInstead, isFallback, FALLBACK_RULES } from '../../src/expect/fallback.ts';
import { leftover, locatedAt, parseLimit, readText, textOf, TEXT_RULES, unreadFinding } from '../../src/expect/text.ts';
import { isOk, REPLY_RULES, replyEvidence, usable, mediaTypeOf } from '../../src/expect/reply.ts';
import { jsonValue, memberOffset } from '../../src/parse/json.ts';
import { explainUntrusted } from '../../src/parse/untrusted-json.ts';
import { explained, MISSING_FILE_RULES, SERVED_INSTEAD, withReason } from '../../src/site/missing-file.ts';
import { type ConfigurationUse, type Engine, type EngineSettings, LONGEST_PATH } from '../../src/engines/engine.ts';
import { engineName } from '../../src/engines/index.ts';

const UNREADABLE_RULES = {
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
  incomplete: 'error',
  'text-after-end': 'error',
  syntax: 'error',
} as const;

const RULES = {
  ...REPLY_RULES,
  ...MISSING_FILE_RULES,
  ...TEXT_RULES,
  ...FALLBACK_RULES,
  ...UNREADABLE_RULES,
  'parse-limit': 'error',
  'not-object': 'error',
  'setting-type': 'error',
  'duplicate-key': 'warning',
  'byte-order-mark': 'warning',
  'media-type': 'warning',
  'deep-nesting': 'warning',
  'number-range': 'warning',
  'proto-key': 'warning',
  'script-syntax': 'error',
  'script-unread': 'unknown',
  defaults: 'info',
} as const;

type Rule = keyof typeof RULES;

interface GatheredConfig extends Pick<NamedFile, keyof Gathered | 'bundle' | 'why'> {
  readonly engine: Engine;
  /** Why the settings in the bundle cannot be read. */
  readonly problem?: EngineSettings['problem'];
  readonly limit?: EngineSettings['limit'];
}

/** The configuration: strict JSON (RFC 8259) that is an object. Every field is optional. */
export const config = defineCheck<GatheredConfig, Rule>({
  id: 'config',
  target: 'config.json',
  rules: RULES,
  vital: true,
  gather: async (site) => {
    const [bundle, engine, read] = await Promise.all([site.bundle(), site.engine(), site.engineSettings()]);
    const use = useOf(engine);
    if (use === 'bundle') {
      const { problem, limit } = read;
      return { answer: bundle, bundle, engine, ...(problem && { problem }), ...(limit && { limit }) };
    }
    const file = await withReason({ answer: await site.config(), bundle, engine }, site);
    const isOptional = use === 'optional' || (isOk(bundle) && !isReadable(file.answer) && (await site.hasOwnText()));
    return isOptional ? { ...file, vital: false } : file;
  },
  async evaluate(gathered, limits) {
    const { answer, bundle, engine } = gathered;
    if (useOf(engine) === 'bundle') return inBundle(gathered);
    const findings = await explained(gathered, () => evaluate(answer, bundle, limits));
    return findings.map((finding) => withVisitors(finding, engine));
  },
});

/** Longer configurations are evaluated only once. In bytes. */
const LONGEST_TRIED = 64 * 1024;

/** Whether a configuration came. One that is not tried may be one. */
function isReadable(answer: Answer): boolean {
  if (!isOk(answer)) return false;
  return answer.body.length > LONGEST_TRIED || jsonValue(textOf(answer) ?? '').ok;
}

const useOf = ({ profile, version }: Engine): ConfigurationUse => profile.configuration(version);

/** The settings that the bundle itself holds. Whether the bundle comes is the business of its own check. */
function inBundle({ bundle, engine, problem, limit }: GatheredConfig): readonly RawFinding<Rule>[] {
  if (limit !== undefined) return [{ rule: 'script-unread', evidence: { engine: engineName(engine), limit } }];
  const text = textOf(bundle);
  if (text === null || problem === undefined) return [];
  const evidence = { ...problem.evidence, engine: engineName(engine) };
  return [{ rule: 'script-syntax', evidence, ...locatedAt('index.html', text, problem.offset) }];
}

/** What visitors see without the settings, as far as the engine and its version are known. */
function withVisitors(finding: RawFinding<Rule>, engine: Engine): RawFinding<Rule> {
  const { rule, evidence = {} } = finding;
  const isRead = RULES[rule] !== 'error' || rule === 'setting-type';
  if (useOf(engine) !== 'optional') {
    const isUnreadable = Object.hasOwn(UNREADABLE_RULES, rule);
    return isUnreadable ? { ...finding, evidence: { ...evidence, visitors: 'either' } } : finding;
  }
  const named = { ...evidence, engine: engineName(engine) };
  if (SERVED_INSTEAD.has(rule) && named.inSource !== true) return { rule: 'defaults', evidence: named };
  const isKnown = engine.version !== null || engine.profile.configuration('0') === 'optional';
  return { ...finding, evidence: isRead ? named : { ...named, visitors: isKnown ? 'defaults' : 'either' } };
}

async function evaluate(
  answer: Answer,
  bundle: Answer,
  limits: EvaluationLimits,
): Promise<readonly RawFinding<Rule>[]> {
  const given = usable(answer);
  if ('finding' in given) return [given.finding];
  const { reply } = given;
  const read = readText(reply);
  if ('finding' in read) return [read.finding];
  const { text } = read;
  const parsed = jsonValue(text);
  if (!parsed.ok && parsed.excess !== null) {
    const { evidence } = parseLimit(reply, 'memory', limits.parseMs);
    return [located(text, { code: 'parse-limit', offset: parsed.excess }, evidence)];
  }
  const instead = parsed.ok ? null : servedInstead(reply, text, bundle);
  if (instead !== null) return [instead];
  const explanation = await explainUntrusted(text, parsed.ok, { ...limits, limitMs: limits.parseMs });
  if (!explanation.ok) return [unreadFinding(reply, explanation, limits)];
  const remarks = explanation.remarks.map((remark) => located(text, remark));
  if (!parsed.ok) return remarks;
  return [
    ...(read.byteOrderMark ? [{ rule: 'byte-order-mark' } as const] : []),
    ...mediaType(mediaTypeOf(reply)),
    ...shape(parsed.value, text),
    ...remarks,
  ];
}

function servedInstead(reply: Reply, text: string, bundle: Answer): RawFinding<Rule> | null {
  if (isFallback(reply, bundle)) return { rule: 'spa-fallback', evidence: replyEvidence(reply) };
  if (text.trimStart().startsWith('<')) {
    const html = htmlInstead(reply, text, bundle);
    if (html !== null) return html;
  }
  const left = leftover(text);
  return left && { ...left, ...locatedAt('config.json', text, Math.max(0, text.search(/^<{7}(?: |$)/m))) };
}

function mediaType(type: string | null): readonly RawFinding<'media-type'>[] {
  if (type === null || /^(application|text)\/json$|\+json$/.test(type)) return [];
  return [{ rule: 'media-type', evidence: { mediaType: type } }];
}

function shape(value: unknown, text: string): readonly RawFinding<'not-object' | 'setting-type'>[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ rule: 'not-object', evidence: { type: jsonType(value) } }];
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

function located<C extends Rule>(
  text: string,
  { code: rule, offset, ...evidence }: { code: C; offset: number; key?: string; depth?: number; literal?: string },
  more: Evidence = {},
): RawFinding<C> {
  return { rule, evidence: { offset, ...evidence, ...more }, ...locatedAt('config.json', text, offset) };
}
