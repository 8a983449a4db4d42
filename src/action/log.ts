/** The log of a step. Whatever is written through it, no line of it is a command but those that are meant. */
import { writeOut } from '../text/output.ts';
import type { RepositoryLocation } from '../report/location.ts';
import { logLine, workflowCommand } from '../report/github.ts';

export type LogLocation = Partial<RepositoryLocation>;
export type Log = ReturnType<typeof createLog>;

/** A secret that is shorter would hide half of the log, and hardly be one. */
const SHORTEST_SECRET = 4;

export function createLog(write: (text: string) => Promise<void> = writeOut) {
  const command = (...given: Parameters<typeof workflowCommand>): Promise<void> =>
    write(`${workflowCommand(...given)}\n`);
  const reported =
    (level: 'error' | 'warning' | 'notice') =>
    (message: string, { file, line, column: col }: LogLocation = {}) =>
      command(level, { title: 'docvitals', file, line, col }, inertLines(message));
  return {
    text: (text: string) => write(`${inertLines(text)}\n`),
    error: reported('error'),
    warning: reported('warning'),
    notice: reported('notice'),
    mask: (secret: string) => (secret.length < SHORTEST_SECRET ? Promise.resolve() : command('add-mask', {}, secret)),
    /** Lines whose commands are meant. */
    commands: write,
  };
}

function inertLines(text: string): string {
  return text.replace(/\n$/, '').split('\n').map(logLine).join('\n');
}
