/**
 * A page for each check, from the texts that `docvitals explain` prints. Reports link to a rule's section by its name, so
 * a section's heading is the rule in every language, and nothing else on the page is a heading of that level.
 */
import { checks } from '../../../checks/index.ts';
import { OWN_RULES } from '../../../checks/own/check.ts';
import { NOT_RECEIVED_RULES } from '../../expect/not-received.ts';
import { messagesIn } from '../../locales/messages.ts';
import {
  explanationOf,
  severityOf,
  verifyCommand,
  type ExplainedRule,
  type RuledCheck,
  type ExplanationPart,
} from '../../report/rule-explanation.ts';
import { blocks, firstSentence, LANGUAGES, loadTexts, type Language, type Texts } from '../../texts.ts';
import { table, type Parts, type Words } from './reference/markdown.ts';

/** `own`: every check that a user declares. */
const OWN: RuledCheck = { id: 'own', rules: OWN_RULES };

/** Agents read a page whole only up to this size. In characters. */
const LONGEST_PAGE = 44_000;

export async function checkPages(language: Language, words: Words): Promise<ReadonlyMap<string, string>> {
  const all = await Promise.all(LANGUAGES.map(loadTexts));
  const texts = await loadTexts(language);
  return new Map(
    [...checks, OWN].map((check) => {
      // The same in all languages, so that their pages have the same parts.
      const isShort = all.every((one) => checkPage(check, one, words, 'full').length < LONGEST_PAGE);
      return [`checks/${check.id}.md`, checkPage(check, texts, words, isShort ? 'full' : 'short')];
    }),
  );
}

/** The checks of each kind as a table, for the index of their pages. */
export async function indexParts(words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const tableFor = (ids: readonly string[]): string => {
    const rows = ids.map((id) => {
      const { title = id, expected = '' } = texts.check(id) ?? {};
      return [`[${title}](${id}.md)`, firstSentence(expected)];
    });
    return table([words('Check'), words('What it expects')], rows);
  };
  const [core, full] = [false, true].map((isFull) =>
    tableFor(checks.filter((check) => (check.full ?? false) === isFull).map(({ id }) => id)),
  );
  return { core: core ?? '', full: full ?? '', shared: tableFor(['common', 'own']) };
}

/** The rules that all checks share, once; a check's own page names them and links here. */
export async function commonParts(_words: Words, language: Language): Promise<Parts> {
  const texts = await loadTexts(language);
  const { title = '', expected = '' } = texts.check('common') ?? {};
  const sections = headingsOf(texts.page('common') ?? '').flatMap((rule) => {
    const [first] = reportersOf(rule);
    return first === undefined ? [] : [ruleSection({ check: first, rule, reportedBy: [] }, texts, ON_COMMON)];
  });
  return { title, expected, rules: sections.join('\n\n') };
}

/** `shared`: whether rules that other checks have, too, are explained here or on their own page. */
function checkPage(check: RuledCheck, texts: Texts, words: Words, shared: 'full' | 'short'): string {
  const { title = check.id, expected, degraded, more } = texts.check(check.id) ?? {};
  const messages = messagesIn(texts.language);
  const own = new Set(headingsOf(texts.page(check.id) ?? ''));
  const rules = Object.keys(check.rules);
  const isFixed = (rule: string): boolean =>
    shared === 'full' && !own.has(rule) && !Object.hasOwn(NOT_RECEIVED_RULES, rule);
  const ownSection = (rule: string): string =>
    ruleSection({ check, rule, reportedBy: reportersOf(rule).map(({ id }) => id) }, texts, ON_CHECK);
  // What happened and the fix: enough for readers who come from a report, which has the evidence.
  const fixSection = (rule: string): string => ruleSection({ check, rule, reportedBy: [] }, texts, IN_REPORT);
  const alone =
    check === OWN
      ? [
          words(
            'Rules of the checks that you declare in `docvitals.yaml`. In a report, the id of your check replaces `own`.',
          ),
        ]
      : [words('To run this check alone:'), `\`\`\`sh\n${verifyCommand(check)}\n\`\`\``];
  const source = blocks([
    `# ${title}`,
    expected,
    more,
    degraded === undefined ? undefined : `${messages.documentedAction} ${degraded}`,
    ...alone,
    ...rules.filter((rule) => own.has(rule)).map(ownSection),
    ...rules.filter(isFixed).map(fixSection),
    ...rules.filter((rule) => !own.has(rule) && !isFixed(rule)).map((rule) => sharedSection(check, rule, texts, words)),
  ]);
  return `${source}\n`;
}

/** What the top of a page has said for all its sections. */
const ON_CHECK: readonly ExplanationPart['kind'][] = ['matters', 'verify'];
const ON_COMMON: readonly ExplanationPart['kind'][] = [...ON_CHECK, 'turnOff'];
const IN_REPORT: readonly ExplanationPart['kind'][] = [...ON_COMMON, 'evidence'];

function ruleSection(explained: ExplainedRule, texts: Texts, onTop: readonly ExplanationPart['kind'][]): string {
  const { rule } = explained;
  const parts = explanationOf(explained, texts, messagesIn(texts.language))
    .filter(({ kind }) => !onTop.includes(kind))
    .map(({ title, source }) => (title === undefined ? source : `**${title}**\n\n${source}`));
  return blocks([`## ${rule}`, ...parts]);
}

function sharedSection(check: RuledCheck, rule: string, texts: Texts, words: Words): string {
  const { severity } = messagesIn(texts.language).explain;
  const { title = 'common' } = texts.check('common') ?? {};
  return blocks([
    `## ${rule}`,
    `${severity} \`${severityOf(check, rule)}\``,
    texts.finding(check.id, rule)?.problem ?? '',
    `${words('All checks share this rule: evidence and fixes are in')} [${title}](common.md#${rule}).`,
  ]);
}

const reportersOf = (rule: string): readonly RuledCheck[] =>
  [...checks, OWN].filter(({ rules }) => Object.hasOwn(rules, rule));

const headingsOf = (source: string): readonly string[] =>
  [...source.matchAll(/^## ([a-z][a-z\d-]*)$/gm)].map(([, rule = '']) => rule).filter((rule) => rule !== 'degraded');
