/** Where a finding is: in the repository where that is known, else on the site. Pure. */
import type { Finding, Location } from '../core/finding.ts';
import type { Report } from '../core/check.ts';
import { printable } from '../text/printable.ts';
import type { Source } from '../source/types.ts';

/** From a location on the site to the one in the repository; `null`: not known there. */
export type Locate = (location: Location) => RepositoryLocation | null;

/** Where a finding is in the repository of the site. */
export interface RepositoryLocation {
  readonly file: string;
  /** `null`: another version of the file is live. */
  readonly line: number | null;
  readonly column: number | null;
}

export const LOCATE_NOTHING: Locate = () => null;

export function repositoryLocationOf({ location, evidence }: Finding, locate: Locate): RepositoryLocation | null {
  if (location !== undefined) return locate(location);
  // A file as a whole, or the first of several that are old: the line is not known.
  const path = [evidence['path'] ?? null, evidence['old'] ?? null].flat().find((value) => typeof value === 'string');
  const inRepository = path === undefined ? null : locate({ path, line: 1, column: 1 });
  return inRepository === null ? null : { ...inRepository, line: null, column: null };
}

export function shownLocation(location: Location, locate: Locate = LOCATE_NOTHING): string {
  const { file, line, column } = locate(location) ?? { ...location, file: location.path };
  return [printable(file), line, column].filter((part) => part !== null).join(':');
}

/** All locations of a finding, the first one first and each once; of a file as a whole that, where it is known. */
export function locationsOrFileOf(finding: Finding, locate: Locate): readonly string[] {
  const { location, locations = [] } = finding;
  const all = [...(location === undefined ? [] : [location]), ...locations];
  if (all.length > 0) return [...new Set(all.map((one) => shownLocation(one, locate)))];
  const file = repositoryLocationOf(finding, locate);
  return file === null ? [] : [printable(file.file)];
}

/** How locations on the site are found in the repository, as far as `--source` knows it. */
export async function locator(source: Source | null, report: Report): Promise<Locate> {
  // A report that names no file needs no source to be read.
  if (source === null || !report.checks.some(({ findings }) => findings.some(namesFile))) return LOCATE_NOTHING;
  try {
    const folder = await source.repositoryFolder();
    // A manifest has no folder.
    if (folder === null) return LOCATE_NOTHING;
    const named = nameIn(await source.files());
    const hasLines = linesOf(report);
    return (location: Location) => {
      const name = named(location.path);
      if (name === null) return null;
      const file = folder === '' ? name : `${folder}/${name}`;
      const { line, column } = hasLines(location) ? location : { line: null, column: null };
      return { file, line, column };
    };
  } catch {
    // The check that compares with the source reports why it cannot be read.
    return LOCATE_NOTHING;
  }
}

function namesFile({ location, evidence: { path, old } }: Finding): boolean {
  return location !== undefined || path !== undefined || old !== undefined;
}

/** Links are often in another Unicode form than file systems. */
function nameIn(files: ReadonlyMap<string, unknown>): (path: string) => string | null {
  const composed = new Map([...files.keys()].map((name) => [name.normalize('NFC'), name]));
  return (path) => (files.has(path) ? path : (composed.get(path.normalize('NFC')) ?? null));
}

/** Lists in evidence are cut at this length. */
const LONGEST_LIST = 20;

/** Whether a line is that of the source: files that are live in another version have other lines. */
function linesOf({ checks }: Report): (location: Location) => boolean {
  const findings = checks
    .filter(({ role }) => role === 'source')
    .flatMap((result) => result.findings)
    // Other line ends move no line.
    .filter(({ rule }) => rule !== 'line-endings');
  const others = new Set(findings.flatMap(otherVersions));
  const own = new Set(findings.flatMap(({ location }) => (location === undefined ? [] : [keyOf(location)])));
  const isCut = findings.some(({ evidence: { old } }) => Array.isArray(old) && old.length >= LONGEST_LIST);
  return (location) => own.has(keyOf(location)) || !(isCut || others.has(location.path));
}

function otherVersions({ rule, evidence: { path, old } }: Finding): readonly string[] {
  // The locations of a page that is gone are in the pages that link to it.
  const alone = rule !== 'gone' && typeof path === 'string' ? [path] : [];
  return [...alone, ...(Array.isArray(old) ? old.map(String) : [])];
}

function keyOf({ path, line, column }: Location): string {
  return `${line}:${column}:${path}`;
}
