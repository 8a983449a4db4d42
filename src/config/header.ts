/** Why a request header cannot be sent. */
export type HeaderProblem = 'header-name' | 'header-value' | 'header-reserved';

/** Header fields that frame the message or name the connection: the HTTP client sets them itself. */
const RESERVED = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether `name` is a field name: a token of RFC 9110, section 5.6.2. */
export function isHeaderName(name: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
}

/** Whether `value` is a field value of RFC 9110, section 5.5: no CR, LF, NUL or other control, Latin-1 at most. */
export function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** What is wrong with a request header, if anything. */
export function headerProblem(name: string, value: string): HeaderProblem | undefined {
  if (!isHeaderName(name)) return 'header-name';
  if (RESERVED.has(name.toLowerCase())) return 'header-reserved';
  return isHeaderValue(value) ? undefined : 'header-value';
}
