import { nearest } from '../config/nearest.ts';
import { explanation } from '../report/explanation.ts';
import { printable } from '../report/printable.ts';
import { writeOut } from './output.ts';
import { findCheck } from './select.ts';
import { loadSettings, textsFor, type ProjectFlags } from './settings.ts';
import { columnsOf, wantsColour } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** Runs `docvitals explain <id>[/<code>]`; resolves with the exit status. */
export async function explain(
  subject: string,
  flags: ProjectFlags & { readonly color: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const [id = '', code] = subject.split('/');
  const check = findCheck(settings.checks, id, 'explain');
  const codes = Object.keys(check.codes);
  if (code !== undefined && !codes.includes(code)) {
    const guess = nearest(code, codes) ?? null;
    throw new UsageError((messages) => messages.unknownCode(id, printable(code), codes.join(', '), guess));
  }
  const texts = await textsFor(settings);
  const source = code === undefined ? texts.check(id)?.page : texts.finding(id, code)?.section;
  const colour = wantsColour(process.stdout, env, flags.color);
  await writeOut(explanation(source ?? '', columnsOf(process.stdout, env), colour));
  return 0;
}
