/** The user's secrets: what they are, and how they are hidden in texts that a server has sent back. Pure. */
import { authorization, decodedPart } from '../http/headers.ts';

interface Sent {
  readonly site: { readonly site: URL };
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers without secrets: hiding such plain words would hide the evidence. */
const OPEN_HEADERS =
  /^(?:accept|accept-encoding|accept-language|cache-control|host|origin|pragma|referer|user-agent)$/i;

/** Headers that grant access. */
const CREDENTIALS =
  /^(?:authorization|cookie|cf-access-client-(?:id|secret)|cf-access-token|x-vercel-protection-bypass|x-api-key)$/i;

export function isAuthorized({ headers = {}, site }: Sent): boolean {
  return authorization(site.site) !== null || Object.keys(headers).some((name) => CREDENTIALS.test(name));
}

/** Header values and credentials, in the forms in which a server may return them. */
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

function userinfoOf(value: string): readonly string[] {
  const [, encoded] = /^Basic +(\S+)$/i.exec(value) ?? [];
  if (encoded === undefined) return [];
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [username, password.join(':')];
}

/** Shorter values (`1`, `yes`) are part of many texts. */
const SHORTEST_SECRET = 4;
/** So many characters of a secret in a row are hidden, of a short one half of it. Fewer are part of ordinary words. */
const PIECE = 6;
const SHORTEST_CUT = 60;
const HIDDEN = '[hidden]';

/** Each character, or an escape as URLs, JSON and HTML write one; a percent sign may have been encoded again. */
const CHARACTERS =
  /%(?:25)*([0-9a-f]{2})|\\u00([0-9a-f]{2})|\\x([0-9a-f]{2})|&#x0*([0-9a-f]{2});|&#0*(\d{2,3});|[^]/giu;

const SCHEME = /^(?:apikey|basic|bearer|digest|negotiate|token) +/i;

/** Hides secrets in a text: whole or in pieces, in any letter case, escaped or in base64. */
export function hidden(text: string, secrets: readonly string[]): string {
  const index = indexes.get(secrets) ?? indexOf(secrets);
  indexes.set(secrets, index);
  const { pieces, forms } = index;
  if (forms.length === 0 || text.length < SHORTEST_SECRET) return text;
  const { plain, starts } = foldedText(text);
  const covered = new Uint8Array(plain.length);
  for (const [length, known] of pieces) {
    for (let at = 0; at + length <= plain.length; at++) {
      if (known.has(plain.slice(at, at + length))) covered.fill(1, at, at + length);
    }
  }
  coverEnds(text, plain, forms, covered);
  return replaced(text, starts, covered);
}

/** The bytes of a text as characters, without letter case and escapes; `starts`: where each is in the text. */
function foldedText(text: string) {
  const starts: number[] = [];
  let plain = '';
  for (const match of text.matchAll(CHARACTERS)) {
    const [character, ...codes] = match;
    const decimal = codes.pop();
    const hex = codes.find((code) => code !== undefined);
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    const bytes = Number.isNaN(code) ? bytesOf(character) : String.fromCharCode(code % 256);
    for (const _ of bytes) starts.push(match.index);
    plain += bytes;
  }
  starts.push(text.length);
  return { plain: folded(plain), starts };
}

function bytesOf(character: string): string {
  return character < '\x80' ? character : Buffer.from(character.toLowerCase(), 'utf8').toString('latin1');
}

/** Without letter case, and base64url as base64. */
function folded(plain: string): string {
  return plain
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replaceAll('-', '+')
    .replaceAll('_', '/');
}

/** Of one run, whose secrets are one list. */
const indexes = new WeakMap<readonly string[], ReturnType<typeof indexOf>>();

/** The forms of secrets, and their pieces by length. */
function indexOf(secrets: readonly string[]) {
  const forms = [...new Set(secrets.flatMap(formsOf))];
  const pieces = new Map<number, Set<string>>();
  for (const form of forms) {
    const length = Math.max(SHORTEST_SECRET, Math.min(PIECE, Math.floor(form.length / 2)));
    const set = pieces.get(length) ?? new Set();
    for (let at = 0; at + length <= form.length; at++) set.add(form.slice(at, at + length));
    pieces.set(length, set);
  }
  return { pieces, forms };
}

/** A secret as it is compared: itself, and its part of the base64 of any text around it. */
function formsOf(given: string): string[] {
  const secret = given.replace(SCHEME, '');
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = Buffer.from(secret, 'utf8');
  const encoded = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // Without what depends on the bytes before and after.
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return text.slice(Math.ceil((before * 8) / 6), end);
  });
  return [foldedText(secret).plain, ...encoded.map(folded)].filter((form) => form.length >= SHORTEST_SECRET);
}

/** Evidence is cut to a length: the beginning of a secret may be before `…`, or its end after it. */
function coverEnds(text: string, plain: string, forms: readonly string[], covered: Uint8Array): void {
  const mark = foldedText('…').plain;
  const opens = text.startsWith('…') ? mark.length : 0;
  const closes = plain.length - (text.endsWith('…') ? mark.length : 0);
  const isCut = closes < plain.length || text.length >= SHORTEST_CUT;
  for (let length = SHORTEST_SECRET; length < PIECE; length++) {
    const [start, end] = [plain.slice(opens, opens + length), plain.slice(Math.max(opens, closes - length), closes)];
    if (opens > 0 && forms.some((form) => form.endsWith(start))) covered.fill(1, opens, opens + length);
    if (isCut && forms.some((form) => form.startsWith(end))) covered.fill(1, closes - length, closes);
  }
}

function replaced(text: string, starts: readonly number[], covered: Uint8Array): string {
  let shown = '';
  let end = 0;
  for (let at = covered.indexOf(1); at !== -1; at = covered.indexOf(1, at)) {
    const after = covered.indexOf(0, at);
    shown += text.slice(end, starts[at]) + HIDDEN;
    at = after === -1 ? covered.length : after;
    end = starts[at] ?? text.length;
  }
  return shown + text.slice(end);
}
