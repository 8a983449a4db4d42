import { stat } from 'node:fs/promises';
import type { HostKind } from '../check.ts';
import { startPreview, type Preview } from '../hosting/preview.ts';
import type { HostRules } from '../hosting/rules.ts';
import { loadMessages } from '../messages/load.ts';
import { printable } from '../printable.ts';
import { pickLanguage, type Language } from '../texts.ts';
import { echoed } from '../project/echoed.ts';
import { writeOut } from '../output.ts';
import { listenForInterrupts } from './signals.ts';
import { UsageError } from '../project/usage-error.ts';

/** The options of `docvitals serve`, read. */
export interface ServeFlags {
  readonly host: HostKind;
  readonly port: number;
  /** Begins and ends with a slash. */
  readonly base: string;
  readonly improved?: true;
  readonly lang?: Language;
}

/** Runs `docvitals serve` until Ctrl-C, which is its normal end; resolves with the exit status. */
export async function serve(folder: string, flags: ServeFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(folder)));
  const messages = await loadMessages(pickLanguage({ flag: flags.lang, config: undefined, env }));
  const rules = { kind: flags.host, base: flags.base, improved: flags.improved === true };
  const interrupts = listenForInterrupts();
  const preview = await start(folder, rules, flags.port);
  await writeOut(
    `${messages.serving(printable(folder), flags.host, preview.url)}\n` +
      `${messages.checkPreview(`docvitals check ${preview.url} --full --host ${flags.host}`)}\n`,
  );
  await ended(interrupts.signal);
  await preview.close();
  interrupts.dispose();
  return 0;
}

async function start(folder: string, rules: HostRules, port: number): Promise<Preview> {
  try {
    return await startPreview(folder, rules, port);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new UsageError((messages) =>
      code === 'EADDRINUSE' ? messages.portTaken(String(port)) : messages.cannotListen(String(port), code),
    );
  }
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
