/** The log of a step. Whatever is written through it, no line of it is a command but those that are meant. */
import { writeOut } from '../output.ts';
import type { RepositoryLocation } from '../report/options.ts';
import { logLine, workflowCommand } from '../report/workflow-command.ts';

/** In a file of the repository. */
export type LogLocation = Partial<RepositoryLocation>;
export type Log = ReturnType<typeof createLog>;

/** A secret that is shorter would hide half of the log, and hardly be one. */
const SHORTEST_SECRET = 4;

export function createLog(write: (text: string) => Promise<void> = writeOut) {
  const commands = (lines: readonly string[]): Promise<void> =>
    lines.length === 0 ? Promise.resolve() : write(`${lines.join('\n')}\n`);
  const reported =
    (level: 'error' | 'warning' | 'notice') =>
    (message: string, { file, line, column: col }: LogLocation = {}) =>
      commands([workflowCommand(level, { title: 'docvitals', file, line, col }, linesOf(message).join('\n'))]);
  return {
    text: (text: string) => commands(linesOf(text)),
    error: reported('error'),
    warning: reported('warning'),
    notice: reported('notice'),
    /** Hides a secret wherever it would come in the log. */
    mask: (secret: string) =>
      commands(secret.length < SHORTEST_SECRET ? [] : [workflowCommand('add-mask', {}, secret)]),
    /** Lines that are commands already. */
    commands,
  };
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n').map(logLine);
}
