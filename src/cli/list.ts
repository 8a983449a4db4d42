import stringWidth from 'string-width';
import { printable } from '../printable.ts';
import { writeOut } from '../output.ts';
import { loadSettings, textsFor, type ProjectFlags } from '../project/settings.ts';

/** Runs `docvitals list`; resolves with the exit status. */
export async function list(flags: ProjectFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const settings = await loadSettings(flags, env, process.cwd());
  const texts = await textsFor(settings);
  const rows = settings.checks.map(({ id, target, full }) => [
    id,
    printable(texts.check(id)?.title ?? id),
    printable(`GET /${target}`),
    full ? '--full' : '',
  ]);
  const widths = [0, 1, 2].map((cell) => Math.max(...rows.map((row) => stringWidth(row[cell] ?? ''))));
  const padded = (text: string, cell: number): string =>
    text + ' '.repeat(Math.max(0, (widths[cell] ?? 0) - stringWidth(text)));
  const lines = rows.map(
    (row) =>
      `${row
        .map((text, cell) => padded(text, cell))
        .join('  ')
        .trimEnd()}\n`,
  );
  await writeOut(lines.join(''));
  return 0;
}
