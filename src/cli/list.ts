import { printable } from '../printable.ts';
import { writeShown } from '../output.ts';
import { loadSettings, textsFor, type ProjectFlags } from '../project/settings.ts';
import { neededOption } from '../report/rule-explanation.ts';
import { table } from './terminal.ts';

export async function list(flags: ProjectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const texts = await textsFor(settings);
  const rows = settings.checks.map((check) => [
    check.id,
    printable(texts.check(check.id)?.title ?? check.id),
    printable(`GET /${check.target}`),
    check.full ? neededOption(check).split(' ', 1)[0] || '--full' : '',
  ]);
  await writeShown(table(rows));
  return 0;
}
