import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from '../check.ts';
import { makeFolder } from '../make-folder.ts';
import { OutputError, writeFileWhole } from '../output.ts';
import type { FormatName } from '../report/format-names.ts';
import { loadFormat } from '../report/formats.ts';
import type { ReportOptions } from '../report/options.ts';

/** None of them is a name that a configuration could have. */
const FILES: Readonly<Partial<Record<FormatName, string>>> = {
  json: 'report.json',
  junit: 'report.junit.xml',
  sarif: 'report.sarif',
  html: 'report.html',
  markdown: 'report.md',
};

/** Where the report files are. */
export interface ReportFiles {
  readonly folder: string;
  /** The path of the report as JSON. */
  readonly json: string;
}

/**
 * Writes one report in all formats of files into a folder; into a new one of the runner's where none is given, so that
 * two steps of a job do not overwrite each other's. What is checked out may hold links under the names of the files: they
 * are replaced, and lead nowhere. Rejects with an `OutputError`.
 */
export async function writeReports(
  report: Report,
  options: ReportOptions,
  location: { readonly folder: string | undefined; readonly temporary: string | undefined; readonly workspace: string },
): Promise<ReportFiles> {
  const folder = await folderOf(location);
  for (const [format, name] of Object.entries(FILES)) {
    const make = await loadFormat(format as FormatName);
    await writeFileWhole(path.join(folder, name), make(report, options), { links: 'replace' });
  }
  return { folder, json: path.join(folder, 'report.json') };
}

async function folderOf({ folder, temporary, workspace }: Parameters<typeof writeReports>[2]): Promise<string> {
  const wanted = folder === undefined ? (temporary ?? tmpdir()) : path.resolve(workspace, folder);
  try {
    if (folder === undefined) return await mkdtemp(path.join(wanted, 'docvitals-'));
    await makeFolder(wanted);
    return wanted;
  } catch (error) {
    throw new OutputError(wanted, error);
  }
}
