import type { MarkdownFacts } from '../parse/markdown-types.ts';

/** MDwiki writes its own commands as links: `[gimmick:disqus](name)`. */
const GIMMICK = /^\[gimmick:/i;

/** Pages are not read further. */
const LONGEST = 1024 * 1024;

/** The facts without the links that are commands to the engine. */
export function linksBeyondGimmicks(facts: MarkdownFacts, text: string): MarkdownFacts {
  if (!/\[gimmick:/i.test(text)) return facts;
  const lines = text.slice(0, LONGEST).split(/\r\n|\n|\r/);
  const links = facts.links.filter(
    ({ line, column }) => !GIMMICK.test((lines[line - 1] ?? '').slice(column - 1, column + 10)),
  );
  return { ...facts, links };
}
