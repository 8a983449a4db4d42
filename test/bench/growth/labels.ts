/** Names beside lines that end close to each other. */

export interface Room {
  /** How far from one to the next at least. */
  readonly apart: number;
  readonly low: number;
  readonly high: number;
}

/** The same heights in the same order, moved as far apart as names need, within the room as long as it has any. */
export function spreadOut(heights: readonly number[], { apart, low, high }: Room): readonly number[] {
  const order = [...heights.keys()].toSorted((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed = order.map((index) => heights[index] ?? 0);
  let least = low;
  for (const [rank, height] of placed.entries()) {
    placed[rank] = Math.max(height, least);
    least = (placed[rank] ?? 0) + apart;
  }
  let most = high;
  for (let rank = placed.length - 1; rank >= 0; rank--) {
    placed[rank] = Math.min(placed[rank] ?? 0, most);
    most = (placed[rank] ?? 0) - apart;
  }
  return heights.map((_, index) => placed[order.indexOf(index)] ?? 0);
}
