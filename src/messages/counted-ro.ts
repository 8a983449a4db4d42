/** How many of something there are in Romanian: `1 pagină`, `2 pagini`, `20 de pagini`. `shown`: the number as it is written. */
export function counted(count: number, one: string, many: string, shown = String(count)): string {
  if (count === 1) return `${shown} ${one}`;
  // As in CLDR's rules for whole numbers.
  const isFew = count === 0 || (count % 100 > 0 && count % 100 < 20);
  return isFew ? `${shown} ${many}` : `${shown} de ${many}`;
}
