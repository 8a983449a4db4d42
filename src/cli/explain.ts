import { nearest } from '../config/nearest.ts';
import type { Check } from '../check.ts';
import { explanation } from '../report/explanation.ts';
import { writeShown } from '../output.ts';
import { findCheck } from '../project/run-options.ts';
import { loadSettings, textsFor, type ProjectFlags } from '../project/settings.ts';
import { columnsOf, wantsColour } from './terminal.ts';
import { inLanguage, UsageError, echoed } from '../project/usage-error.ts';

/** Runs `docvitals explain <id>[/<code>]`; resolves with the exit status. */
export async function explain(
  subject: string,
  flags: ProjectFlags & { readonly color: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const { id, code } = await inLanguage(settings.language, () => readSubject(subject, settings.checks));
  const texts = await textsFor(settings);
  const source = code === undefined ? texts.page(id) : texts.section(id, code);
  const colour = wantsColour(process.stdout, env, flags.color);
  await writeShown(explanation(source ?? '', columnsOf(process.stdout, env), colour));
  return 0;
}

/** What is to be explained. Throws a `UsageError` for a check or a code that there is not. */
function readSubject(subject: string, checks: readonly Check[]): { id: string; code: string | undefined } {
  const [id = '', code] = subject.split('/');
  const codes = Object.keys(findCheck(checks, id, 'explain').rules);
  if (code === undefined || codes.includes(code)) return { id, code };
  const guess = nearest(code, codes) ?? null;
  throw new UsageError((messages) => messages.unknownCode(id, echoed(code), codes.join(', '), guess));
}
