/** What a monitor, a coordinator and a runner share: they start, follow their configuration, and stop in time. */
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { MONITOR_PARTS } from '../config/config.ts';
import { isModule, textOf } from '../config/load.ts';
import { renderProblem } from '../config/messages.ts';
import { ConfigError } from '../config/problem.ts';
import { ProxyError, proxyFor } from '../http/address.ts';
import { messagesIn } from '../locales/messages.ts';
import { startWatchdog, type Watchdog } from '../monitor/engine/watchdog.ts';
import { type Log, openLog } from '../monitor/log/write.ts';
import type { MonitorSettings } from '../monitor/settings.ts';
import { endedBy, listenForInterrupts, wantsColour } from '../options/process.ts';
import { loadSettings, type ProjectSettings } from '../options/settings.ts';
import { demandBrowser, siteRun } from '../options/run-options.ts';
import { UsageError } from '../options/arguments.ts';
import type { Language } from '../locales/language.ts';
import type { Flags } from './commands.ts';

export type Begun = Awaited<ReturnType<typeof begin>>;

export interface Service {
  reload(settings: MonitorSettings): void | Promise<void>;
  /** Resolves with `false` where not everything could be written. */
  stop(): Promise<boolean | void>;
}

/** Listens for SIGHUP (not with `once`), reads the configuration and opens the log. Rejects with a `ConfigError` or a `UsageError`. */
export async function begin(flags: Flags<'coordinator' | 'runner'> & { readonly once?: boolean }) {
  const hangups = flags.once ? null : listenForHangups();
  const settings = await loadSettings(flags, env, { needed: MONITOR_PARTS });
  await demandSites(settings.config.monitor);
  const stream = flags.once ? process.stderr : process.stdout;
  const format = flags.log ?? (stream.isTTY ? 'pretty' : 'json');
  const opened = openLog({
    stream,
    format,
    language: settings.language,
    // What `--once` prints in the end says the rest.
    least: flags.quiet || flags.once ? 'warn' : 'info',
    colour: wantsColour(stream, env, flags.color),
    now: Date.now,
  });
  return { settings, opened, pretty: format === 'pretty', hangups };
}

/** Listens for SIGHUP from now on, for it ends a process that does not. */
function listenForHangups() {
  const { isatty } = process.getBuiltinModule('node:tty');
  const terminals = [0, 1].filter((stream) => isatty(stream));
  const [received, terminalGone] = [new AbortController(), new AbortController()];
  process.on('SIGHUP', () => {
    received.abort();
    if (terminals.some((stream) => !isatty(stream))) terminalGone.abort();
  });
  return {
    received: received.signal,
    /** Aborted when the terminal was closed that this process was started on: no one sees the output any more. */
    terminalGone: terminalGone.signal,
  };
}

/** There is a site to watch, requests can be sent at all, and there is a browser where one is configured. */
async function demandSites({ sites, browser }: MonitorSettings): Promise<void> {
  if (sites.length === 0) throw new UsageError((messages) => messages.nothingToWatch());
  try {
    for (const site of sites) proxyFor(siteRun(site, 'full', env).site.base, env);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    throw new UsageError((messages) => messages.badProxy(error.variable));
  }
  if (sites.some((site) => site.browser !== null)) await demandBrowser(browser, env);
}

/** Longest time from the first signal to the end of the process: what has not ended by then is left as after a crash. */
const END_MS = 6_000;

/** How long a slow reader of the log is waited for. */
export const FLUSH_LOG_MS = 300;

/**
 * Runs a service until it is stopped; resolves with the exit status, which `start` gives where it cannot start now.
 * `watched`: the file of the watchdog.
 */
export async function runService(
  begun: Begun,
  watched: string,
  start: (watchdog: Watchdog) => Promise<Service | number>,
): Promise<number> {
  const { settings, opened, hangups } = begun;
  const { log } = opened;
  const interrupts = listenForInterrupts();
  const tooManyErrors = keepAlive(log);
  const watchdog = startWatchdog({ file: watched, log });
  const service = await start(watchdog);
  if (typeof service === 'number') return service;
  const { file, text, language } = settings;
  const onChange = async ({ config }: ProjectSettings): Promise<void> => service.reload(config.monitor);
  const reloads = watchConfig({ file, text, cwd: process.cwd(), env, language, log, onChange });
  if (hangups?.received.aborted) void reloads.reload();
  const ends = [interrupts.signal, tooManyErrors, ...(hangups === null ? [] : [hangups.terminalGone])];
  await endedBy(AbortSignal.any(ends));
  const began = performance.now();
  const status = tooManyErrors.aborted ? 3 : 0;
  const cut = setTimeout(() => process.exit(status), END_MS);
  log('info', 'monitor-stopping');
  reloads.close();
  const isKept = await service.stop();
  await watchdog.stop();
  clearTimeout(cut);
  log('info', 'monitor-stopped', { durationMs: Math.round(performance.now() - began) });
  await opened.flush(FLUSH_LOG_MS);
  return isKept === false ? 3 : status;
}

/* A configuration that was changed while a service runs; an invalid one changes nothing. */

interface WatchOptions extends Pick<ProjectSettings, 'file' | 'text' | 'language'> {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called with a new valid configuration that has sites, one after the other. */
  readonly onChange: (settings: ProjectSettings) => void | Promise<void>;
  /** How often the file is read; for tests. */
  readonly pollMs?: number;
}

const POLL_MS = 500;

/**
 * Follows the file that the monitor was started with, and SIGHUP. A module (`.ts`, `.js`, `.mjs`) is run again, at SIGHUP
 * always; what it imports is not, so that a change there needs a restart.
 *
 * The file is polled: there are no events of links, network folders and files that are mounted into a container, and a
 * configuration is small. This keeps no process alive.
 */
export function watchConfig(options: WatchOptions) {
  const { file, cwd, log, language, onChange, pollMs = POLL_MS } = options;
  if (file === null) return { reload: () => Promise.resolve(), close: () => {} };
  /** What the running configuration was read from. */
  let accepted = options.text;
  /** What was accepted or refused last. */
  let evaluated = accepted;
  let versions = 0;
  const closing = new AbortController();
  const { signal } = closing;
  /** `null`: it cannot be read. */
  const readText = (): Promise<string | null> => textOf(file, cwd).catch(() => null);

  const evaluate = async (content: string | null): Promise<void> => {
    evaluated = content;
    try {
      const version = `${process.pid}-${++versions}`;
      const settings = await loadSettings({ config: file }, options.env, { cwd, needed: MONITOR_PARTS, version });
      const { sites, alerts } = settings.config.monitor;
      if (sites.length === 0) throw new Error(`${file}: ${messagesIn(language).nothingToWatch()}`);
      if (signal.aborted) return;
      await onChange(settings);
      accepted = content;
      log('info', 'config-reloaded', { file, sites: sites.length, routes: alerts.length });
    } catch (error) {
      if (!signal.aborted) log('error', 'config-refused', { file, mistakes: mistakesOf(error, language) });
    }
  };
  const evaluateOnSignal = async (): Promise<void> => {
    if (signal.aborted) return;
    const content = await readText();
    if (content !== accepted || isModule(file)) return evaluate(content);
    evaluated = content;
    log('info', 'config-unchanged', { file });
  };

  let working = Promise.resolve();
  const queue = (task: () => Promise<void>): Promise<void> => (working = working.then(task));
  /** Reads the file again now, as SIGHUP does. Resolves once it was applied, refused, or found to be the same. */
  const reload = (): Promise<void> => queue(evaluateOnSignal);
  const onSignal = (): void => void reload();
  const follow = async (): Promise<void> => {
    let before: string | null | undefined;
    while (!signal.aborted) {
      const content = await readText();
      // Half of a file may be valid, too: it is evaluated once it stays the same.
      const isNew = content === before && content !== evaluated;
      if (isNew && content !== accepted) await queue(() => (signal.aborted ? Promise.resolve() : evaluate(content)));
      else if (isNew) evaluated = content;
      before = content;
      await sleep(pollMs, undefined, { ref: false });
    }
  };
  process.on('SIGHUP', onSignal);
  void follow();
  return {
    reload,
    /** Idempotent. */
    close: (): void => {
      process.off('SIGHUP', onSignal);
      closing.abort();
    },
  };
}

function mistakesOf(error: unknown, language: Language): readonly string[] {
  if (error instanceof ConfigError) return error.problems.map((problem) => renderProblem(problem, language));
  return [error instanceof Error ? error.message : String(error)];
}

/** Unexpected errors within {@link WINDOW_MS}: after more of them the process ends, so that it is started again. */
const MOST = 20;
const WINDOW_MS = 60_000;

/** Logs unexpected errors, which end the command line: a thousand other sites are still to be watched. Aborts after too many. */
function keepAlive(log: Log): AbortSignal {
  const tooMany = new AbortController();
  let lately: readonly number[] = [];
  const onError = (error: unknown): void => {
    const { message, stack = null } = error instanceof Error ? error : { message: String(error) };
    log('error', 'unexpected-error', { error: message, stack });
    const now = performance.now();
    lately = [...lately.filter((at) => now - at < WINDOW_MS), now];
    if (lately.length > MOST) tooMany.abort();
  };
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.removeAllListeners(event);
    process.on(event, onError);
  }
  return tooMany.signal;
}
