/** Where two texts, bytes or lists first differ; the shorter's length where it begins the other; `null`: they are the same. */
export function firstDifference(one: ArrayLike<unknown>, other: ArrayLike<unknown>): number | null {
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at++) if (one[at] !== other[at]) return at;
  return null;
}
