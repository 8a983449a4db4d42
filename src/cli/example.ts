import type { Flags } from './commands.ts';
import { EXAMPLE_NAMES, readExample } from '../monitor/examples/examples.ts';
import { writeOut } from '../output.ts';
import { knownWord } from '../project/arguments.ts';
import { UsageError } from '../project/usage-error.ts';
import { pickLanguage, type Language } from '../texts.ts';
import { printedFiles, writeNewFiles } from './files.ts';
import { examplesWords } from '../generated/locales/examples.ts';

type ExampleFlags = Flags<'example'>;

export async function example(given: string | undefined, flags: ExampleFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const { out, force } = flags;
  if (given === undefined) {
    if (out !== undefined) throw new UsageError((messages) => messages.missingArgument('name'));
    await writeOut(await listed(pickLanguage({ flag: flags.lang, config: undefined, env })));
    return 0;
  }
  const name = knownWord(given, EXAMPLE_NAMES, (messages, ...facts) => messages.unknownExample(...facts));
  const files = await readExample(name);
  if (out === undefined) await writeOut(printedFiles(files));
  else await writeNewFiles(files, out, force === true);
  return 0;
}

async function listed(language: Language): Promise<string> {
  const words = examplesWords(language);
  const widest = Math.max(...EXAMPLE_NAMES.map((name) => name.length));
  const lines = EXAMPLE_NAMES.map((name) => `${name.padEnd(widest)}  ${words.about[name]}\n`);
  return `${lines.join('')}\n${words.hint}\n`;
}
