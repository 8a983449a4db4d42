/** Markdown that nobody would write: all that means something, put together as it comes. About 100 code units each. */
import type { Random } from '../generator/random.ts';
import { definition, inline, line, several } from './inline.ts';
import {
  AUTOLINKS,
  CONTAINERS,
  ENTITIES,
  GAPS,
  INDENTS,
  LABELS,
  LINE_ENDS,
  LINES,
  MARKS,
  TAGS,
  URLS,
  WORDS,
} from './pieces.ts';

/** One of three kinds: blocks that are mostly well-formed, a soup of everything, a soup of a few ingredients. */
export function oddMarkdown(random: Random): string {
  const text = random.pick([soup, fewSoup, blocks, blocks])(random);
  return random.chance(0.05) ? text.replace(/\r?\n/g, '\r\n') : text;
}

function blocks(random: Random): string {
  const parts = Array.from({ length: 1 + random.int(4) }, () => block(random, 0) + random.pick(LINE_ENDS));
  if (random.chance(0.03)) parts.unshift('---\ntitle: a\n---\n');
  if (random.chance(0.3)) parts.push(`\n\n${definition(random)}\n`);
  return parts.join('');
}

const OTHERS = [URLS, LABELS, TAGS, ENTITIES, AUTOLINKS, CONTAINERS, LINES];

function soup(random: Random): string {
  const kinds = [WORDS, WORDS, GAPS, GAPS, MARKS, MARKS, random.pick(OTHERS)];
  return Array.from({ length: 3 + random.int(20) }, () => random.pick(random.pick(kinds))).join('');
}

const ALL = [WORDS, MARKS, MARKS, LINES, LINES, CONTAINERS, CONTAINERS, INDENTS, ...OTHERS];

/** What is put beside itself and the same others again and again shows how one means something to the other. */
function fewSoup(random: Random): string {
  const ingredients = Array.from({ length: 2 + random.int(5) }, () => random.pick(random.pick(ALL)));
  ingredients.push('\n', random.pick(GAPS));
  return Array.from({ length: 4 + random.int(14) }, () => random.pick(ingredients)).join('');
}

const BLOCKS: readonly ((random: Random, depth: number) => string)[] = [
  (random) => inline(random),
  (random) => inline(random),
  heading,
  (random) => `${inline(random)}\n${random.pick(INDENTS)}${random.pick(['===', '---', '=', '-', '-- '])}`,
  (random) => random.pick(['---', '***', '_ _ _', '- - -', '* * *\t']),
  fenced,
  indented,
  html,
  table,
  (random) =>
    several(
      random,
      3,
      () => definition(random),
      () => '\n',
    ),
  container,
  container,
  container,
];

function block(random: Random, depth: number): string {
  return random.pick(INDENTS) + (depth > 3 ? inline(random) : random.pick(BLOCKS)(random, depth));
}

function heading(random: Random): string {
  const gap = random.pick([' ', ' ', '\t', '']);
  return '#'.repeat(1 + random.int(7)) + gap + line(random) + random.pick(['', '', ' #', ' ## ', ' {#id}']);
}

function fenced(random: Random): string {
  const fence = random.pick(['```', '~~~', '````', '``']);
  const info = random.pick(['', 'js', ' sh a', 'a&amp;b', 'c\\*', '\td', 'e`f']);
  const end = random.pick(['', `\n${fence}`, `\n  ${fence} `, '\n````', `\n${fence} g`]);
  return `${fence}${info}\n${inline(random)}${end}`;
}

function indented(random: Random): string {
  const lines = (): string => random.pick(['a', '[b](c)', '# d', '']);
  return `    ${several(random, 3, lines, () => random.pick(['\n    ', '\n\t', '\n\n    ', '\n  ']))}`;
}

const HTML_STARTS = ['<div>', '<pre>', '<!-- a', '</p>', '<my-tag>', '<script>', '<a href="b">', '<td', '<b>c'];
const HTML_ENDS = ['', '\n-->', '</pre>', '\n\n', '\n</script>', '\n</div>'];

function html(random: Random): string {
  return random.pick(HTML_STARTS) + random.pick(['', '\n', '\n\n', 'x\n']) + inline(random) + random.pick(HTML_ENDS);
}

function table(random: Random): string {
  const edge = random.pick(['', '| ', '|']);
  const row = (cell: () => string, between: readonly string[]): string =>
    edge + several(random, 3, cell, () => random.pick(between)) + edge.trimEnd();
  const delimiter = (): string => random.pick(['-', '---', ':-', '-:', ' :-: ']);
  const rows = Array.from({ length: 1 + random.int(3) }, () => row(() => line(random), [' | ', '|', '\\|']));
  return rows.toSpliced(1, 0, random.pick(INDENTS) + row(delimiter, [' | ', '|'])).join('\n');
}

/** Blocks in a quote or a list item, some of their lines without its mark. */
function container(random: Random, depth: number): string {
  const inner = several(
    random,
    3,
    () => block(random, depth + 1),
    () => random.pick(LINE_ENDS),
  );
  const mark = random.pick(CONTAINERS);
  const indent = mark.includes('>') ? mark : ' '.repeat(mark.replace(/\t/g, '   ').trimEnd().length + 1);
  const next = (): string => (random.chance(0.85) ? indent : random.pick(['', ' ', '\t', '>', mark]));
  return mark + inner.replace(/\n/g, () => `\n${next()}`);
}
