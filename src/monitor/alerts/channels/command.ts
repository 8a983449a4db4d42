/** An alert as the standard input of a program: the webhook's JSON. No shell, a group of processes of its own. */
import { duration, list, mapping } from '../../../config/define.ts';
import { milliseconds } from '../../../config/values.ts';
import { runCommand } from '../../run-command.ts';
import type { SendResult } from '../alert.ts';
import { failed, type ChannelType, type Delivery, type FileOf } from './channel.ts';

/** The part of our environment that a program is given: what it needs to find itself and to write its language, no secrets. */
const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TMP|TEMP|SYSTEMROOT|COMSPEC|PATHEXT|WINDIR|USERPROFILE|APPDATA|LOCALAPPDATA)$/i;

type Command = Pick<FileOf<'command'>, 'run'> & { readonly kind: 'command'; readonly timeoutMs: number };

export const command: ChannelType<FileOf<'command'>, Command> = {
  settings: mapping(
    {
      run: list(
        { type: 'string', 'x-variables': true },
        { minItems: 1, examples: [['/usr/local/bin/notify', '--stdin']], 'x-expected': 'program' },
      ),
      timeout: duration({ least: 1, most: 10 * 60_000 }, { examples: ['30s'], 'x-secret': false }),
    },
    { required: ['run'] },
  ),
  mistakes: ({ run }) => (run[0] === '' ? [{ path: ['run', 0], expected: { kind: 'text' } }] : []),
  read: ({ run, timeout }) => ({ kind: 'command', run, timeoutMs: milliseconds(timeout) ?? 30_000 }),
  open: () => send,
};

/** Codes of programs that do not exist or must not be run. There may be no room for another process for a moment only. */
const PERMANENT: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'ENOEXEC']);

/** Runs the program. Success is an exit with status 0 within the time. */
async function send({ run: [file = '', ...args], timeoutMs }: Command, delivery: Delivery): Promise<SendResult> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { status, signal, error } = await runCommand({
    run: { file, args },
    env: environmentOf(delivery),
    signal: AbortSignal.any([delivery.signal, timeout]),
    input: `${JSON.stringify(delivery.document)}\n`,
  });
  if (error !== null) return failed(`not started: ${error}`, { permanent: PERMANENT.has(error) });
  if (delivery.signal.aborted) return failed('aborted');
  if (timeout.aborted) return failed('timeout');
  if (status === 0) return { ok: true, status };
  return failed(status === null ? `signal ${signal}` : `exit ${status}`);
}

function environmentOf({ env, message }: Delivery): NodeJS.ProcessEnv {
  const { incident, event, site, language, key, subject } = message;
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => INHERITED.test(name))),
    DOCVITALS_ALERT: key,
    DOCVITALS_EVENT: event,
    DOCVITALS_SITE: site.id,
    DOCVITALS_URL: site.url ?? '',
    DOCVITALS_INCIDENT: incident.id,
    DOCVITALS_VERDICT: incident.verdict,
    DOCVITALS_SUBJECT: subject,
    DOCVITALS_LANGUAGE: language,
  };
}
