/** Applies a configuration that was changed while the monitor runs; an invalid one changes nothing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { MONITOR_PARTS } from '../../config/config.ts';
import { isModule, textOf } from '../../config/load.ts';
import { renderProblem } from '../../config/messages.ts';
import { ConfigError } from '../../config/problem.ts';
import { messagesIn } from '../../locales/messages.ts';
import { loadSettings, type ProjectSettings } from '../../project/settings.ts';
import type { Language } from '../../texts.ts';
import type { Log } from '../log/write.ts';

export interface WatchOptions {
  /** The file as found or given, relative to `cwd`; `null`: there was none, nothing is watched. */
  readonly file: string | null;
  /** What it held when the running configuration was read. */
  readonly text: string | null;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The language of the mistakes that are logged. */
  readonly language: Language;
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
  const { file, cwd, env, language, log, onChange, pollMs = POLL_MS } = options;
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
      const settings = await loadSettings({ config: file }, env, { cwd, needed: MONITOR_PARTS, version });
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
