import GithubSlugger from 'github-slugger';
import type { MarkdownHeading, TreeHeading } from './markdown-types.ts';

const LONGEST = 200;

/** An id of the author's own after a heading: `{#id}` (Pandoc, kramdown) or `:id=id` (docsify), quoted or not. */
const OWN_ID = /[ \t]*(?:\{:?[ \t]*#([^\s{}]{1,200})[^{}]{0,200}\}|(?<=[\s"'])["']?:id=([^\s"'<>]{1,200})["']?)[ \t]*$/;

/** What docsify takes away from a heading: it leaves it out of its sidebar. */
const IGNORED = /[ \t]*\{docsify-ignore(?:-all)?\}[ \t]*$/;

/** What the headings of a whole text come to, and the ids that their authors gave them. */
export interface Headings {
  readonly headings: MarkdownHeading[];
  readonly ids: string[];
}

/** Headings in the order of the text, with the ids that GitHub gives them. Pure. */
export function readHeadings(found: readonly (TreeHeading & { readonly line: number })[]): Headings {
  const slugger = new GithubSlugger();
  const ids: string[] = [];
  const headings = found.map(({ depth, text: marked, source: withMark, line }): MarkdownHeading => {
    const [whole, source] = [marked.replace(IGNORED, ''), withMark.replace(IGNORED, '')];
    const [, braced, config] = OWN_ID.exec(source) ?? [];
    const id = braced ?? config;
    if (id !== undefined) ids.push(id);
    const title = id === undefined ? whole : whole.replace(OWN_ID, '').trim();
    const text = title.slice(0, LONGEST);
    const slug = slugger.slug(title);
    return { depth, text, line, slug, ...(source === text ? {} : { source: source.slice(0, LONGEST) }) };
  });
  return { headings, ids };
}
