/** What a client accepts: the headers `Accept`, `Accept-Encoding` and `Accept-Language`. */

/** What a header accepts (its first 500 characters), in small letters, with its weight: 0 to 1; 1 if missing, 0 for nonsense. */
export function weightsIn(header: string): ReadonlyMap<string, number> {
  const ranges = header.slice(0, 500).split(',');
  return new Map(
    ranges.map((range) => {
      const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
      return [name, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
    }),
  );
}

/** Whether `gzip` may be sent (RFC 9110, section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  const weights = weightsIn([header ?? ''].flat().join(','));
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
