import type { Report } from '../check.ts';
import { jsonReport } from './document.ts';
import type { FormatName, ReportOptions } from './options.ts';
import { prettyReport } from './pretty.ts';

export type Format = (report: Report, options: ReportOptions) => string;

/** Loaded when they are requested, except for the two that most runs need. */
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

/** The outputs whose text has to be changed where a CI service reads it. The others contain no commands. */
export const SHOWN_AS_IS: ReadonlySet<FormatName> = new Set(['pretty', 'markdown']);

export function loadFormat(name: FormatName): Promise<Format> {
  return FORMATS[name]();
}
