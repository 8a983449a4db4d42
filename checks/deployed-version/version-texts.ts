/** What an answer tells of the version of its site, whatever that means. Pure. */
import type { ReadonlyHeaders, Reply } from '../../src/check.ts';
import { isHtmlDocument } from '../../src/parse/html.ts';
import { readElements } from '../../src/parse/html-elements.ts';
import { parseJson } from '../../src/parse/json.ts';
import { jsonLeaves } from '../../src/parse/json-leaves.ts';
import { decodeUtf8 } from '../../src/parse/text.ts';
import { isForeign, isVersionKey, isVersionName, namesItself } from './names.ts';

/** A text that may tell the version. */
export interface VersionText {
  readonly text: string;
  /** `version.json#/commit`, `index.html <meta name="version">`, `index.html x-version:`. */
  readonly where: string;
  /** Its key says that it is the version of the site; otherwise only a commit's name is known in it. */
  readonly named: boolean;
  /** Its key can mean nothing but the version of the site: another version there is a contradiction. */
  readonly itself?: true;
}

/** Larger files tell more than a version. */
const LARGEST = 1 << 20;
const LEAVES = { depth: 6, count: 500 };
const MOST_METAS = 500;
/** A file that is nothing but the name of a version. */
const LONGEST_LINE = 200;
/** Headers that hold secrets, or what is no version of the site. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set([
  'set-cookie',
  'content-security-policy',
  'date',
  'age',
  'report-to',
]);

/** What a file tells: the members of a JSON text, a line of text, the `<meta>` of a page. Nothing for other files. */
export function versionTextsInFile(reply: Reply, path: string): readonly VersionText[] {
  const text = textOf(reply);
  if (text === null) return [];
  if (isHtmlDocument(text)) return versionTextsInMetas(text, path);
  if (parseJson(text).ok) return versionTextsInJson(text, path);
  const line = text.trim();
  return line === '' || line.length > LONGEST_LINE || /[\r\n]/.test(line)
    ? []
    : [{ text: line, where: path, named: true, itself: true }];
}

/** What the bundle tells: first in its `<meta>`, then in its headers. Pages not in UTF-8 have ASCII names all the same. */
export function versionTextsInBundle(reply: Reply, path: string): readonly (readonly VersionText[])[] {
  const html = textOf(reply) ?? Buffer.from(reply.body.subarray(0, LARGEST)).toString('latin1');
  return [versionTextsInMetas(html, path), versionTextsInHeaders(reply.headers, path)];
}

/** A text of reasonable size in UTF-8; `null` for what is none. */
export function textOf({ body }: Reply): string | null {
  if (body.length > LARGEST) return null;
  const decoded = decodeUtf8(body);
  return decoded.ok ? decoded.text : null;
}

function versionTextsInJson(text: string, path: string): readonly VersionText[] {
  return jsonLeaves(text, LEAVES)
    .filter(({ keys }) => !isForeign(keys))
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
      const [kind, name] =
        attributes['name'] === undefined ? ['property', attributes['property']] : ['name', attributes['name']];
      const text = attributes['content'];
      if (name !== undefined && text !== undefined && !isForeign([name])) {
        reported.push({
          text,
          where: `${path} <meta ${kind}="${name.slice(0, 100)}">`,
          ...named([name], isVersionName(name)),
        });
      }
      return reported.length < MOST_METAS;
    },
    close: () => true,
  });
  return reported;
}

function versionTextsInHeaders(headers: ReadonlyHeaders, path: string): readonly VersionText[] {
  return headers
    .names()
    .filter((name) => !IGNORED_HEADERS.has(name))
    .map((name) => ({
      text: headers.get(name) ?? '',
      where: `${path} ${name}:`,
      ...named([name], isVersionName(name)),
    }));
}

function named(keys: readonly string[], isNamed: boolean): Pick<VersionText, 'named' | 'itself'> {
  const isItself = isNamed && (keys.length === 0 || namesItself(keys));
  return { named: isNamed, ...(isItself ? { itself: true } : {}) };
}
