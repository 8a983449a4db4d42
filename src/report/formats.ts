import type { Report } from '../core/check.ts';
import type { Messages } from '../locales/messages.ts';
import type { Texts } from './texts.ts';
import type { Locate } from './location.ts';

export interface ReportOptions {
  readonly texts: Texts;
  readonly messages: Messages;
  readonly columns: number;
  readonly colour: boolean;
  /** `quiet`: only what needs attention. `verbose`: also timings and the documented action. */
  readonly detail: 'quiet' | 'normal' | 'verbose';
  readonly locate: Locate;
}

export type Format = (report: Report, options: ReportOptions) => string;

export type FormatName = 'pretty' | 'json' | 'junit' | 'sarif' | 'markdown' | 'github' | 'prometheus' | 'html';

/** Each is loaded when it is requested. */
const FORMATS: Readonly<Record<FormatName, () => Promise<Format>>> = {
  pretty: async () => (await import('./pretty.ts')).prettyReport,
  json: async () => (await import('./document.ts')).jsonReport,
  junit: async () => (await import('./junit.ts')).junitReport,
  sarif: async () => (await import('./sarif.ts')).sarifReport,
  markdown: async () => (await import('./markdown.ts')).markdownReport,
  github: async () => (await import('./github.ts')).githubReport,
  prometheus: async () => (await import('./prometheus.ts')).prometheusReport,
  html: async () => (await import('./html.ts')).htmlReport,
};
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The outputs whose text has to be changed where a CI service reads it. The others contain no commands. */
export const SHOWN_AS_IS: ReadonlySet<FormatName> = new Set(['pretty', 'markdown']);

export function loadFormat(name: FormatName): Promise<Format> {
  return FORMATS[name]();
}
