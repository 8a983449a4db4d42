/** The inputs of the Action, as the runner hands them over: `INPUT_FAIL-ON` in the environment, empty where not given. */
import {
  browserAddressOf,
  CHECK,
  echoed,
  headersOf,
  oneOf,
  SHARED,
  textOf,
  UsageError,
  versionOf,
} from '../options/arguments.ts';
import type { CheckFlags, Options, Parse } from '../options/arguments.ts';
import type { ActionWords } from '../generated/locales/action.ts';

const FAIL_ON = ['fail', 'warn', 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export type Inputs = ReturnType<typeof readInputs>;

export const DEFAULT_ARTIFACT = 'docvitals';
/** As `expect-version`: not even the commit is expected. */
export const NO_VERSION = 'none';

/** Options of `docvitals check` that are inputs of the same name, and read as the command line reads them. */
const SAME_AS_OPTIONS =
  'full only skip config source wait stable version-from since strict lang host engine routes'.split(' ');

export function readInputs(env: NodeJS.ProcessEnv) {
  const read = <T>(name: string, parse: Parse<T>): T | undefined => {
    const text = inputOf(env, name);
    return text === undefined ? undefined : parse(text, name);
  };
  const flags = [
    ...SAME_AS_OPTIONS.map((name) => [camelCase(name), read(name, parserOf(name))]),
    ['browser', read('browser', browserOf)],
    ['header', read('headers', headerLines)],
  ].filter(([, value]) => value !== undefined);
  return {
    url: read('url', lineOf),
    flags: { format: 'pretty', color: false, ...Object.fromEntries(flags) } as CheckFlags,
    /** `none`: no version is expected; `undefined`: the commit is, if that makes sense. */
    expectVersion: read('expect-version', (text, input) => (text === NO_VERSION ? text : versionOf(text, input))),
    failOn: read('fail-on', oneOf(FAIL_ON)) ?? 'fail',
    /** `undefined`: a folder of the runner's. */
    reportDir: read('report-dir', textOf),
    /** The name of the artifact; `null`: none is uploaded; `undefined`: one is, if there are screenshots. */
    artifact: read('artifact', nameOr(DEFAULT_ARTIFACT, 255, /["*/:<>?\\|\p{C}]/u, 'badArtifact')),
    summary: read('summary', booleanOf) ?? true,
    annotations: read('annotations', booleanOf) ?? true,
    comment: read('comment', booleanOf) ?? false,
    /** The label of the issue that is kept; `null`: none is. */
    // GitHub takes a comma for the end of a label.
    issue: read('issue', nameOr('docvitals', 50, /[,\p{C}]/u, 'badLabel')) ?? null,
    token: read('github-token', textOf),
  };
}

export function inputOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

/** How the command line reads an option; what has no value there is `true` or `false` as an input. */
function parserOf(name: string): Parse<unknown> {
  const declared = Object.entries({ ...CHECK, ...SHARED } as Options).find(
    ([flags]) => flags.split(' ', 1)[0] === `--${name}`,
  );
  const [flags = '', option] = declared ?? [];
  if (typeof option === 'object' && option.parse !== undefined) return option.parse;
  return flags.includes('<') ? textOf : booleanOf;
}

const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function browserOf(text: string, input: string): boolean | string {
  return text.includes(':') ? browserAddressOf(text) : booleanOf(text, input);
}

/** Of two addresses in one input neither is meant more than the other. */
function lineOf(text: string, input: string): string {
  if (!/[\r\n]/.test(text)) return text;
  throw new InputError((words) => words.severalLines(input));
}

/** One header a line; empty lines do not count. */
function headerLines(text: string, input: string): Readonly<Record<string, string>> {
  let headers: Readonly<Record<string, string>> = {};
  const given = new Set<string>();
  for (const line of text.split(/\r\n?|\n/).filter((one) => one.trim() !== '')) {
    headers = headersOf(line.trim(), input, headers);
    const name = line.slice(0, line.indexOf(':')).trim();
    // It is unclear which of two secrets is meant.
    if (given.has(name.toLowerCase())) throw new InputError((words) => words.repeatedHeader(echoed(name)));
    given.add(name.toLowerCase());
  }
  return headers;
}

function flagOf(text: string): boolean | null {
  if (['true', 'True', 'TRUE'].includes(text)) return true;
  return ['false', 'False', 'FALSE'].includes(text) ? false : null;
}

function booleanOf(text: string, input: string): boolean {
  const flag = flagOf(text);
  if (flag !== null) return flag;
  throw new InputError((words) => words.badBoolean(input, echoed(text)));
}

/** A name; `true`: the default one; `false`: none. */
function nameOr(byDefault: string, longest: number, refused: RegExp, word: 'badLabel' | 'badArtifact') {
  return (text: string): string | null => {
    const flag = flagOf(text);
    if (flag !== null) return flag ? byDefault : null;
    if (text.length <= longest && !refused.test(text)) return text;
    throw new InputError((words) => words[word](echoed(text)));
  };
}

const OPTIONS = new RegExp(
  String.raw`(?<![\w-])--(${[...SAME_AS_OPTIONS, 'expect-version', 'header', 'browser'].join('|')})\b(?!-)`,
  'g',
);

/** A message of the command line with the names of inputs instead of options. */
export function inInputs(message: string): string {
  return message.replaceAll(OPTIONS, (_, option: string) => (option === 'header' ? 'headers' : option));
}

export class InputError extends UsageError<ActionWords> {}
