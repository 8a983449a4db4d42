/** `reference/exit-status.md`: the exit statuses, from the help of the commands. */
import { SIGNAL_STATUSES } from '../../../project/interrupts.ts';
import type { Language } from '../../../texts.ts';
import { programIn } from './cli.ts';
import { code, page, prose, table } from './markdown.ts';
import type { Words } from './words.ts';

const MARK = /(?:Exit status|Cod de ieșire|Code de sortie)\s?: (?<list>.+)\.$/s;

/** The exit statuses that the description of a command names, with their meaning; empty: it names none. */
export function statusesIn(description: string): readonly (readonly [status: string, meaning: string])[] {
  const list = MARK.exec(description)?.groups?.['list'];
  if (list === undefined) return [];
  let mode = '';
  return list.split(/\s?; /).flatMap((part) => {
    // `with --once 0 …`: the statuses of another way to run the command.
    const [, before = '', rest = part] = /^(\D*?)\s*(\d .*)$/s.exec(part) ?? [];
    mode = before === '' ? mode : ` (${before})`;
    return rest.split(/, (?=\d )/).map((one) => {
      const [, status = '', meaning = one] = /^(\d) (.*)$/s.exec(one) ?? [];
      return [status, `${meaning}${mode}`] as const;
    });
  });
}

const GENERAL: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'Success. For `check`: the site is healthy; warnings are allowed unless `--strict` is used.'],
  [
    '1',
    'The result is negative: a check failed, a site is not healthy, a notification was not sent. For `check`, the verdict is *degraded*, *down* or *stale*.',
  ],
  ['2', 'An error in the command line or in the configuration. Nothing was checked.'],
  ['3', 'The result could not be determined, for example without a network, or an output could not be written.'],
  [String(SIGNAL_STATUSES.SIGINT), 'Stopped by Ctrl-C (SIGINT). What was known by then has been printed.'],
  [String(SIGNAL_STATUSES.SIGTERM), 'Stopped by SIGTERM. What was known by then has been printed.'],
];

export function exitStatusPage(language: Language, words: Words): string {
  const commands = programIn(language).commands.map((command) => ({
    name: `docvitals ${command.name()}`,
    statuses: statusesIn(command.description()),
  }));
  const named = commands.filter(({ statuses }) => statuses.length > 0);
  const others = commands.filter(({ statuses }) => statuses.length === 0);
  return page(words('Exit status'), [
    words('Every command ends with an exit status, so that scripts and CI can act on the result.'),
    `## ${words('All commands')}`,
    table(
      [words('Exit status'), words('Meaning')],
      GENERAL.map(([status, meaning]) => [code(status), prose(words(meaning)).replaceAll('\\*', '*')]),
    ),
    `## ${words('By command')}`,
    table(
      [words('Command'), words('Exit status'), words('Meaning')],
      named.flatMap(({ name, statuses }) =>
        statuses.map(([status, meaning], index) => [index === 0 ? code(name) : '', code(status), prose(meaning)]),
      ),
    ),
    `${words('The other commands have no statuses of their own:')} ${others.map(({ name }) => code(name)).join(', ')}.`,
    words('The GitHub Action fails the job according to its input [`fail-on`](action.md).'),
  ]);
}
