import type { Report } from '../check.ts';
import type { Texts } from '../texts.ts';
import { toDocument } from './document.ts';

/** Characters that JSON may carry as they are, but that a terminal or an editor would act on. */
const ACTING = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The report as one JSON document (RFC 8259) that ends with a newline. */
export function jsonReport(report: Report, texts: Texts): string {
  const text = JSON.stringify(toDocument(report, texts), null, 2);
  return `${text.replaceAll(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
