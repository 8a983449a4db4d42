/** The fault table's vocabulary. Rows are data; `faults.test.ts` runs each. */
import type { Status, Verdict } from '../../src/core/check.ts';
import type { FileReply } from '../site/handlers.ts';
import type { CertificateKind } from './certificates.ts';
import type { Script } from './script.ts';

/** The five, in the report's order. */
export const CHECKS = ['bundle', 'config', 'navigation', 'home', 'llms-txt'] as const;
export type CheckId = (typeof CHECKS)[number];

/** The file that each of the five asks for by default. */
export const FILES: Readonly<Record<CheckId, string>> = {
  bundle: 'index.html',
  config: 'config.json',
  navigation: 'navigation.md',
  home: 'index.md',
  'llms-txt': 'llms.txt',
};

/** The four that are not HTML. */
export const TEXTS = ['config', 'navigation', 'home', 'llms-txt'] as const satisfies readonly CheckId[];

/** How the sample site is served, and with which change. Nothing given: healthy, over HTTP, at the root. */
export interface Serving {
  /** Changed answers of an HTTP server, by path relative to the base. */
  readonly files?: Readonly<Record<string, FileReply>>;
  /** Raw answers, by path relative to the base. */
  readonly scripts?: Readonly<Record<string, Script>>;
  /** The path that the site lives under, e.g. `/docs/`. */
  readonly base?: string;
  /** Serve over TLS, with this certificate. Trusted through NODE_EXTRA_CA_CERTS where its kind may be. */
  readonly tls?: CertificateKind;
  /** The address to check, made from the served one (ends with a slash). */
  readonly address?: (url: string) => string;
  /** Stop listening before the command runs. */
  readonly gone?: boolean;
}

/** What the report should say of one check: its status and exactly these codes, in any order. */
export interface Outcome {
  readonly status: Status;
  readonly codes: readonly string[];
}

/** The content of a docvitals.json; only the ids of the user's own checks matter to the table. */
export interface Configuration {
  readonly checks?: readonly { readonly id: string }[];
  readonly [key: string]: unknown;
}

/** One row of the table. */
export interface Fault {
  readonly name: string;
  readonly serve: Serving;
  /** Checks that do not simply pass. Checks of the user's own may be named, too. */
  readonly expected: Readonly<Record<string, Outcome>>;
  readonly exit: 0 | 1 | 2 | 3;
  /** Absent: whatever follows from the statuses. */
  readonly verdict?: Verdict;
  /** Most milliseconds for the whole run. A ceiling against hangs, far above what it takes. */
  readonly mostMs: number;
  /** Most memory: peak resident size in MiB. Asserted of rows that start the command. */
  readonly mostMiB: number;
  /** Arguments beside `check <url> --format json`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The content of docvitals.json in the folder that the command runs in. */
  readonly config?: Configuration;
  /** `ulimit -n` for the command (not on Windows). */
  readonly descriptors?: number;
  /** Source of a module that is loaded before the command: a fault of the machine that it runs on. */
  readonly preload?: string;
}

type Options = Partial<Omit<Fault, 'name' | 'serve' | 'expected'>>;

// Retries are left out: they would only repeat the fault, more slowly. Where no silence is the fault, the limit of time
// only has to end a hang: a busy machine may take seconds to serve a file.
export const DEFAULTS = { mostMs: 30_000, mostMiB: 200, args: ['--retries', '0', '--timeout', '15s'] } as const;

/** For rows where silence is the fault. */
export const IMPATIENT: readonly string[] = ['--retries', '0', '--timeout', '2s'];

export const fail = (...codes: string[]): Outcome => ({ status: 'fail', codes });
export const warn = (...codes: string[]): Outcome => ({ status: 'warn', codes });
export const skip = (...codes: string[]): Outcome => ({ status: 'skip', codes });
export const unknown = (...codes: string[]): Outcome => ({ status: 'unknown', codes });

/** Exit status by DESIGN's rule: 1 when a check failed, else 3 when one could not be reported, else 0. */
function exitFor(expected: Fault['expected']): Fault['exit'] {
  const statuses = new Set(Object.values(expected).map(({ status }) => status));
  if (statuses.has('fail')) return 1;
  return statuses.has('unknown') ? 3 : 0;
}

/** One row. */
export function row(name: string, serve: Serving, expected: Fault['expected'], options: Options = {}): Fault {
  return { name, serve, expected, exit: exitFor(expected), ...DEFAULTS, ...options };
}

/** The same outcome for all five: the whole host is at fault. */
export function all(outcome: Outcome): Fault['expected'] {
  return Object.fromEntries(CHECKS.map((id) => [id, outcome]));
}

/** One changed answer for the file of one check, which fails with exactly these codes. */
export function file(id: CheckId, name: string, reply: FileReply, outcome: Outcome, options: Options = {}): Fault {
  return row(`${FILES[id]}: ${name}`, { files: { [FILES[id]]: reply } }, { [id]: outcome }, options);
}

/** A raw answer for the file of one check. */
export function raw(id: CheckId, name: string, script: Script, outcome: Outcome, options: Options = {}): Fault {
  return row(`${FILES[id]}: ${name}`, { scripts: { [FILES[id]]: script } }, { [id]: outcome }, options);
}

/** A healthy row: everything passes. */
export function healthy(name: string, serve: Serving, expected: Fault['expected'] = {}, options: Options = {}): Fault {
  return row(name, serve, expected, options);
}
