import { toDocument, type ReportDocument } from '../../report/document.ts';
import { jsonText } from '../../report/json.ts';
import { LOCATE_NOTHING } from '../../report/options.ts';
import type { Texts } from '../../texts.ts';
import { VERSION } from '../../version.ts';
import type { DrillResult } from './result.ts';

/** A drill as JSON: codes and numbers, but for the report, which has its own words. Times are in milliseconds. */
export interface DrillDocument extends Omit<DrillResult, 'report'> {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly language: Texts['language'];
  readonly report: ReportDocument | null;
}

/** A drill as one JSON document (RFC 8259) that ends with a newline. */
export function drillJson(result: DrillResult, texts: Texts): string {
  const { report, ...facts } = result;
  const document: DrillDocument = {
    schemaVersion: 1,
    tool: { name: 'docvitals', version: VERSION },
    language: texts.language,
    ...facts,
    report: report === null ? null : toDocument(report, texts, LOCATE_NOTHING),
  };
  return `${jsonText(document)}\n`;
}
