/** Findings as plain text without colours, for reports that carry text for people inside them. Pure. */
import type { CheckResult, Excerpt, Finding, Location } from '../check.ts';
import { codeFrame } from './code-frame.ts';
import { cutText } from './cut.ts';
import type { Language } from '../texts.ts';
import { factLines } from './facts.ts';
import { adviceWord, fixTextOf, groupsOf, problemOf, type Group } from './groups.ts';
import type { ReportOptions } from './options.ts';
import { locationsOrFileOf } from './location.ts';
import { makeStyle } from './style.ts';
import { reportWords } from '../generated/locales/report.ts';

/** Findings of one code, and places of one finding, that are shown. */
const MOST_OF_ONE_RULE = 20;
const MOST_LOCATIONS = 10;
const LONGEST_FACT = 1_000;
const FRAME_COLUMNS = 100;
const LONGEST_LINE = 2_000;

/** All findings of a check, those of one code together, the worst first, with a blank line between the codes. */
export function plainFindings(result: CheckResult, options: ReportOptions): readonly string[] {
  return groupsOf(result).flatMap((group, index) => [...(index === 0 ? [] : ['']), ...groupLines(group, options)]);
}

/** What a check saw, one fact a line. */
export function plainFacts({ facts = {} }: Pick<CheckResult, 'facts'>, language: Language): readonly string[] {
  return factLines(facts, language).map((fact) => cutText(fact, LONGEST_FACT));
}

function groupLines(group: Group, options: ReportOptions): string[] {
  const { id, rule, severity, findings, count } = group;
  const { texts, messages } = options;
  const fix = fixTextOf(group, texts, messages);
  const shown = findings.slice(0, MOST_OF_ONE_RULE);
  const more = count - shown.length;
  return [
    `${id}/${rule}${count === 1 ? '' : ` ×${count}`}`,
    problemOf(id, rule, texts),
    ...shown.flatMap((finding) => findingLines(finding, options)),
    ...(more === 0 ? [] : [`  ${reportWords(texts.language).more(more)}`]),
    ...(fix === '' ? [] : [`${adviceWord(severity, options)} ${fix}`]),
  ];
}

function findingLines(finding: Finding, { texts, locate }: ReportOptions): string[] {
  const words = reportWords(texts.language);
  const [first, ...others] = locationsOrFileOf(finding, locate);
  const also = others.slice(0, MOST_LOCATIONS);
  const more = others.length - also.length;
  const indent = first === undefined ? '  ' : '    ';
  return [
    ...(first === undefined ? [] : [`  ${first}`]),
    ...frameLines(finding).map((line) => `${indent}${line}`),
    ...plainFacts({ facts: finding.evidence }, texts.language).map((fact) => `${indent}${fact}`),
    ...(also.length === 0
      ? []
      : [`${indent}${words.also} ${also.join(', ')}${more === 0 ? '' : `, ${words.more(more)}`}`]),
  ].map((line) => cutText(line, LONGEST_FACT));
}

/** A finding, of a report or of an incident. */
interface Framed {
  readonly excerpt?: Excerpt;
  readonly location?: Location | null;
}

/** The lines around a fault with a caret, where a finding has them. */
export function frameLines({ excerpt, location }: Framed): readonly string[] {
  if (excerpt === undefined || location === undefined || location === null) return [];
  // Lines are cut around the fault where they are read; were one not, measuring it would take long.
  const lines = excerpt.lines.map((line) => line.slice(0, LONGEST_LINE));
  return codeFrame({ ...excerpt, lines }, location, FRAME_COLUMNS, makeStyle(false));
}
