import { printable } from '../printable.ts';
import { writeShown } from '../output.ts';
import { loadSettings, textsFor, type ProjectFlags } from '../project/settings.ts';
import { table } from './terminal.ts';

export async function list(flags: ProjectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const texts = await textsFor(settings);
  const rows = settings.checks.map(({ id, target, full }) => [
    id,
    printable(texts.check(id)?.title ?? id),
    printable(`GET /${target}`),
    full ? '--full' : '',
  ]);
  await writeShown(table(rows));
  return 0;
}
