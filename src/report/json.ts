import type { Report } from '../check.ts';
import { withoutCommands } from '../ci-log.ts';
import type { ReportOptions } from './options.ts';
import { toDocument } from './document.ts';

/** What JSON may carry as it is, but a terminal or an editor would act on: controls (but the line ends between tokens), … */
const ACTING = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu;

/** The report as one JSON document (RFC 8259) that ends with a newline. */
export function jsonReport(report: Report, { texts, locate }: Pick<ReportOptions, 'texts' | 'locate'>): string {
  return `${jsonText(toDocument(report, texts, locate))}\n`;
}

/** A value as indented JSON in which no character acts on what shows it, and no line on a CI service that prints it. */
export function jsonText(value: unknown): string {
  // Outside of strings there is no number sign, and no line begins with a colon.
  return withoutCommands(JSON.stringify(value, null, 2).replaceAll(ACTING, escaped), String.raw`\u005b`);
}

/** A character as JSON escapes it: one escape for each UTF-16 unit. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
