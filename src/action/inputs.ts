/** The inputs of the Action, as the runner hands them over: `INPUT_FAIL-ON` in the environment, empty where not given. */
import {
  countOf,
  durationOf,
  fileOf,
  headersOf,
  engineOf,
  hostOf,
  idList,
  languageOf,
  MOST_STABLE,
  sinceOf,
  versionFromOf,
  versionOf,
} from '../project/arguments.ts';
import { echoed } from '../project/usage-error.ts';
import { browserAddressOf, routesOf } from '../project/browser.ts';
import type { CheckFlags } from '../project/run-options.ts';
import type { ActionWords } from '../generated/locales/action.ts';

/** What makes a run fail the job. */
export type FailOn = 'fail' | 'warn' | 'never';

const FAIL_ON: readonly FailOn[] = ['fail', 'warn', 'never'];

export interface Inputs {
  readonly url: string | undefined;
  /** The inputs that are also options of the command line. */
  readonly flags: CheckFlags;
  /** `none`: no version is expected; `undefined`: the commit is, if that makes sense. */
  readonly expectVersion: string | undefined;
  readonly failOn: FailOn;
  /** `undefined`: a folder of the runner's. */
  readonly reportDir: string | undefined;
  /** The name of the artifact; `null`: none is uploaded; `undefined`: one is, if there are screenshots. */
  readonly artifact: string | null | undefined;
  readonly summary: boolean;
  readonly annotations: boolean;
  readonly comment: boolean;
  /** The label of the issue that is kept; `null`: none is. */
  readonly issue: string | null;
  readonly token: string | undefined;
}

const DEFAULT_LABEL = 'docvitals';
export const DEFAULT_ARTIFACT = 'docvitals';
/** As `expect-version`: not even the commit is expected. */
export const NO_VERSION = 'none';

/** Reads the inputs. Throws a `UsageError` or an `InputError` that names the input. */
export function readInputs(env: NodeJS.ProcessEnv): Inputs {
  const text = (name: string): string | undefined => inputOf(env, name);
  return {
    url: lineOf('url', text('url')),
    flags: flagsOf(text),
    expectVersion: versionOfInput(text('expect-version')),
    failOn: failOnOf(text('fail-on')),
    reportDir: text('report-dir'),
    artifact: artifactOf(text('artifact')),
    summary: booleanOf('summary', text('summary')) ?? true,
    annotations: booleanOf('annotations', text('annotations')) ?? true,
    comment: booleanOf('comment', text('comment')) ?? false,
    issue: labelOf(text('issue')),
    token: text('github-token'),
  };
}

/** The value of an input; `undefined` for an empty one: GitHub gives that where a workflow gives none. */
export function inputOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

function flagsOf(text: (name: string) => string | undefined): CheckFlags {
  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const value = text(name);
    return value === undefined ? undefined : parse(value);
  };
  const flags = {
    full: booleanOf('full', text('full')),
    only: read('only', idList('only')),
    skip: read('skip', idList('skip')),
    config: read('config', fileOf('config')),
    source: read('source', fileOf('source')),
    wait: read('wait', durationOf('wait')),
    stable: read('stable', countOf('stable', 1, MOST_STABLE)),
    versionFrom: read('version-from', versionFromOf('version-from')),
    since: read('since', sinceOf('since')),
    strict: booleanOf('strict', text('strict')),
    lang: read('lang', languageOf),
    host: read('host', hostOf),
    engine: read('engine', engineOf),
    browser: read('browser', browserOf),
    routes: read('routes', routesOf('routes')),
    header: read('headers', headerLines),
  };
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
  return { format: 'pretty', color: false, ...given };
}

function versionOfInput(text: string | undefined): string | undefined {
  return text === undefined || text === NO_VERSION ? text : versionOf('expect-version')(text);
}

/** `true`, `false`, or the address of a running browser. */
function browserOf(text: string): boolean | string {
  return text.includes(':') ? browserAddressOf(text) : (booleanOf('browser', text) ?? false);
}

/** Of two addresses in one input neither is meant more than the other. */
function lineOf(input: string, text: string | undefined): string | undefined {
  if (text === undefined || !/[\r\n]/.test(text)) return text;
  throw new InputError((words) => words.severalLines(input));
}

/** One header a line; empty lines do not count. */
function headerLines(text: string): Readonly<Record<string, string>> {
  let headers: Readonly<Record<string, string>> = {};
  const given = new Set<string>();
  for (const line of text.split(/\r\n?|\n/).filter((one) => one.trim() !== '')) {
    headers = headersOf(line.trim(), headers);
    const name = line.slice(0, line.indexOf(':')).trim();
    // It is unclear which of two secrets is meant.
    if (given.has(name.toLowerCase())) throw new InputError((words) => words.repeatedHeader(echoed(name)));
    given.add(name.toLowerCase());
  }
  return headers;
}

/** A boolean as the core schema of YAML 1.2 writes it. */
function booleanOf(input: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (['true', 'True', 'TRUE'].includes(text)) return true;
  if (['false', 'False', 'FALSE'].includes(text)) return false;
  throw new InputError((words) => words.badBoolean(input, echoed(text)));
}

function failOnOf(text: string | undefined): FailOn {
  const known = FAIL_ON.find((value) => value === (text ?? 'fail'));
  if (known !== undefined) return known;
  throw new InputError((words) => words.badChoice('fail-on', echoed(text ?? ''), FAIL_ON.join(', ')));
}

/** A label, or `true` for the usual one. */
function labelOf(text: string | undefined): string | null {
  if (text === undefined || ['false', 'False', 'FALSE'].includes(text)) return null;
  if (['true', 'True', 'TRUE'].includes(text)) return DEFAULT_LABEL;
  // GitHub takes a comma for the end of a label.
  if (text.length <= 50 && !/[,\p{C}]/u.test(text)) return text;
  throw new InputError((words) => words.badLabel(echoed(text)));
}

/** A name as GitHub accepts it, or `true` for the usual one. */
function artifactOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  if (['false', 'False', 'FALSE'].includes(text)) return null;
  if (['true', 'True', 'TRUE'].includes(text)) return DEFAULT_ARTIFACT;
  if (text.length <= 255 && !/["*/:<>?\\|\p{C}]/u.test(text)) return text;
  throw new InputError((words) => words.badArtifact(echoed(text)));
}

/** The inputs under the names that the command line knows them by. */
const INPUT_OF_OPTION: Readonly<Record<string, string>> = { header: 'headers' };
const OPTIONS =
  /(?<![\w-])--(full|only|skip|config|source|wait|stable|expect-version|version-from|since|strict|lang|host|header|browser|routes)\b(?!-)/g;

/** A message of the command line with the names of the inputs instead of those of options. */
export function inInputs(message: string): string {
  return message.replaceAll(OPTIONS, (_, option: string) => INPUT_OF_OPTION[option] ?? option);
}

/** A mistake in the inputs of the Action: reported in one line in its language, exit 2. */
export class InputError extends Error {
  readonly report: (words: ActionWords) => string;

  constructor(report: (words: ActionWords) => string) {
    super('input');
    this.report = report;
  }
}
