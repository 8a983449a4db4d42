/** Undoes percent-encoding (RFC 3986, section 2.1), whatever a text holds. Pure. */

/** Percent-decodes what is UTF-8 and leaves the rest, so that a lone percent sign stays. The result is well-formed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text.toWellFormed();
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (sequence) => utf8(sequence) ?? sequence).toWellFormed();
}

/** The text of percent-encoded octets; `null`: they are no UTF-8. */
export function utf8(sequence: string): string | null {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return null;
  }
}
