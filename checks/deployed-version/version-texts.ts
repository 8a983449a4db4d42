/** Every value of an answer that may be the version of its site. Pure. */
import type { Reply } from '../../src/core/answer.ts';
import type { VersionLocation } from '../../src/site/types.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { readElements } from '../../src/parse/html-links.ts';
import { jsonValue } from '../../src/parse/json.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';
import { withinTime } from '../../src/parse/time-limit.ts';
import { wordsOf } from '../full-check.ts';

export interface VersionText {
  readonly text: string;
  /** `version.json#/commit`, `index.html <meta name="version">`, `index.html x-version:`. */
  readonly where: string;
  /** Its key says that it is the version of the site; otherwise only a commit's name is known in it. */
  readonly named: boolean;
  /** Its key can mean nothing but the version of the site: another version there is a contradiction. */
  readonly itself?: true;
}

const LARGEST = 1 << 20;
const LEAVES = { depth: 6, count: 500 };
const MOST_METAS = 500;
const LONGEST_LINE = 200;
/** Headers that hold secrets, or that are not a version of the site. */
const IGNORED_HEADERS = /^(?:set-cookie|content-security-policy|date|age|report-to)$/;

/** The version candidates of a file: the members of a JSON text, a line of text, the `<meta>` of a page. Nothing for other files. */
export function versionTextsInFile(reply: Reply, path: string): readonly VersionText[] {
  const text = textOf(reply);
  if (text === null) return [];
  if (isHtmlDocument(text)) return versionTextsInMetas(text, path);
  if (jsonValue(text).ok) return versionTextsInJson(text, path);
  const line = text.trim();
  if (line === '' || line.length > LONGEST_LINE || /[\r\n]/.test(line)) return [];
  return [{ text: line, where: path, named: true, itself: true }];
}

/** The version candidates of the bundle: first in its `<meta>`, then in its headers. Pages not in UTF-8 have ASCII names all the same. */
export function versionTextsInBundle(reply: Reply, path: string): readonly (readonly VersionText[])[] {
  return [versionTextsInPage(reply, path), versionTextsInHeaders(reply.headers, path)];
}

export function versionTextsInPage(reply: Reply, path: string): readonly VersionText[] {
  const html = textOf(reply) ?? Buffer.from(reply.body.subarray(0, LARGEST)).toString('latin1');
  return versionTextsInMetas(html, path);
}

/** A text of reasonable size in UTF-8; `null` otherwise. */
export function textOf({ body }: Reply): string | null {
  if (body.length > LARGEST) return null;
  const decoded = decodeUtf8(body);
  return decoded.ok ? decoded.text : null;
}

function versionTextsInJson(text: string, path: string): readonly VersionText[] {
  return jsonLeaves(text, LEAVES)
    .filter(({ keys }) => !hasWordOf(FOREIGN, keys))
    .map(({ pointer, keys, text: value }) => ({
      text: value,
      where: pointer === '' ? path : `${path}#${pointer}`,
      ...named(keys, keys.length === 0 || isVersionKey(keys)),
    }));
}

function versionTextsInMetas(html: string, path: string): readonly VersionText[] {
  const reported: VersionText[] = [];
  readElements(html, {
    open: (element, attributes) => {
      if (element !== 'meta') return true;
      const kind = attributes['name'] === undefined ? 'property' : 'name';
      const { [kind]: name, content: text } = attributes;
      if (name !== undefined && text !== undefined && !hasWordOf(FOREIGN, [name])) {
        const where = `${path} <meta ${kind}="${name.slice(0, 100)}">`;
        reported.push({ text, where, ...named([name], isVersionName(name)) });
      }
      return reported.length < MOST_METAS;
    },
    close: () => true,
  });
  return reported;
}

export function versionTextsInHeaders(headers: Reply['headers'], path: string): readonly VersionText[] {
  const names = headers.names().filter((name) => !IGNORED_HEADERS.test(name));
  return names.map((name) => {
    return { text: headers.get(name) ?? '', where: `${path} ${name}:`, ...named([name], isVersionName(name)) };
  });
}

function named(keys: readonly string[], isNamed: boolean): Pick<VersionText, 'named' | 'itself'> {
  const isItself = isNamed && (keys.length === 0 || hasWordOf(ITSELF, keys));
  return { named: isNamed, ...(isItself ? { itself: true } : {}) };
}

const split = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words of the names of keys, `<meta>` and headers that hold the version of a site. */
const VERSION = split('version ver commit revision rev sha sha1 hash build release tag git deploy deployment');
/** Those of them that name the version itself; a build or a deploy has numbers of its own. */
const ITSELF = split('version ver commit revision rev sha sha1 release git');
/** Words that may accompany them without making it the version of something else. */
const BESIDE = split(
  'x app application site website web docs doc documentation frontend ui source vcs id number name ref',
);
/** Words that make it the version of something else, or no version at all. */
const FOREIGN = split(
  'api schema format manifest engine generator node npm framework min max minimum latest next previous prev parent ' +
    'last old base time date timestamp at on branch message author committer email dirty url',
);

/** Whether a key of a file about versions names the version: `commit`, `git/commit/id`, `buildNumber`. */
export function isVersionKey(keys: readonly string[]): boolean {
  return hasWordOf(VERSION, keys) && !hasWordOf(FOREIGN, keys);
}

function hasWordOf(known: ReadonlySet<string>, keys: readonly string[]): boolean {
  return keys.flatMap(wordsOf).some((word) => known.has(word));
}

/** Whether a header or a `<meta>` names the version of the site: hosts and engines have many of their own. */
export function isVersionName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => VERSION.has(word)) && words.every((word) => VERSION.has(word) || BESIDE.has(word));
}

/** The version candidates at a location that a user names, or why there are none. */
export function versionTextsAt(reply: Reply, { path, pick }: VersionLocation): readonly VersionText[] | string {
  if (pick === null) {
    const texts = versionTextsInFile(reply, path);
    return texts.length === 0 ? 'not-text' : texts;
  }
  const whole = textOf(reply);
  if (whole === null) return 'not-text';
  const [text = '', problem] = 'pointer' in pick ? memberAt(whole, pick.pointer) : matchOf(whole, pick.pattern);
  const fragment = 'pointer' in pick ? pick.pointer : pick.pattern.source;
  return text.trim() === '' ? problem : [{ text, where: `${path}#${fragment}`, named: true }];
}

const POINTER_LEAVES = { depth: 64, count: 100_000 };
/** The user's own expression may go back and forth for ever. In milliseconds. */
const LONGEST_MATCH_MS = 250;

/** The text, and what is wrong where it is missing or blank. */
type Picked = readonly [text: string | undefined, problem: string];

function memberAt(text: string, pointer: string): Picked {
  if (!jsonValue(text).ok) return [undefined, 'not-json'];
  return [jsonLeaves(text, POINTER_LEAVES).find((leaf) => leaf.pointer === pointer)?.text, 'no-member'];
}

function matchOf(text: string, pattern: RegExp): Picked {
  const match = withinTime(LONGEST_MATCH_MS, () => pattern.exec(text));
  return match.done ? [match.value?.[1] ?? match.value?.[0], 'no-match'] : [undefined, 'too-slow'];
}

const LONGEST_POINTER = 500;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * The strings and numbers of a text that `JSON.parse` accepts, at most `count`, in objects and lists nested up to `depth`.
 * A number is as it is written, so that `1.10` stays another than `1.1`. `pointer`: a JSON Pointer (RFC 6901), empty for a
 * text that is one value; leaves with a longer one are skipped. `keys`: on the way, without the indexes of lists.
 */
export function jsonLeaves(text: string, { depth, count }: Record<'depth' | 'count', number>) {
  const leaves: { readonly pointer: string; readonly keys: readonly string[]; readonly text: string }[] = [];
  const walk = (value: unknown, level: number, pointer: string, keys: readonly string[]): void => {
    if (leaves.length >= count || pointer.length > LONGEST_POINTER) return;
    if (typeof value === 'string') leaves.push({ pointer, keys, text: value });
    if (typeof value !== 'object' || value === null || level === depth) return;
    for (const [key, member] of Object.entries(value)) {
      const step = key.slice(0, LONGEST_POINTER).replaceAll('~', '~0').replaceAll('/', '~1');
      walk(member, level + 1, `${pointer}/${step}`, Array.isArray(value) ? keys : [...keys, key]);
    }
  };
  const quoted = text.replaceAll(STRING_OR_NUMBER, (one) => (one.startsWith('"') ? one : `"${one}"`));
  walk(JSON.parse(quoted), 0, '', []);
  return leaves;
}
