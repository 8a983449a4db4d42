import type { Report } from '../check.ts';
import { annotationsOf, type Annotation } from './annotations.ts';
import type { ReportOptions } from './options.ts';
import { prettySections, type PrettySections } from './pretty.ts';
import { logLine, workflowCommand } from './workflow-command.ts';

/**
 * The report for the log of a step of GitHub Actions: the terminal's words, folded by check, then the annotations as
 * workflow commands, then the verdict. Ends with a newline. Nothing of it but these commands is one.
 */
export function githubReport(report: Report, options: ReportOptions): string {
  return githubLog(report, options, annotationsOf(report, options)).join('\n').concat('\n');
}

/** The lines of {@link githubReport}, with these annotations. */
export function githubLog(
  report: Report,
  options: ReportOptions,
  annotations: readonly Annotation[],
): readonly string[] {
  const { head, checks, cause, verdict } = prettySections(report, { ...options, colour: false });
  const lines = [
    ...head.map(logLine),
    '',
    ...checks.flatMap(folded),
    ...cause.map(logLine),
    '',
    ...annotations.map(annotationCommand),
    '',
    ...verdict.map(logLine),
  ];
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''));
}

/** An annotation as the runner takes it. */
export function annotationCommand({ level, title, message, location }: Annotation): string {
  return workflowCommand(
    level,
    { file: location?.file ?? null, line: location?.line ?? null, col: location?.column ?? null, title },
    message,
  );
}

/** A check under its row; one that has nothing more to say is its row alone. */
function folded({ lines }: PrettySections['checks'][number]): readonly string[] {
  const [row = '', ...rest] = lines.map(logLine);
  const from = rest.findIndex((line) => line !== '');
  if (from === -1) return [row];
  const to = rest.findLastIndex((line) => line !== '');
  return [workflowCommand('group', {}, row), ...rest.slice(from, to + 1), workflowCommand('endgroup')];
}
