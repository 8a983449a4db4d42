/** The commands that give files the names by which they are linked, where only the letter case differs. Pure. */
import { posix } from 'node:path';
import type { Crawl } from '../../src/check.ts';
import { renameCommand } from '../../src/shell-word.ts';

/** What a site is deployed from. */
export interface SourceFiles {
  readonly paths: ReadonlySet<string>;
  /** The source's folder in its repository; `null`: not known. */
  readonly folder: string | null;
}

/** Commands, by the path that is linked and missing. */
export type Renames = ReadonlyMap<string, string>;

/** None for a file that other links name as it is, or in a third way: a new name would break them. */
export function renamesOf({ pages, files, links }: Crawl, source: SourceFiles | null): Renames {
  const wrong = [...links.faults.values()].filter(({ diagnosis }) => diagnosis?.rule === 'letter-case');
  const byFile = Map.groupBy(wrong, ({ diagnosis }) => diagnosis?.suggestion ?? '');
  const commands = new Map<string, string>();
  for (const [from, [fault, ...others]] of byFile) {
    const linked = (pages.get(from) ?? files.get(from))?.count ?? 0;
    if (fault === undefined || others.length > 0 || linked > 0) continue;
    if (source !== null && !source.paths.has(from)) continue;
    const command = renameCommand(posix.join(source?.folder ?? '', from), posix.join(source?.folder ?? '', fault.path));
    if (command !== null) commands.set(fault.path, command);
  }
  return commands;
}
