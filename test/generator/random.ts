/** Numbers that look arbitrary and are the same for the same seed, on every machine. */
export interface Random {
  /** 0 or more, less than 1. */
  next(): number;
  /** A whole number from 0 to `below - 1`. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  shuffled<T>(list: readonly T[]): T[];
  /** `true` in `share` of all cases. */
  chance(share: number): boolean;
}

/** Makes a generator of a seed: a number or any text (hashed by FNV-1a, 32 bits; then mulberry32). */
export function random(seed: number | string): Random {
  let state = hash(String(seed));
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return list[int(list.length)] as T;
    },
    shuffled: <T>(list: readonly T[]): T[] => {
      const left = [...list];
      return list.map(() => left.splice(int(left.length), 1)[0] as T);
    },
  };
}

function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const byte of Buffer.from(text)) state = Math.imul(state ^ byte, 0x01000193) >>> 0;
  return state;
}
