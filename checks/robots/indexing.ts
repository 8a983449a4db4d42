/** Judges what `X-Robots-Tag` headers and `<meta name="robots">` say to search engines. Pure. */
import type { RawFinding, Evidence } from '../../src/check.ts';
import { isNoIndex, readRobotsMetas, readRobotsTags } from '../../src/parse/robots-tags.ts';
import type { IndexingRule } from './rules.ts';

/** A file, and what came with it for search engines. */
export interface IndexedFile {
  readonly kind: 'bundle' | 'page';
  readonly path: string;
  /** The lines of `X-Robots-Tag`. */
  readonly headers: readonly string[];
  /** The `<meta>` elements of an HTML page. */
  readonly metas: readonly { readonly name: string; readonly content: string }[];
}

/** The findings about what keeps pages out of search results. Markdown kept out beside an indexed site is usual. */
export function indexing(files: readonly IndexedFile[], preview: boolean): readonly RawFinding<IndexingRule>[] {
  const bundle = files.find(({ kind }) => kind === 'bundle');
  const ofBundle = bundle === undefined ? null : noIndex(bundle);
  const pages = files.filter((file) => file.kind === 'page' && noIndex(file)?.everybody === true);
  if (ofBundle?.everybody === true) {
    return [{ rule: preview ? 'preview-noindex' : 'noindex', evidence: ofBundle.evidence }];
  }
  return [
    ...(ofBundle === null ? [] : [{ rule: 'noindex-agents', evidence: ofBundle.evidence } as const]),
    ...(pages.length === 0
      ? []
      : [{ rule: 'pages-noindex', evidence: { paths: pages.map(({ path }) => path) } } as const]),
  ];
}

interface NoIndex {
  /** Whether it is said to all search engines, or only to those that are named. */
  readonly everybody: boolean;
  readonly evidence: Evidence;
}

function noIndex({ path, headers, metas }: IndexedFile): NoIndex | null {
  const byHeader = readRobotsTags(headers).filter(isNoIndex);
  const byMeta = readRobotsMetas(metas).filter(isNoIndex);
  const all = [...byHeader, ...byMeta];
  if (all.length === 0) return null;
  const everybody = all.some(({ agent }) => agent === null);
  const evidence = {
    path,
    ...(byHeader.length > 0 ? { xRobotsTag: headers } : {}),
    ...(byMeta.length > 0
      ? { meta: metas.filter((meta) => readRobotsMetas([meta]).some(isNoIndex)).map(({ content }) => content) }
      : {}),
    ...(everybody ? {} : { agents: all.flatMap(({ agent }) => agent ?? []) }),
  };
  return { everybody, evidence };
}
