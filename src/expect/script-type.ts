/** The names of JavaScript (WHATWG MIME Sniffing, section 4.6). */
const NAMES: ReadonlySet<string> = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/x-ecmascript',
  'application/x-javascript',
  'text/ecmascript',
  'text/javascript',
  'text/javascript1.0',
  'text/javascript1.1',
  'text/javascript1.2',
  'text/javascript1.3',
  'text/javascript1.4',
  'text/javascript1.5',
  'text/jscript',
  'text/livescript',
  'text/x-ecmascript',
  'text/x-javascript',
]);

/** Whether browsers take a media type (its essence, lower case) for JavaScript. */
export function isJavaScriptType(mediaType: string | null): boolean {
  return mediaType !== null && NAMES.has(mediaType);
}
