import { env } from 'node:process';
import type { Flags } from './commands.ts';
import type { Check } from '../core/check.ts';
import {
  declarationOf,
  declaredText,
  exampleOf,
  explanationOf,
  type ExplainedRule,
} from '../report/rule-explanation.ts';
import { explanation } from '../report/terminal.ts';
import { jsonDocument, writeOut, writeShown } from '../text/output.ts';
import { knownWord, someOf } from '../options/arguments.ts';
import { findCheck } from '../options/run-options.ts';
import { loadSettings, textsFor } from '../options/settings.ts';
import { firstSentence, type Texts } from '../report/texts.ts';
import { columnsOf, wantsColour } from '../options/process.ts';
import { table } from '../text/width.ts';
import { printable } from '../text/printable.ts';
import { messagesIn, type Messages } from '../locales/messages.ts';

type Subject = ReturnType<typeof subjectOf>;

/** `given`: a check or a rule; without it, all of them are listed. */
export async function explain(given: string | undefined, flags: Flags<'explain'>): Promise<void> {
  const settings = await loadSettings(flags, env);
  if (given === undefined)
    return listAll(settings.checks, await textsFor(settings), flags.format, messagesIn(settings.language));
  const subject = subjectOf(given, settings.checks);
  const texts = await textsFor(settings);
  const messages = messagesIn(settings.language);
  if (flags.format === 'json') {
    await writeOut(jsonDocument(documentOf(subject, texts)));
    return;
  }
  const { check, rule } = subject;
  const source = rule === null ? checkPage(check, texts, messages) : rulePage({ ...subject, rule }, texts, messages);
  const colour = wantsColour(process.stdout, env, flags.color);
  await writeShown(explanation(source, columnsOf(process.stdout, env), colour));
}

/**
 * What is to be explained: a whole check, or one rule and the checks that report it. Throws a `UsageError` for a check or
 * a rule that does not exist.
 */
function subjectOf(given: string, checks: readonly Check[]) {
  const [id = '', rule] = given.split('/');
  const reporters = checks.filter(({ rules }) => Object.hasOwn(rules, rule ?? id));
  const [first] = reporters;
  const reportedBy = reporters.map((check) => check.id);
  const isCheck = checks.some((check) => check.id === id);
  if (rule === undefined && !isCheck && first !== undefined) return { check: first, rule: id, reportedBy };
  const check = rule === undefined ? namedCheck(checks, id) : findCheck(checks, id, 'explain');
  if (rule === undefined) return { check, rule: null, reportedBy: [] };
  const rules = Object.keys(check.rules);
  // All of them: the first ones are those that all checks share.
  knownWord(rule, rules, (messages, name, _some, guess) => messages.unknownCode(id, name, rules.join(', '), guess));
  return { check, rule, reportedBy };
}

function checkPage(check: Check, texts: Texts, { explain: words }: Messages): string {
  const rules = Object.keys(check.rules).map((rule) => {
    const problem = firstSentence(texts.finding(check.id, rule)?.problem ?? '');
    return `- \`${check.id}/${rule}\` (${declaredText(declarationOf(check, rule), words)}): ${problem}`;
  });
  return `${texts.page(check.id) ?? ''}\n## ${words.rules}\n\n${rules.join('\n')}\n`;
}

function rulePage(explained: ExplainedRule, texts: Texts, messages: Messages): string {
  const parts = explanationOf(explained, texts, messages).map(({ title, source }) =>
    title === undefined ? source : `## ${title}\n\n${source}`,
  );
  return `${[`# ${explained.check.id}/${explained.rule}`, ...parts].join('\n\n')}\n`;
}

function documentOf({ check, rule, reportedBy }: Subject, texts: Texts): object {
  const ruleOf = (name: string): object => ({
    rule: `${check.id}/${name}`,
    ...declarationOf(check, name),
    ...texts.finding(check.id, name),
  });
  const { title = check.id, expected = '', degraded } = texts.check(check.id) ?? {};
  const page = { check: check.id, title, expected, ...(degraded === undefined ? {} : { degraded }) };
  if (rule === null) return { ...page, rules: Object.keys(check.rules).map(ruleOf) };
  const example = exampleOf({ check, rule, reportedBy });
  return { ...page, ...ruleOf(rule), ...(example === undefined ? {} : { example }), reportedBy };
}

/** The checks and their own rules, then the rules that all checks share, one line each. */
async function listAll(
  checks: readonly Check[],
  texts: Texts,
  format: Flags<'explain'>['format'],
  { explain: words }: Messages,
): Promise<void> {
  const shared = new Map(
    checks.flatMap((check) =>
      Object.keys(check.rules)
        .filter((rule) => !texts.isOwn(check.id, rule))
        .map((rule) => [rule, check] as const),
    ),
  );
  const ids = new Set(checks.map(({ id }) => id));
  const row = (name: string, check: Check, rule: string) => ({
    name,
    ...declarationOf(check, rule),
    summary: firstSentence(texts.finding(check.id, rule)?.problem ?? ''),
  });
  const listed = [
    ...checks.flatMap((check) => [
      { name: check.id, severity: null, summary: printable(texts.title(check.id)) },
      ...Object.keys(check.rules)
        .filter((rule) => texts.isOwn(check.id, rule))
        .map((rule) => row(`${check.id}/${rule}`, check, rule)),
    ]),
    // The bare name of a check means the check.
    ...[...shared].map(([rule, check]) => row(ids.has(rule) ? `${check.id}/${rule}` : rule, check, rule)),
  ];
  if (format === 'json') return writeOut(jsonDocument(listed));
  await writeShown(
    table(listed.map(({ name, summary, ...declared }) => [name, declaredText(declared, words), summary])),
  );
}

/** The check of an id. Throws a `UsageError` that suggests the nearest check or rule. */
function namedCheck(checks: readonly Check[], id: string): Check {
  const found = checks.find((check) => check.id === id);
  if (found !== undefined) return found;
  const ids = checks.map((check) => check.id);
  const rules = checks.flatMap((check) => Object.keys(check.rules));
  knownWord(id, [...new Set([...ids, ...rules])], (messages, name, _some, guess) =>
    messages.unknownSubject(name, someOf(ids), guess),
  );
  return findCheck(checks, id, 'explain');
}
