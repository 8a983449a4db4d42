import type { Report } from '../check.ts';
import type { PrettyOptions } from './pretty.ts';

/** The outputs, by the name that `--format` and `--report` know them by. Only the ones that are asked for are loaded. */
const FORMATS = {
  pretty: async () => {
    const { prettyReport } = await import('./pretty.ts');
    return prettyReport;
  },
  json: async () => {
    const { jsonReport } = await import('./json.ts');
    return (report: Report, { texts }: PrettyOptions) => jsonReport(report, texts);
  },
} as const satisfies Record<string, () => Promise<Format>>;

/** Makes an output of a report. */
export type Format = (report: Report, options: PrettyOptions) => string;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** Loads an output. */
export function loadFormat(name: FormatName): Promise<Format> {
  return FORMATS[name]();
}
