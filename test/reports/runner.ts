/**
 * Reads the output of a step as the runner of GitHub Actions does, by the grammar of its own sources: ActionCommand
 * (`::name key=value::data` at the beginning of a line, and `##[name key=value]data` anywhere in it), the list of
 * registered commands in ActionCommandManager, and lines as the process handler splits them.
 */

/** A command that the runner takes out of the output. */
export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

export interface RunnerOutput {
  readonly commands: readonly RunnerCommand[];
  /** The lines that are no commands. */
  readonly log: readonly string[];
}

const REGISTERED: ReadonlySet<string> = new Set([
  'add-mask',
  'add-matcher',
  'add-path',
  'debug',
  'echo',
  'endgroup',
  'error',
  'group',
  'internal-set-repo-path',
  'notice',
  'remove-matcher',
  'save-state',
  'set-env',
  'set-output',
  'stop-commands',
  'warning',
]);

type Codes = readonly (readonly [code: string, character: string])[];

// The percent sign comes last, as in the runner: `%250A` is `%0A`.
const DATA: Codes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const PROPERTY: Codes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%3A', ':'],
  ['%2C', ','],
  ['%25', '%'],
];
const OLD: Codes = [
  ['%3B', ';'],
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%5D', ']'],
  ['%25', '%'],
];

export function readRunnerOutput(output: string): RunnerOutput {
  const lines = output.split(/\r\n|\n|\r/);
  const read = lines.map((line) => ({ line, command: newCommand(line) ?? oldCommand(line) }));
  return {
    commands: read.flatMap(({ command }) => (command === null ? [] : [command])),
    log: read.flatMap(({ line, command }) => (command === null ? [line] : [])),
  };
}

function newCommand(line: string): RunnerCommand | null {
  // The white space of .NET: that of JavaScript, with U+0085 and without U+FEFF.
  const message = line.replace(/^[^\S\ufeff]*(?:\u0085[^\S\ufeff]*)*/, '');
  if (!message.startsWith('::')) return null;
  const end = message.indexOf('::', 2);
  return end === -1 ? null : made(message.slice(2, end), message.slice(end + 2), ',', [PROPERTY, DATA]);
}

function oldCommand(line: string): RunnerCommand | null {
  const start = line.indexOf('##[');
  const end = start === -1 ? -1 : line.indexOf(']', start);
  return end === -1 ? null : made(line.slice(start + 3, end), line.slice(end + 1), ';', [OLD, OLD]);
}

function made(info: string, data: string, separator: string, [forProperty, forData]: [Codes, Codes]) {
  const space = info.indexOf(' ');
  const name = space === -1 ? info : info.slice(0, space);
  // Every command counts: on another runner there may be others.
  if (!REGISTERED.has(name.toLowerCase())) return null;
  const pairs =
    space === -1
      ? []
      : info
          .slice(space + 1)
          .trim()
          .split(separator);
  const properties = pairs.flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 || at === pair.length - 1 ? [] : [[pair.slice(0, at), decoded(pair.slice(at + 1), forProperty)]];
  });
  return { name: name.toLowerCase(), properties: Object.fromEntries(properties), data: decoded(data, forData) };
}

function decoded(text: string, codes: Codes): string {
  return codes.reduce((read, [code, character]) => read.replaceAll(code, character), text);
}
