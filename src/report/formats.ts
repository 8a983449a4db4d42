import type { Report } from '../check.ts';
import { jsonReport } from './document.ts';
import type { FormatName, ReportOptions } from './options.ts';
import { prettyReport } from './pretty.ts';

export type Format = (report: Report, options: ReportOptions) => string;

/** The outputs by their names. Only the ones that are requested are loaded, beside the one that most runs print. */
const FORMATS: Readonly<Record<FormatName, () => Promise<Format>>> = {
  pretty: () => Promise.resolve(prettyReport),
  json: () => Promise.resolve(jsonReport),
  junit: async () => (await import('./junit.ts')).junitReport,
  sarif: async () => (await import('./sarif.ts')).sarifReport,
  markdown: async () => (await import('./markdown.ts')).markdownReport,
  github: async () => (await import('./github.ts')).githubReport,
  tap: async () => (await import('./tap.ts')).tapReport,
  prometheus: async () => (await import('./prometheus.ts')).prometheusReport,
  html: async () => (await import('./html.ts')).htmlReport,
};

/**
 * The outputs that show a text as it is, and so need another one where a CI service reads what is printed.
 * The others write what would be a command in another way that means the same.
 */
export const SHOWN_AS_IS: ReadonlySet<FormatName> = new Set(['pretty', 'markdown']);

export function loadFormat(name: FormatName): Promise<Format> {
  return FORMATS[name]();
}
