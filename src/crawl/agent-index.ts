import type { Site } from '../check.ts';
import { textFile } from '../expect/page.ts';
import { parseMarkdown } from '../parse/markdown.ts';
import type { MarkdownLink } from '../parse/markdown-types.ts';
import { beyondBase } from '../site/beyond-base.ts';
import type { Index } from './roots.ts';
import type { VisitContext } from './visit.ts';

/** The links of the agent index. */
export interface IndexLinks {
  /** What places in it are told under. */
  readonly path: string;
  /** Whether it lies below the base. */
  readonly own: boolean;
  readonly links: readonly MarkdownLink[];
}

/** Reads the agent index; `null` where there is none to read. */
export async function readIndex(
  { path, answer }: Index,
  { site, bundle, notFound }: VisitContext,
): Promise<IndexLinks | null> {
  if (answer.kind !== 'reply' || notFound.isMissing(answer)) return null;
  const { text } = textFile({ ...answer, redirects: [] }, bundle);
  const links = text === null ? null : await linksOf(text, site);
  if (links === null) return null;
  if (path !== null) return { path, own: true, links };
  const url = new URL(answer.requestUrl);
  return {
    path: url.pathname.slice(1),
    own: false,
    links: links.map((link) => ({ ...link, url: beyondBase(link.url, url) })),
  };
}

async function linksOf(text: string, { limits }: Site): Promise<readonly MarkdownLink[] | null> {
  const { parse, parseMs, signal } = limits;
  const parsed = await (parse === undefined ? parseMarkdown(text, { limitMs: parseMs, signal }) : parse(text));
  return parsed.ok ? parsed.links : null;
}
