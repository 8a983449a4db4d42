/**
 * The id of a check (`links`), of a finding's code (`links/missing`) or of one finding (`links/missing/3`), by which a
 * link leads to it. The same in every report, so that links into a report that is replaced keep their meaning.
 */
export function anchorOf(id: string, code?: string, number?: number): string {
  const parts = [id, ...(code === undefined ? [] : [code]), ...(number === undefined ? [] : [String(number)])];
  // The ids of checks are plain; those of a report that was made by other means need not be.
  return parts.map((part) => part.replaceAll(/[^\w.-]/g, '_')).join('/');
}
