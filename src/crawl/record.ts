/** What a crawl found, as it is reported. */
import type { CrawledPage, Diagnosis, LinkedFile, Location, TargetFault } from '../check.ts';
import type { MarkdownLink } from '../parse/markdown.ts';
import type { Target } from './frontier.ts';
import { MOST_OF_A_PAGE, copiedString } from './link-locations.ts';
import type { Visit } from './visit.ts';

/** A fault whose diagnosis comes later. */
export interface Fault extends TargetFault {
  readonly ok: boolean;
  /** As the first link to it names it. */
  readonly written: string;
  diagnosis: Diagnosis | null;
  /** Whether nobody answered. */
  readonly nobody: boolean;
}

/** Keeps the links of roots only. Places are made when they are requested: a large site has very many. */
export function pageOf(target: Target, visit: Visit): CrawledPage {
  const { path, url, depth } = target;
  const { ok, status, mediaType, sha256, bytes } = visit;
  return {
    path,
    url,
    depth,
    ok,
    status,
    mediaType,
    sha256,
    bytes,
    facts: visit.facts && { ...visit.facts, links: depth === 0 ? ownLinks(visit.facts.links) : [] },
    get reachable(): boolean {
      return target.reachable;
    },
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}

/** The first of them, without a hold on the text that they were read from. */
function ownLinks(links: readonly MarkdownLink[]): readonly MarkdownLink[] {
  return links.slice(0, MOST_OF_A_PAGE).map((link) => ({ ...link, url: copiedString(link.url) }));
}

export function fileOf(target: Target, { ok, status, mediaType, sha256 }: Visit): LinkedFile {
  const { path, url, image } = target;
  return {
    path,
    url,
    kind: image ? 'image' : 'link',
    ok,
    status,
    mediaType,
    sha256,
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}

/** What is wrong with a target, or worth a warning; `null`: nothing. */
export function faultOf(target: Target, { ok, missing, findings, status, mediaType, nobody }: Visit): Fault | null {
  if (ok && findings.length === 0) return null;
  const fileKind = target.image ? 'image' : 'file';
  return {
    path: target.path,
    written: target.written,
    kind: target.kind === 'page' ? 'page' : fileKind,
    ok,
    missing,
    findings,
    status,
    mediaType,
    diagnosis: null,
    nobody: nobody !== null,
    get locations(): readonly Location[] {
      return target.locations.locations;
    },
    get count(): number {
      return target.locations.count;
    },
  };
}
