import type { MarkdownFacts, MarkdownLink } from '../parse/markdown.ts';
import type { EngineLinks } from './engine.ts';

/** The links of a file, those in the engine's own dialect among them. */
export function linksOf(
  { links, engineLinks = [] }: Pick<MarkdownFacts, 'links' | 'engineLinks'>,
  { dialect, menuDialect = dialect }: EngineLinks,
  menu: boolean,
): readonly MarkdownLink[] {
  const wanted = menu ? menuDialect : dialect;
  const own = engineLinks.filter((link) => link.dialect === wanted);
  if (own.length === 0) return links;
  // Of the line of an entry the engine reads nothing else.
  const lines = new Set(own.flatMap((link) => (link.dialect === 'items' ? [link.line] : [])));
  return [...links.filter(({ line }) => !lines.has(line)), ...own];
}
