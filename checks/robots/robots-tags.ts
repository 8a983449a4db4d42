/** What a response and an HTML page say to search engines: `X-Robots-Tag` and `<meta name="robots">`. Pure. */
import { readElements } from '../../src/parse/html-links.ts';

/** Directives for one agent, or for all where `agent` is `null`. Both in lower case. */
export interface RobotsTag {
  readonly agent: string | null;
  readonly directives: readonly string[];
}

/** Directives that take a value after a colon, so that they are no agent's name. */
const WITH_VALUE = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);
/** The names of `<meta>` that search engines read as directives for all or for one of them. */
const META_AGENTS: Readonly<Record<string, string | null>> = {
  robots: null,
  googlebot: 'googlebot',
  'googlebot-news': 'googlebot-news',
  bingbot: 'bingbot',
};

/** Reads the lines of `X-Robots-Tag`. An agent's name holds for what follows it on its line. */
export function readRobotsTags(lines: readonly string[]): readonly RobotsTag[] {
  return lines.flatMap((line) => {
    const tags: { agent: string | null; directives: string[] }[] = [];
    for (const part of line.toLowerCase().split(',')) {
      const [, agent, rest = ''] = /^\s*([^\s:]+)\s*:(.*)$/s.exec(part) ?? [];
      const named = agent !== undefined && !WITH_VALUE.has(agent);
      if (named || tags.length === 0) tags.push({ agent: named ? agent : null, directives: [] });
      tags.at(-1)?.directives.push((named ? rest : part).trim());
    }
    return tags;
  });
}

/** Reads what `<meta>` elements say; `metas` are their `name` and `content`. */
export function readRobotsMetas(
  metas: readonly { readonly name: string; readonly content: string }[],
): readonly RobotsTag[] {
  return metas.flatMap(({ name, content }) => {
    const known = name.trim().toLowerCase();
    if (!Object.hasOwn(META_AGENTS, known)) return [];
    const directives = content
      .toLowerCase()
      .split(',')
      .map((one) => one.trim());
    return [{ agent: META_AGENTS[known] ?? null, directives }];
  });
}

/** Whether a tag keeps a page out of search results. */
export function isNoIndex({ directives }: RobotsTag): boolean {
  return directives.includes('noindex') || directives.includes('none');
}

/** Most `<meta>` elements of one page that are checked. */
const MOST = 200;

/**
 * The `<meta>` elements of the head of an HTML page that have a name and content; none of those in comments, scripts or
 * templates.
 */
export function metasOf(html: string): readonly { readonly name: string; readonly content: string }[] {
  const metas: { name: string; content: string }[] = [];
  let templates = 0;
  readElements(html, {
    open(element, { name, content }) {
      if (element === 'template') templates++;
      if (element === 'body' && templates === 0) return false;
      if (element !== 'meta' || templates > 0) return true;
      if (name !== undefined && content !== undefined) metas.push({ name, content });
      return metas.length < MOST;
    },
    close(element) {
      if (element === 'template') templates--;
      return element !== 'head' || templates > 0;
    },
  });
  return metas;
}
