/** An alert as the standard input of a program: the webhook's JSON. No shell, a group of processes of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { duration, list, mapping } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { OWN_GROUP, processGroup } from '../../process-group.ts';
import type { SendResult } from '../alert.ts';
import { milliseconds } from '../../../config/values.ts';
import type { ChannelType, Delivery } from './channel.ts';

/** What a program is given of our environment: what it needs to find itself and to write its language, no secrets. */
const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|SYSTEMROOT|COMSPEC|PATHEXT|WINDIR|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

type CommandFile = NonNullable<RouteFile['command']>;

interface Command {
  readonly kind: 'command';
  /** The program and its arguments; no shell. */
  readonly run: readonly string[];
  readonly timeoutMs: number;
}

export const command: ChannelType<CommandFile, Command> = {
  settings: mapping(
    'Run a program, with the notification as JSON on its standard input.',
    {
      run: list(
        'The program and its arguments. There is no shell.',
        { type: 'string', 'x-variables': true },
        { minItems: 1, examples: [['/usr/local/bin/notify', '--stdin']], 'x-expected': 'program' },
      ),
      timeout: duration(
        'Longest time for the program: up to 10m. Default: 30s.',
        { least: 1, most: 10 * 60_000 },
        {
          examples: ['30s'],
          'x-secret': false,
        },
      ),
    },
    { required: ['run'] },
  ),
  mistakes: ({ run }) => (run[0] === '' ? [{ path: ['run', 0], expected: { kind: 'text' } }] : []),
  read: ({ run, timeout }) => ({ kind: 'command', run, timeoutMs: milliseconds(timeout) ?? 30_000 }),
  open: () => send,
};

/** Runs the program. Success is an exit with status 0 within the time. */
function send(channel: Command, delivery: Delivery): Promise<SendResult> {
  const [program = '', ...given] = channel.run;
  return new Promise((resolve) => {
    try {
      const child = spawn(program, given, {
        env: environmentOf(delivery),
        stdio: ['pipe', 'ignore', 'ignore'],
        ...OWN_GROUP,
      });
      watch(child, channel.timeoutMs, delivery.signal, resolve);
      // A program need not read its input.
      child.stdin.on('error', () => {});
      child.stdin.end(`${JSON.stringify(delivery.document)}\n`);
    } catch (error) {
      resolve(notStarted(error));
    }
  });
}

function watch(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal,
  resolve: (result: SendResult) => void,
): void {
  let reason: string | null = null;
  const group = processGroup(child);
  const end = (why: string): void => {
    reason ??= why;
    group.end();
  };
  const abort = (): void => end('aborted');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  const done = (result: SendResult): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    group.release();
    resolve(result);
  };
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  child.on('error', (error) => done(notStarted(error)));
  child.on('exit', (status, ended) => {
    if (reason === null && status === 0) return done({ ok: true, status });
    done({ ok: false, error: reason ?? outcome(status, ended), permanent: false, retryAfterMs: null });
  });
}

function outcome(status: number | null, ended: NodeJS.Signals | null): string {
  return status === null ? `signal ${ended}` : `exit ${status}`;
}

function notStarted(error: unknown): SendResult {
  const { code = 'failed' } = error as NodeJS.ErrnoException;
  // No such program, or it may not be run; for a moment there may be no room for one.
  const permanent = ['ENOENT', 'EACCES', 'ENOEXEC'].includes(code);
  return { ok: false, error: `not started: ${code}`, permanent, retryAfterMs: null };
}

function environmentOf({ env, document, message }: Delivery): NodeJS.ProcessEnv {
  const { incident, event, site, language, id } = document;
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.test(name))),
    DOCVITALS_ALERT: id,
    DOCVITALS_EVENT: event,
    DOCVITALS_SITE: site.id,
    DOCVITALS_URL: site.url ?? '',
    DOCVITALS_INCIDENT: incident.id,
    DOCVITALS_VERDICT: incident.verdict,
    DOCVITALS_SUBJECT: message.subject,
    DOCVITALS_LANGUAGE: language,
  };
}
