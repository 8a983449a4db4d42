/**
 * Where findings are, as SARIF tells it (sections 3.28 and 3.29). Pure.
 *
 * A file that is known in the repository is relative to `%SRCROOT%`. A place that is known on the site only is
 * `docs.example.com/guide.md`, relative to nothing: GitHub's code scanning refuses a whole file in which one result has
 * no location, or one with a scheme that is not the checkout's (`https:` beside `file:`), and shows a relative one that
 * it does not find in the repository by its name alone. A path without the host could be taken for another file there.
 */
import type { Finding, Location } from '../check.ts';
import type { Locate, RepositoryLocation } from './options.ts';
import { repositoryLocationOf } from './location.ts';

/** A `physicalLocation`. */
export interface PhysicalLocation {
  readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: '%SRCROOT%' };
  /** Absent where the file as a whole is meant. */
  readonly region?: Region;
}

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Code scanning refuses a result with more than 1,000 locations and shows 100. */
const MOST_RELATED = 100;

/** What is needed to find places. */
export interface Whereabouts {
  readonly locate: Locate;
  /** The site's base URL. */
  readonly site: string;
}

/** Where a finding is: in the repository, on the site, or all that its check asked for, at `url`. */
export function primaryLocation(finding: Finding, url: string, { locate, site }: Whereabouts): PhysicalLocation {
  const repositoryLocation = repositoryLocationOf(finding, locate);
  if (repositoryLocation !== null) return inRepository(repositoryLocation);
  if (finding.location !== undefined) return onSite(finding.location, site);
  return { artifactLocation: { uri: siteUri(url) ?? siteUri(site) ?? 'site' } };
}

/** The other places where a finding shows. */
export function relatedLocations(
  { locations = [] }: Finding,
  primary: PhysicalLocation,
  { locate, site }: Whereabouts,
): readonly PhysicalLocation[] {
  const observed = new Set([JSON.stringify(primary)]);
  const others: PhysicalLocation[] = [];
  for (const location of locations) {
    if (others.length === MOST_RELATED) break;
    const repositoryLocation = locate(location);
    const physical = repositoryLocation === null ? onSite(location, site) : inRepository(repositoryLocation);
    const key = JSON.stringify(physical);
    if (!observed.has(key)) others.push(physical);
    observed.add(key);
  }
  return others;
}

/** Whether upload-sarif computes the fingerprint that code scanning compares: from the line, where it has the file. */
export function isLineOfRepository({ artifactLocation, region }: PhysicalLocation): boolean {
  return artifactLocation.uriBaseId !== undefined && region !== undefined;
}

function inRepository({ file, line, column }: RepositoryLocation): PhysicalLocation {
  return {
    artifactLocation: { uri: file.split('/').map(encoded).join('/'), uriBaseId: '%SRCROOT%' },
    ...(line === null ? {} : { region: regionOf(line, column ?? 1) }),
  };
}

function onSite({ path, line, column }: Location, site: string): PhysicalLocation {
  const base = siteUri(site) ?? 'site';
  return { artifactLocation: { uri: [base, ...segmentsOf(path)].join('/') }, region: regionOf(line, column) };
}

/** One character: where it begins is all that is known. */
function regionOf(line: number, column: number): Region {
  return { startLine: line, startColumn: column, endLine: line, endColumn: column + 1 };
}

/** `https://docs.example.com:8080/a/` → `docs.example.com%3A8080/a`; `null` for what is no web address. */
function siteUri(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host === '') return null;
  return [encodeURIComponent(parsed.host), ...segmentsOf(decoded(parsed.pathname))].join('/');
}

/** What a site says must not lead out of its own name. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => !['', '.', '..'].includes(segment))
    .map(encoded);
}

function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
