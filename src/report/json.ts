import type { Report } from '../check.ts';
import type { Texts } from '../texts.ts';
import { toDocument } from './document.ts';

/** What JSON may carry as it is, but a terminal or an editor would act on: controls (but the line ends between tokens), … */
const ACTING = /[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu;

/** The report as one JSON document (RFC 8259) that ends with a newline. */
export function jsonReport(report: Report, texts: Texts): string {
  const text = JSON.stringify(toDocument(report, texts), null, 2);
  return `${text.replaceAll(ACTING, escaped)}\n`;
}

/** A character as JSON escapes it: one escape for each UTF-16 unit. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
