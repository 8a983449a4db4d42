/**
 * The target of a link in an agent index beyond the site's base, as it is to be resolved: relative ones mean there what
 * they mean to any agent, and not what engines make of them. Hash routes are left as they are. `index`: where it lies.
 */
export function beyondBase(written: string, index: URL): string {
  if (/^(?:[a-z][a-z\d+.-]*:|#)/i.test(written) || !URL.canParse(written, index.href)) return written;
  return new URL(written, index).href;
}
