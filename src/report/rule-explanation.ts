/** The explanation of a rule, for `docvitals explain` and for the documentation: Markdown source. */
import type { Check } from '../core/check.ts';
import type { Finding, Outcome } from '../core/finding.ts';
import { isOutcome } from '../core/verdict.ts';
import type { Messages } from '../locales/messages.ts';
import { blocks, hostList, type Texts } from './texts.ts';
import examples from './evidence-examples.json' with { type: 'json' };
import { factLines } from './facts.ts';
import { shownLocation } from './location.ts';

export type RuledCheck = Pick<Check, 'id' | 'role' | 'rules'>;

/** `reportedBy`: the ids of all checks that report the rule, this one first. */
export interface ExplainedRule {
  readonly check: RuledCheck;
  readonly rule: string;
  readonly reportedBy: readonly string[];
}

/** The first part has no title. */
export interface ExplanationPart {
  readonly kind: 'severity' | 'happened' | 'expects' | 'evidence' | 'fix' | 'verify' | 'turnOff';
  readonly title?: string;
  readonly source: string;
}

/** What one run reported for a rule, recorded by tests. */
type Example = Pick<Finding, 'location' | 'evidence'>;
const EXAMPLES: Readonly<Record<string, Example>> = examples;

const OPTION_OF_ROLE: Readonly<Record<string, string>> = {
  browser: '--browser',
  source: '--source docs',
  version: '--expect-version 3f2a91c',
};

/** The option that a check needs, with an example of its value; empty: none. */
const neededOption = ({ role }: Pick<RuledCheck, 'role'>): string => OPTION_OF_ROLE[role ?? ''] ?? '';

/** Of the same rule in another check where the check has none of its own. */
export function exampleOf({ check, rule, reportedBy }: ExplainedRule): Example | undefined {
  const id = [check.id, ...reportedBy].find((one) => Object.hasOwn(EXAMPLES, `${one}/${rule}`));
  const example = id === undefined ? undefined : EXAMPLES[`${id}/${rule}`];
  // Not which test recorded it.
  return example && { evidence: example.evidence, ...(example.location && { location: example.location }) };
}

/** What a rule declares: the severity of its findings, or without one the outcome of its check. */
export function declarationOf({ rules }: RuledCheck, rule: string) {
  const declared = rules[rule] ?? 'error';
  const isWhole = isOutcome(declared);
  const outcome: { readonly outcome?: Outcome } = isWhole ? { outcome: declared } : {};
  return { severity: isWhole ? null : declared, ...outcome };
}

/** `error`, or `outcome skip`; empty where neither is declared, as of a check. */
export function declaredText(
  { severity, outcome }: Partial<ReturnType<typeof declarationOf>>,
  words: Messages['explain'],
): string {
  return severity ?? (outcome === undefined ? '' : words.ofCheck(outcome));
}

export function verifyCommand(check: RuledCheck): string {
  return `docvitals check https://docs.example.com/ ${neededOption(check)} --only ${check.id}`.replace('  ', ' ');
}

export function explanationOf(
  explained: ExplainedRule,
  texts: Texts,
  { explain: words }: Messages,
): readonly ExplanationPart[] {
  const { check, rule, reportedBy } = explained;
  const { problem = '', fix = '', hosts, more } = texts.finding(check.id, rule) ?? {};
  const [paragraph = ''] = fix.split('\n', 1);
  const { severity, outcome } = declarationOf(check, rule);
  const declared = severity === null ? `${words.outcome} \`${outcome}\`` : `${words.severity} \`${severity}\``;
  const { location, evidence = {} } = exampleOf(explained) ?? {};
  const facts = [...(location ? [shownLocation(location)] : []), ...factLines(evidence, texts.language)];
  const shared =
    reportedBy.length > 1 ? [`${words.reportedBy} ${reportedBy.map((id) => texts.titled(id)).join(', ')}`] : [];
  const evidencePart = { kind: 'evidence', title: words.evidence, source: fenced('text', facts) } as const;
  const turnOff = fenced('yaml', ['# docvitals.yaml', 'rules:', `  ${check.id}/${rule}: off`]);
  return [
    { kind: 'severity', source: blocks([declared, ...shared]) },
    { kind: 'happened', title: words.happened, source: problem },
    { kind: 'expects', title: words.expects, source: texts.check(check.id)?.expected ?? '' },
    ...(facts.length === 0 ? [] : [evidencePart]),
    { kind: 'fix', title: words.fix, source: blocks([paragraph, hosts && hostList(hosts, texts.language), more]) },
    { kind: 'verify', title: words.verify, source: fenced('sh', [verifyCommand(check)]) },
    {
      kind: 'turnOff',
      title: words.turnOff,
      source: outcome === undefined ? turnOff : words.notRated,
    },
  ];
}

const fenced = (language: string, lines: readonly string[]): string =>
  [`\`\`\`${language}`, ...lines, '```'].join('\n');
