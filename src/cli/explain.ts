import { nearest } from '../config/nearest.ts';
import type { Check, Evidence, Location, Severity } from '../check.ts';
import { factLines, locationText } from '../report/facts.ts';
import examples from './evidence-examples.json' with { type: 'json' };
import { explanation } from '../report/style.ts';
import { writeOut, writeShown } from '../output.ts';
import { findCheck } from '../project/run-options.ts';
import { neededOption } from './needed-option.ts';
import { loadSettings, textsFor, type ProjectFlags } from '../project/settings.ts';
import { hostList, type Language, type Texts } from '../texts.ts';
import { columnsOf, wantsColour } from './terminal.ts';
import { inLanguage, UsageError, echoed } from '../project/usage-error.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';

type ExplainFlags = ProjectFlags & { readonly color: boolean; readonly format?: 'text' | 'json' };

/** What is to be explained: a whole check, or one rule and the checks that report it, the requested one first. */
interface Subject {
  readonly check: Check;
  readonly rule: string | null;
  readonly reportedBy: readonly string[];
}

/** Runs `docvitals explain <check>`, `<check>/<rule>` or `<rule>`; resolves with the exit status. */
export async function explain(given: string, flags: ExplainFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const subject = await inLanguage(settings.language, () => subjectOf(given, settings.checks));
  const texts = await textsFor(settings);
  const messages = messagesIn(settings.language);
  if (flags.format === 'json') {
    await writeOut(`${JSON.stringify(documentOf(subject, texts), null, 2)}\n`);
    return 0;
  }
  const { check, rule } = subject;
  const source = rule === null ? checkPage(check, texts, messages) : rulePage({ ...subject, rule }, texts, messages);
  const colour = wantsColour(process.stdout, env, flags.color);
  await writeShown(explanation(source, columnsOf(process.stdout, env), colour));
  return 0;
}

/** Throws a `UsageError` for a check or a rule that does not exist. */
function subjectOf(given: string, checks: readonly Check[]): Subject {
  const [id = '', rule] = given.split('/');
  const reporters = checks.filter(({ rules }) => Object.hasOwn(rules, rule ?? id));
  const [first] = reporters;
  const reportedBy = reporters.map((check) => check.id);
  const isCheck = checks.some((check) => check.id === id);
  if (rule === undefined && !isCheck && first !== undefined) return { check: first, rule: id, reportedBy };
  const check = findCheck(checks, id, 'explain');
  if (rule === undefined) return { check, rule: null, reportedBy: [] };
  if (Object.hasOwn(check.rules, rule)) return { check, rule, reportedBy };
  const rules = Object.keys(check.rules);
  const guess = nearest(rule, rules) ?? null;
  throw new UsageError((messages) => messages.unknownCode(id, echoed(rule), rules.join(', '), guess));
}

/** What one run reported for a rule. Tests hold the examples against what the command reports. */
interface Example {
  readonly location?: Location;
  readonly evidence: Evidence;
}
const EXAMPLES: Readonly<Record<string, Example>> = examples;

/** The example of a check's rule, else of the same rule in another check; `undefined` where none was recorded. */
function exampleOf({ check, rule, reportedBy }: Subject): Example | undefined {
  const id = [check.id, ...reportedBy].find((one) => Object.hasOwn(EXAMPLES, `${one}/${rule}`));
  return id === undefined ? undefined : EXAMPLES[`${id}/${rule}`];
}

function exampleLines({ location, evidence }: Example, language: Language): readonly string[] {
  return [...(location === undefined ? [] : [locationText(location)]), ...factLines(evidence, language)];
}

const severityOf = ({ rules }: Check, rule: string): Severity => rules[rule] ?? 'error';

/** Rules that report no fault cannot be turned off. */
const isRated = (severity: Severity): boolean => severity !== 'skip' && severity !== 'unknown';

/** The page of a check, and the list of its rules with those that it shares with others. */
function checkPage(check: Check, texts: Texts, { explain: words }: Messages): string {
  const rules = Object.keys(check.rules).map((rule) => {
    const text = texts.finding(check.id, rule)?.problem ?? '';
    const problem = /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
    return `- \`${check.id}/${rule}\` (${severityOf(check, rule)}): ${problem}`;
  });
  return `${texts.page(check.id) ?? ''}\n## ${words.rules}\n\n${rules.join('\n')}\n`;
}

function rulePage(
  { check, rule, reportedBy }: Subject & { readonly rule: string },
  texts: Texts,
  { explain: words }: Messages,
): string {
  const { problem = '', fix = '', hosts, more } = texts.finding(check.id, rule) ?? {};
  const [paragraph = ''] = fix.split('\n', 1);
  const severity = severityOf(check, rule);
  const shared = reportedBy.length > 1 ? [`${words.reportedBy} ${reportedBy.join(', ')}`] : [];
  const turnOff = ['```yaml', '# docvitals.yaml', 'rules:', `  ${check.id}/${rule}: off`, '```'].join('\n');
  const example = exampleOf({ check, rule, reportedBy });
  const facts = example === undefined ? [] : exampleLines(example, texts.language);
  return `${[
    `# ${check.id}/${rule}`,
    `${words.severity} \`${severity}\``,
    ...shared,
    `## ${words.happened}`,
    problem,
    `## ${words.matters}`,
    texts.check(check.id)?.expected ?? '',
    ...(facts.length === 0 ? [] : [`## ${words.evidence}`, ['```text', ...facts, '```'].join('\n')]),
    `## ${words.fix}`,
    paragraph,
    ...(hosts === undefined ? [] : [hostList(hosts)]),
    ...(more === undefined ? [] : [more]),
    `## ${words.verify}`,
    [
      '```sh',
      `docvitals check https://docs.example.com/ ${neededOption(check)} --only ${check.id}`.replace('  ', ' '),
      '```',
    ].join('\n'),
    `## ${words.turnOff}`,
    isRated(severity) ? turnOff : words.notRated,
  ].join('\n\n')}\n`;
}

/** The same for programs. */
function documentOf({ check, rule, reportedBy }: Subject, texts: Texts): object {
  const ruleOf = (name: string): object => ({
    rule: `${check.id}/${name}`,
    severity: severityOf(check, name),
    ...texts.finding(check.id, name),
  });
  const { title = check.id, expected = '', degraded } = texts.check(check.id) ?? {};
  const page = { check: check.id, title, expected, ...(degraded === undefined ? {} : { degraded }) };
  if (rule === null) return { ...page, rules: Object.keys(check.rules).map(ruleOf) };
  const example = exampleOf({ check, rule, reportedBy });
  return { ...page, ...ruleOf(rule), ...(example === undefined ? {} : { example }), reportedBy };
}
