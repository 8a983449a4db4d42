/** The `Basic` credentials (RFC 7617) of a URL's userinfo, or `null` when it has none. */
export function authorization(url: URL): string | null {
  if (url.username === '' && url.password === '') return null;
  const userinfo = `${decodedPart(url.username)}:${decodedPart(url.password)}`;
  return `Basic ${Buffer.from(userinfo, 'utf8').toString('base64')}`;
}

/** A part of a URL's userinfo with its percent-encoding undone. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A lone percent sign is meant literally.
  }
}
