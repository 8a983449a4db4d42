import { env } from 'node:process';
import type { Flags } from './commands.ts';
import examples from '../generated/examples.json' with { type: 'json' };
import { writeOut } from '../text/output.ts';
import { knownWord, UsageError } from '../options/arguments.ts';
import { table } from '../text/width.ts';
import { pickLanguage } from '../locales/language.ts';
import { printedFiles, writeNewFiles } from './files.ts';
import { examplesWords } from '../generated/locales/examples.ts';

export async function example(given: string | undefined, flags: Flags<'example'>): Promise<void> {
  const { out, force } = flags;
  const names = Object.keys(examples) as readonly (keyof typeof examples)[];
  if (given === undefined) {
    if (out !== undefined) throw new UsageError((messages) => messages.missingArgument('name'));
    const words = examplesWords(pickLanguage({ flag: flags.lang, config: undefined, env }));
    await writeOut(`${table(names.map((one) => [one, words.about[one]]))}\n${words.hint}\n`);
    return;
  }
  const name = knownWord(given, names, (messages, ...facts) => messages.unknownExample(...facts));
  const files = examples[name];
  if (out === undefined) await writeOut(printedFiles(files));
  else await writeNewFiles(files, out, force === true);
}
