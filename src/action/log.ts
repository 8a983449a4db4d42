/** The log of a step. Whatever is written through it, no line of it is a command but those that are meant. */
import { writeOut } from '../output.ts';
import { logLine, workflowCommand } from '../report/workflow-command.ts';

export interface LogLocation {
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface Log {
  text(text: string): Promise<void>;
  error(message: string, location?: LogLocation): Promise<void>;
  warning(message: string): Promise<void>;
  notice(message: string): Promise<void>;
  /** Hides a secret wherever it would come in the log. */
  mask(secret: string): Promise<void>;
  /** Lines that are commands already. */
  commands(lines: readonly string[]): Promise<void>;
}

/** A secret that is shorter would hide half of the log, and hardly be one. */
const SHORTEST_SECRET = 4;

export function createLog(write: (text: string) => Promise<void> = writeOut): Log {
  const commands = (lines: readonly string[]): Promise<void> =>
    lines.length === 0 ? Promise.resolve() : write(`${lines.join('\n')}\n`);
  const reported = (level: 'error' | 'warning' | 'notice') => (message: string, location?: LogLocation) => {
    const at = location === undefined ? {} : { file: location.file, line: location.line, col: location.column };
    return commands([workflowCommand(level, { title: 'docvitals', ...at }, linesOf(message).join('\n'))]);
  };
  return {
    text: (text) => commands(linesOf(text)),
    error: reported('error'),
    warning: reported('warning'),
    notice: reported('notice'),
    mask: (secret) => commands(secret.length < SHORTEST_SECRET ? [] : [workflowCommand('add-mask', {}, secret)]),
    commands,
  };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n').map(logLine);
}
