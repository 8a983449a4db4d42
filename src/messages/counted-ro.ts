const plural = new Intl.PluralRules('ro');

/** How many of something there are in Romanian: `1 pagină`, `2 pagini`, `20 de pagini`. `shown`: the number as it is written. */
export function counted(count: number, one: string, many: string, shown = String(count)): string {
  const form = plural.select(count);
  if (form === 'one') return `${shown} ${one}`;
  return form === 'few' ? `${shown} ${many}` : `${shown} de ${many}`;
}
