/**
 * TAP version 13 (testanything.org/tap-version-13-specification.html); Perl's `prove` knows no later one. A check that could not
 * be completed is `not ok`: harnesses count a failing `TODO` or `SKIP` as fine.
 */
import type { CheckResult, Report } from '../core/check.ts';
import type { Finding } from '../core/finding.ts';
import type { Json } from '../core/answer.ts';
import { inertLine, printable, withoutCommands } from '../text/printable.ts';
import { isFailed } from '../core/verdict.ts';
import { groupsOf, type Group } from './groups.ts';
import { freshnessLines, summaryOf } from './summary.ts';
import type { ReportOptions } from './formats.ts';
import { frameLines } from './terminal.ts';
import { locationsOrFileOf } from './location.ts';
import { cutText, shortJson } from './cut.ts';

const MOST_OF_ONE_RULE = 10;
const MOST_LOCATIONS = 10;

export function tapReport(report: Report, options: ReportOptions): string {
  const { checks, interrupted, site, verdict } = report;
  const { messages } = options;
  const about = [
    printable(site.url),
    messages.verdictLine(messages.verdicts[verdict], summaryOf(report, options)),
    ...freshnessLines(report, options),
  ];
  const lines = [
    'TAP version 13',
    `1..${checks.length}`,
    // A runner may act on a comment.
    ...about.map((line) => inertLine(`# ${line}`)),
    ...checks.flatMap((result, index) => testPoint(result, index + 1, report, options)),
    ...(interrupted ? [`Bail out! ${escaped(messages.interrupted())}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function testPoint(result: CheckResult, number: number, report: Report, options: ReportOptions): string[] {
  const { id, status, skipped } = result;
  const { texts } = options;
  const isOk = !isFailed(result, report) && status !== 'unknown';
  const description = escaped(`${id}: ${printable(texts.title(id))}`);
  const reason = skipped === undefined ? '' : ` ${escaped(texts.problem(id, skipped.rule))}`;
  const directive = status === 'skip' ? ` # SKIP${reason}` : '';
  return [
    `${isOk ? 'ok' : 'not ok'} ${number} - ${description}${directive}`,
    '  ---',
    ...yamlMapping(diagnostics(result, options)).map((line) => `  ${line}`),
    '  ...',
  ];
}

function diagnostics(result: CheckResult, options: ReportOptions): { readonly [name: string]: Json } {
  const { status, target, url, httpStatus, durationMs, facts } = result;
  const groups = groupsOf(result);
  const [worst] = groups;
  return {
    ...(worst === undefined ? {} : { message: options.texts.problem(worst.id, worst.rule) }),
    severity: status,
    target,
    url,
    ...(httpStatus === null ? {} : { httpStatus }),
    duration_ms: durationMs,
    ...(groups.length === 0 ? {} : { findings: groups.map((group) => groupOf(group, options)) }),
    ...(facts === undefined ? {} : { facts }),
  };
}

function groupOf({ id, rule, severity, findings, count, cause }: Group, options: ReportOptions): Json {
  const shown = findings.slice(0, MOST_OF_ONE_RULE);
  const more = count - shown.length;
  return {
    rule: `${id}/${rule}`,
    severity,
    problem: options.texts.problem(id, rule),
    // An effect is fixed with its cause.
    fix: cause === undefined ? (options.texts.finding(id, rule)?.fix ?? '') : options.messages.sameFix(cause),
    count,
    shown: shown.map((finding) => findingOf(finding, options)),
    ...(more === 0 ? {} : { more }),
  };
}

function findingOf(finding: Finding, { locate }: ReportOptions): Json {
  const locations = locationsOrFileOf(finding, locate);
  const at = locations.slice(0, MOST_LOCATIONS);
  const more = locations.length - at.length;
  const excerpt = frameLines(finding);
  return {
    ...(at.length === 0 ? {} : { at }),
    ...(more === 0 ? {} : { morePlaces: more }),
    ...(excerpt.length === 0 ? {} : { excerpt }),
    evidence: finding.evidence,
  };
}

/** `#` would begin a directive, and `\` escapes. */
function escaped(text: string): string {
  return text.replaceAll(/[\\#]/g, String.raw`\$&`);
}

/* YAML 1.2 in block style, as even small parsers of TAP read it. */

const LONGEST_TEXT = 1_000;
/** An implicit key has to be shorter than 1,024 characters (YAML 1.2.2, section 7.4.2), escapes included. */
const LONGEST_NAME = 200;
/** Deeper values are written as JSON: parsers have limits. */
const DEEPEST = 10;

/** Names without quotes that are no other word of YAML 1.1. */
const PLAIN_NAME = /^(?!(?:y|n|yes|no|on|off|true|false|null)$)[a-z][\w-]*$/i;

/** Of one block, so that a value with shared parts ends. */
const MOST_LINES = 20_000;

/** Every text is one printable line in quotes, so that it cannot end the block. */
export function yamlMapping(members: { readonly [name: string]: Json }): string[] {
  let room = MOST_LINES;
  const written = <T>(items: readonly T[], write: (item: T) => string[]): string[] => {
    const lines: string[] = [];
    for (const [index, item] of items.entries()) {
      if (room <= 0) return [...lines, `# … +${items.length - index}`];
      for (const line of write(item)) lines.push(line);
    }
    return lines;
  };
  const mapping = (value: { readonly [name: string]: Json }, depth: number): string[] => {
    const taken = new Set<string>();
    return written(Object.keys(value), (name) => member(uniqueName(name, taken), value[name] ?? null, depth));
  };
  const member = (name: string, value: Json, depth: number): string[] => {
    room -= 1;
    if (!isNested(value) || depth === DEEPEST) return [`${name}: ${inline(value)}`];
    const lines = isList(value) ? written(value, (item) => listItem(item, depth + 1)) : mapping(value, depth + 1);
    return [`${name}:`, ...lines.map((line) => `  ${line}`)];
  };
  const listItem = (item: Json, depth: number): string[] => {
    if (isNested(item) && !isList(item) && depth < DEEPEST) {
      return mapping(item, depth + 1).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
    }
    room -= 1;
    // Perl's `TAP::Parser` takes an item whose first word ends with a colon for a member.
    return [`- ${inline(item).replace(/^(\S+\s*):(?=\s)/, String.raw`$1\x3a`)}`];
  };
  return mapping(members, 0);
}

/** Without blanks, for Perl's `TAP::Parser`. Names may be equal once they are printable or cut. */
function uniqueName(name: string, taken: Set<string>): string {
  const shown = cutText(printable(name), LONGEST_NAME);
  let unique = shown;
  for (let number = taken.size; taken.has(unique); number++) unique = `${shown} (${number})`;
  taken.add(unique);
  return PLAIN_NAME.test(unique) ? unique : quoted(unique).replaceAll(' ', String.raw`\x20`);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function isNested(value: Json): value is Extract<Json, object> {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** On one line: of an object the beginning of its JSON. */
function inline(value: Json): string {
  // The same in YAML 1.2 as in JSON.
  if (typeof value !== 'string' && !isNested(value)) return JSON.stringify(value);
  const text = typeof value === 'string' ? value : shortJson(value, LONGEST_TEXT);
  return quoted(cutText(printable(text), LONGEST_TEXT));
}

/** JSON's escapes are YAML's (YAML 1.2.2, section 5.7). */
function quoted(printed: string): string {
  return withoutCommands(JSON.stringify(printed), String.raw`\u005b`);
}
