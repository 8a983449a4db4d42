import path from 'node:path';
import { checks as builtIn } from '../../checks/index.ts';
import { OWN_RULES, ownCheck } from '../../checks/own/check.ts';
import type { Check } from '../core/check.ts';
import type { Config, NeededPart } from '../config/config.ts';
import { WITHHELD } from '../config/values.ts';
import type { Known } from '../config/inspect.ts';
import { isModule, loadConfig, type LoadOptions } from '../config/load.ts';
import { ConfigError, fileError, type ConfigProblem } from '../config/problem.ts';
import { writeErr } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { echoed, reporting, UsageError, type CONFIG, type FlagsOf, type SHARED } from './arguments.ts';
import { isInWorkspace, leadsOut, proposalIn } from './proposed.ts';
import { pickLanguage, type Language } from '../locales/language.ts';
import { loadTexts, textsOf, type Texts } from '../report/texts.ts';

/** What the command line and the configuration say together. */
export type ProjectSettings = Readonly<Awaited<ReturnType<typeof loadSettings>>>;

/** What the configuration sets and a run goes without, because it is for another address. */
export interface Unapplied {
  /** The origin of the run. */
  readonly address: string;
  readonly keys: readonly string[];
  /** `none`: the configuration names no address that its headers are for. */
  readonly named: 'other' | 'none';
}

/** The options that every command about a project's checks has. */
export type ProjectFlags = Partial<FlagsOf<typeof CONFIG & typeof SHARED>>;

type Loading = Partial<Pick<LoadOptions, 'cwd' | 'needed' | 'version'>>;

/** Loads the configuration of a folder; of what it says for the monitor, nothing is needed by default. Throws a `ConfigError`. */
export async function loadSettings(flags: ProjectFlags, env: NodeJS.ProcessEnv, options: Loading = {}) {
  const { cwd = process.cwd(), needed = [], version } = options;
  const proposal = proposalIn(env);
  const isProposal = proposal !== null && isInWorkspace(path.resolve(cwd, flags.config ?? ''), env);
  const demand = (file: string): void => {
    if (isProposal) demandHarmless(path.resolve(cwd, file), env);
  };
  // None of the secrets of the job may go where a proposal says.
  const visible = isProposal && proposal.hasSecrets ? WITHHELD : env;
  const source = { cwd, file: flags.config, env: visible, known: knownChecks(), demand };
  const { hints, ...whole } = await loadConfig({ ...source, needed, version });
  const loaded = isProposal ? { ...whole, config: harmless(whole.config, whole.file ?? '', needed, env) } : whole;
  const language = pickLanguage({ flag: flags.lang, config: loaded.config.language ?? undefined, env });
  reporting.language = language;
  await reportHints(hints, language);
  const checks = allChecks(loaded.config);
  const unapplied: Unapplied | null = null;
  return { ...loaded, language, checks, isProposal, unapplied: unapplied as Unapplied | null };
}

/** Prints the hints of a configuration on standard error, each once, however often the file is read. */
export async function reportHints(hints: readonly ConfigProblem[], language: Language): Promise<void> {
  if (hints.length === 0) return;
  const { renderProblem } = await import('../config/messages.ts');
  const printed = (reporting.hints ??= new Set());
  const lines = hints.map((hint) => `${renderProblem(hint, language)}\n`).filter((line) => !printed.has(line));
  for (const line of lines) printed.add(line);
  await writeErr(lines.join(''));
}

/** A configuration that is only proposed is no program, and nothing outside the workspace. Throws a `ConfigError`. */
function demandHarmless(location: string, env: NodeJS.ProcessEnv): void {
  const file = path.relative(process.cwd(), location);
  if (isModule(location)) throw fileError(file, { kind: 'proposed-program' });
  if (leadsOut(location, env)) throw fileError(file, { kind: 'proposed-link' });
}

/**
 * What a proposal sets, without a browser to run or to send pages to. Throws where it names a program that a command
 * runs, or a path outside the workspace: a `ConfigError`, a `UsageError`.
 */
function harmless(config: Config, file: string, needed: readonly NeededPart[], env: NodeJS.ProcessEnv): Config {
  const { alerts, sites, database } = config.monitor;
  if (needed.includes('alerts') && alerts.some(({ channel }) => channel.kind === 'command')) {
    const expected = { kind: 'proposed-command' } as const;
    throw new ConfigError([{ file, line: null, column: null, key: 'alerts', expected }]);
  }
  const paths = [
    ...(needed.includes('sites') ? sites.map(({ checking }) => ['source', checking.source] as const) : []),
    ...(needed.includes('monitor') ? [['monitor.database', database] as const] : []),
  ];
  for (const [key, named] of paths) {
    if (named !== null && !/^postgres(?:ql)?:/i.test(named)) demandInside(key, named, env);
  }
  const browser = { ...config.browser, path: null, address: null, sandbox: true };
  return { ...config, browser, monitor: { ...config.monitor, browser } };
}

/** A path that a proposal names is in the workspace. Throws a `UsageError`. */
export function demandInside(key: string, named: string, env: NodeJS.ProcessEnv): void {
  if (!leadsOut(named, env) && isInWorkspace(named, env)) return;
  throw new UsageError((messages) => messages.leadsOut(key, echoed(named)));
}

/** The declared checks, then the user's own. */
export function allChecks({ checks }: OwnChecks): readonly Check[] {
  return [...builtIn, ...checks.map((definition) => ownCheck(definition))];
}

type OwnChecks = Pick<Config, 'checks'>;

export async function textsFor({ config, language }: { config: OwnChecks; language: Language }): Promise<Texts> {
  return withOwnChecks(await loadTexts(language), config);
}

/** The same texts with those of the user's own checks. */
export function withOwnChecks(texts: Texts, { checks }: OwnChecks): Texts {
  const oneLine = (text: string): string => printable(text.trim().replaceAll(/[\r\n\t]+/g, ' '));
  const own = checks.map(({ id, title, fix }) => {
    const inLanguage = fix?.[texts.language] ?? fix?.en;
    return { id, title: oneLine(title), ...(inLanguage === undefined ? {} : { fix: oneLine(inLanguage) }) };
  });
  return own.length === 0 ? texts : textsOf(texts.language, texts.pages, own);
}

export function knownChecks(): Known {
  return {
    builtIn: Object.fromEntries(builtIn.map(({ id, rules }) => [id, Object.keys(rules)])),
    own: Object.keys(OWN_RULES),
    full: builtIn.filter(({ full }) => full).map(({ id }) => id),
  };
}
