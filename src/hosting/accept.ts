/**
 * Whether an `Accept` value wants Markdown by its qualities (RFC 9110, section 12.5.1): it is named, its quality is not
 * 0, and it is no less than that of HTML.
 */
export function prefersMarkdown(accept: string): boolean {
  const qualities = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    qualities.set(type, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const markdown = qualities.get('text/markdown') ?? 0;
  const html = qualities.get('text/html') ?? qualities.get('text/*') ?? qualities.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}

/** Whether an `Accept-Encoding` value takes gzip. nginx wants it named: `*` is not enough for it. */
export function takesGzip(acceptEncoding: string): boolean {
  return acceptEncoding.split(',').some((range) => {
    const [coding = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return coding === 'gzip' && (quality === undefined || Number(quality.slice(2)) > 0);
  });
}
