/** What a GitHub runner reads from a step's output: workflow commands, and lines of the log that must be none. Pure. */
import { inertLine, printable } from '../printable.ts';

/** A command on one line, without its line end. A property without a value is left out. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice' | 'group' | 'endgroup' | 'add-mask',
  properties: Readonly<Record<string, string | number | null | undefined>> = {},
  data = '',
): string {
  const given = Object.entries(properties).flatMap(([key, value]) =>
    value === null || value === undefined || value === '' ? [] : [`${key}=${escapedProperty(String(value))}`],
  );
  return `::${name}${given.length === 0 ? '' : ` ${given.join(',')}`}::${escapedData(data)}`;
}

/** A text as one line of the log: printable, and nothing that the runner or its log viewer would act on. */
export function logLine(text: string): string {
  return inertLine(printable(text));
}

/** A carriage return ends a line, too (actions/runner: ActionCommand, OutputManager). */
function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
