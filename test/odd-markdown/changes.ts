import type { Random } from '../generator/random.ts';
import { GAPS, LINES, MARKS, WORDS } from './pieces.ts';

/** The text with one character or line taken out, put in, moved or said twice. */
export function changed(text: string, random: Random): string {
  if (random.chance(0.4)) return changedIn(text.split('\n'), random, () => random.pick(LINES)).join('\n');
  return changedIn(text.split(''), random, () => random.pick(random.pick([MARKS, GAPS, WORDS]))).join('');
}

function changedIn(parts: readonly string[], random: Random, make: () => string): string[] {
  const [at, to] = [random.int(parts.length), random.int(parts.length)];
  const part = parts[at] ?? '';
  const kind = random.int(4);
  if (kind === 0) return parts.toSpliced(at, 1);
  if (kind === 1) return parts.toSpliced(at, 0, make());
  if (kind === 2) return parts.toSpliced(to, 0, part);
  return parts.toSpliced(at, 1).toSpliced(to, 0, part);
}
