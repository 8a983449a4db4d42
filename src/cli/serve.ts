import type { Flags } from './commands.ts';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { env } from 'node:process';
import { startStaticServer } from '../hosting/static-server.ts';
import { printable } from '../text/printable.ts';
import { pickLanguage } from '../locales/language.ts';
import { UsageError } from '../options/arguments.ts';
import { demandFolder } from './files.ts';
import { writeErr, writeOut } from '../text/output.ts';
import { endedBy, listenForInterrupts } from '../options/process.ts';
import { messagesIn } from '../locales/messages.ts';

/** Runs `docvitals serve` until Ctrl-C, which is its normal end; resolves with the exit status. */
export async function serve(folder: string, flags: Flags<'serve'>): Promise<void> {
  await demandFolder(folder);
  const messages = messagesIn(pickLanguage({ flag: flags.lang, config: undefined, env }));
  const rules = { kind: flags.host, base: flags.base, improved: flags.documented !== true };
  const interrupts = listenForInterrupts();
  const port = String(flags.port);
  const server = await startStaticServer(folder, rules, flags.port).catch(({ code = '' }: NodeJS.ErrnoException) => {
    throw new UsageError((words) => (code === 'EADDRINUSE' ? words.portTaken(port) : words.cannotListen(port, code)));
  });
  const missing = await missingFiles(folder);
  if (missing.length > 0) await writeErr(`${messages.missingInFolder(printable(folder), missing.join(', '))}\n`);
  await writeOut(
    `${messages.serving(printable(folder), flags.host, server.url)}\n` +
      `${messages.checkPreview(`docvitals check ${server.url} --full --host ${flags.host}`)}\n`,
  );
  await endedBy(interrupts.signal);
  await server.close();
}

/** The default files that a folder without a bundle lacks. With one, it is for the engine to say which files it needs. */
async function missingFiles(folder: string): Promise<readonly string[]> {
  const isMissing = async (file: string): Promise<boolean> =>
    (await stat(path.join(folder, file)).catch(() => null))?.isFile() !== true;
  if (!(await isMissing('index.html'))) return [];
  const others = ['config.json', 'navigation.md', 'index.md', 'llms.txt'];
  const found = await Promise.all(others.map(async (file) => ((await isMissing(file)) ? [file] : [])));
  return ['index.html', ...found.flat()];
}
