/** What stands in a block, in an odd order. */
import type { Random } from '../generator/random.ts';
import { AUTOLINKS, ENTITIES, GAPS, LABELS, MARKS, TAGS, URLS, WORDS } from './pieces.ts';

/** One or more, up to `most`. */
export function several(random: Random, most: number, make: () => string, between: () => string): string {
  let text = make();
  for (let left = random.int(most); left > 0; left--) text += between() + make();
  return text;
}

export function inline(random: Random, depth = 0): string {
  return several(
    random,
    5,
    () => random.pick(SPANS)(random, depth),
    () => random.pick(GAPS),
  );
}

/** Of one line, most of the time. */
export function line(random: Random): string {
  const text = inline(random);
  return random.chance(0.9) ? text.replace(/\s*\n\s*/g, ' ') : text;
}

/** A reference definition, or what looks like one. */
export function definition(random: Random): string {
  const gap = (): string => random.pick([' ', ' ', '', '\n', '  ', '\t', '\n  ']);
  const title = (): string => gap() + random.pick(['"a"', "'b\nc'", '(d)', '"e', '"f" g']);
  return `[${random.pick(LABELS)}]:${gap()}${random.pick(URLS)}${random.chance(0.3) ? title() : ''}`;
}

const MARKERS = ['*', '**', '_', '__', '***', '`', '``', '~~'];

const SPANS: readonly ((random: Random, depth: number) => string)[] = [
  (random) => random.pick(WORDS),
  (random) => random.pick(WORDS),
  (random) => random.pick(MARKS),
  (random) => random.pick(TAGS),
  (random) => random.pick(ENTITIES),
  (random) => random.pick(AUTOLINKS),
  (random, depth) => {
    const marker = random.pick(MARKERS);
    return marker + inside(random, depth) + marker;
  },
  (random, depth) =>
    `[${inside(random, depth)}](${random.pick(['', '', ' ', '\n'])}${random.pick(URLS)}${blank(random)})`,
  (random, depth) => `![${inside(random, depth)}](${random.pick(URLS)})`,
  (random, depth) => `${image(random)}[${inside(random, depth)}][${random.pick(LABELS)}]`,
  (random) => `${image(random)}[${random.pick(LABELS)}]${random.pick(['', '[]', '()', ':'])}`,
];

function inside(random: Random, depth: number): string {
  return depth > 2 ? random.pick(WORDS) : inline(random, depth + 1);
}

function blank(random: Random): string {
  return random.pick(['', '', ' ']);
}

function image(random: Random): string {
  return random.pick(['', '!']);
}
