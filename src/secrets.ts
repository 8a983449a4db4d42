/** What a user sends in confidence. */
import { authorization, decodedPart } from './http/headers.ts';

/** A site's address as given, and what is sent to it. */
interface Sent {
  readonly site: { readonly site: URL };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers whose values are no secrets, and are such plain words that hiding them would hide the evidence. */
const OPEN_HEADERS =
  /^(?:accept|accept-encoding|accept-language|cache-control|host|origin|pragma|referer|user-agent)$/i;

/** Headers that open what is shut: passwords, sessions, and what platforms and networks take in their place. */
const CREDENTIALS =
  /^(?:authorization|cookie|cf-access-client-(?:id|secret)|cf-access-token|x-vercel-protection-bypass|x-api-key)$/i;

/** Whether a site is asked with what opens it. */
export function isAuthorized({ headers = {}, site }: Sent): boolean {
  return authorization(site.site) !== null || Object.keys(headers).some((name) => CREDENTIALS.test(name));
}

/** Header values and credentials, in the forms in which a server may send them back. */
export function secretsOf({ headers = {}, site }: Sent): readonly string[] {
  // A token may be given as the user name, too.
  const { username, password } = site.site;
  if (username === '' && password === '' && Object.keys(headers).length === 0) return [];
  const values = Object.entries(headers).flatMap(([name, value]) => (OPEN_HEADERS.test(name) ? [] : [value]));
  const sent = [...values, authorization(site.site) ?? ''];
  const tokens = sent.flatMap((value) => [value.replace(/^(?:Basic|Bearer) /i, ''), ...userinfoOf(value)]);
  const plain = [...sent, ...tokens, ...[username, password].flatMap((part) => [part, decodedPart(part)])];
  const longestFirst = [...new Set(plain.flatMap((secret) => [secret, encodeURIComponent(secret)]))];
  return longestFirst.toSorted((a, b) => b.length - a.length);
}

/** The user name and the password of a `Basic` header. */
function userinfoOf(value: string): readonly string[] {
  const [, encoded] = /^Basic +(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [username, password.join(':')];
}
