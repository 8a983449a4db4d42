/** Options of the command line as tables: the program, its help and the types of what a command receives are made of them. */
import { ENGINE_IDS } from '../engines/engine.ts';
import { HOST_NAMES_HELP } from '../hosting/rules.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { LANGUAGES } from '../texts.ts';
import {
  countOf,
  durationOf,
  headersOf,
  hostOf,
  idList,
  MOST_STABLE,
  oneOf,
  rateOf,
  reportTargets,
  resolveRules,
  sinceOf,
  versionFromOf,
  versionOf,
  type Parse,
} from './arguments.ts';
import { routesOf } from './browser.ts';

/** An option: its text in the help, or more than that. Without `parse`, a value is any text but an empty one. */
export interface Option<T = unknown> {
  readonly about: string;
  readonly parse?: Parse<T>;
  readonly initial?: T;
  /** The values that the help lists. */
  readonly choices?: readonly string[];
  /** The option that cannot be given together with this one. */
  readonly conflicts?: string;
  readonly mandatory?: true;
}

/** Options by their flags: `--strict`, `--out <file>`, `--browser [address]`, `--no-compare`. */
// eslint-disable-next-line typescript/no-explicit-any -- each option has a type of its own
export type Options = Readonly<Record<`--${string}`, string | Option<any>>>;

type CamelCase<Name> = Name extends `${infer Word}-${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name;

type NameOf<Flag> = Flag extends `--${infer Name} ${string}`
  ? CamelCase<Name>
  : Flag extends `--no-${infer Name}`
    ? CamelCase<Name>
    : Flag extends `--${infer Name}`
      ? CamelCase<Name>
      : never;

type ValueOf<Flag, Declared> = Declared extends { readonly parse: (...given: never[]) => infer T }
  ? T
  : Flag extends `${string} <${string}`
    ? string
    : Flag extends `${string} [${string}`
      ? boolean | string
      : boolean;

type Values<Table> = { readonly [Flag in keyof Table as NameOf<Flag>]: ValueOf<Flag, Table[Flag]> };

type HasValue = [`--no-${string}`, unknown] | [string, { readonly initial: unknown } | { readonly mandatory: true }];

/** The options that always have a value. */
type Always<Table> = {
  [Flag in keyof Table]: [Flag, Table[Flag]] extends HasValue ? NameOf<Flag> : never;
}[keyof Table];

export type FlagsOf<Table> = Partial<Values<Table>> & Pick<Values<Table>, Always<Table>>;

export function read<T>(about: string, parse: Parse<T>) {
  return { about, parse };
}

/** An option with one of a few values, which the help lists. */
export function choice<const V extends string>(about: string, values: readonly V[]) {
  return { about, parse: oneOf(values), choices: values };
}

/** What every command has. */
export const SHARED = {
  '--lang <language>': choice('language of the texts (default: configuration, then locale)', LANGUAGES),
  '--no-color': 'no colours (also: NO_COLOR=1)',
} satisfies Options;

export const CONFIG = {
  '--config <file>': 'configuration file (default: docvitals.yaml, .yml, .json or .config.ts here)',
} satisfies Options;

export const CHECK = {
  '--site <id>': 'check this site of the configuration, as the monitor does',
  '--full': 'run all checks, not only the core checks',
  '--only <ids>': read('run only these checks (comma-separated, repeatable)', idList),
  '--skip <ids>': read('skip these checks', idList),
  '--format <format>': { ...choice('report format', FORMAT_NAMES), initial: 'pretty' },
  '--report <format=file>': read('also write a report to a file (repeatable)', reportTargets),
  '--source <what>': 'compare with the source: a folder, a Git ref (HEAD:docs) or manifest.json',
  '--host <kind>': read(`kind of host: ${HOST_NAMES_HELP} (default: detected)`, hostOf),
  '--engine <name>': choice('documentation engine (default: detected)', ENGINE_IDS),
  '--browser [address]': 'open pages in a browser too (a running one: ws:// or CDP address)',
  '--browser-path <file>': 'file of the browser (default: Chrome, Chromium or Edge)',
  '--routes <count>': read('pages to open besides the home page: a number or all (default: 5)', routesOf),
  '--screenshots <folder>': 'also write a screenshot of each page opened',
  '--external': 'check links to other sites too',
  '--max-pages <count>': read('maximum number of pages (default: 10000)', countOf(1, 1_000_000)),
  '--max-depth <count>': read('maximum number of links from the navigation to a page (default: 50)', countOf(0, 1000)),
  '--rate <count>': read('maximum requests per second to one host (default: as fast as it responds)', rateOf),
  '--wait <duration>': read('wait until the new version is live and healthy, e.g. up to 5m', durationOf()),
  '--stable <count>': read('consecutive healthy runs that --wait needs (default: 2)', countOf(1, MOST_STABLE)),
  '--expect-version <version>': read('version that should be live, such as the deployed commit', versionOf),
  '--version-from <location>': read(
    'where the site publishes it: <path>#<JSON pointer or regular expression> (default: version.json, <meta>, headers)',
    versionFromOf,
  ),
  '--since <what>': read('ETag or date of the bundle before the deployment, or now', sinceOf),
  '--timeout <duration>': read('timeout of one request (default: 10s)', durationOf()),
  '--deadline <duration>': read('timeout of the run (default: 60s; 5m with --full or --source)', durationOf()),
  '--retries <count>': read('retries after network failures, 408, 429 and 5xx (default: 2)', countOf(0, 10)),
  '--header <name: value>': read("request header for the site's own origin, never printed (repeatable)", headersOf),
  '--resolve <host:port:address>': read('connect to this address instead, like curl (repeatable)', resolveRules),
  '--ipv4': { about: 'use IPv4 only', conflicts: 'ipv6' },
  '--ipv6': { about: 'use IPv6 only', conflicts: 'ipv4' },
  ...CONFIG,
  '--strict': 'warnings fail too',
  '--verbose': { about: 'show timings and documented actions', conflicts: 'quiet' },
  '--quiet': { about: 'show only what needs attention', conflicts: 'verbose' },
} satisfies Options;

/** The options of `docvitals check`, read. Times are in milliseconds; what is absent is left to the configuration. */
export interface CheckFlags extends FlagsOf<typeof CHECK & typeof SHARED> {
  /** Other versions that are as good; only set where the version was not named by a person. */
  readonly versionAlternatives?: readonly string[];
  /** The site does not have to publish its version; set where the version was not named by a person. */
  readonly versionOptional?: true;
}
