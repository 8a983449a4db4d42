const FENCE = /(?:---|\+\+\+)[ \t]*(?:\r\n|\n|\r)/y;
const YAML_END = /^---[ \t]*$/gm;
const TOML_END = /^\+\+\+[ \t]*$/gm;

/** Longer front matter is read as Markdown. In UTF-16 code units. */
const LONGEST = 256 * 1024;

/**
 * The length of the YAML (`---`) or TOML (`+++`) front matter that a Markdown text begins with, its last fence included;
 * 0 without. A block that begins with an empty line or holds no `key: value` is Markdown between two thematic breaks.
 */
export function frontMatterLength(text: string): number {
  FENCE.lastIndex = 0;
  const opening = FENCE.exec(text)?.[0];
  if (opening === undefined) return 0;
  const yaml = opening.startsWith('-');
  const end = yaml ? YAML_END : TOML_END;
  end.lastIndex = opening.length;
  const closing = end.exec(text);
  if (closing === null || closing.index > LONGEST) return 0;
  const inside = text.slice(opening.length, closing.index);
  return isData(inside, yaml) ? closing.index + closing[0].length : 0;
}

function isData(inside: string, yaml: boolean): boolean {
  if (inside === '') return true;
  if (/^[ \t]*[\r\n]/.test(inside)) return false;
  const entry = yaml ? /^[^\s#][^\r\n:]*:(?:[ \t\r\n]|$)/m : /^[^\s#][^\r\n=]*=|^\[/m;
  // Or nothing but comments.
  return entry.test(inside) || !/^[ \t]*[^\s#]/m.test(inside);
}

/** The text with `length` leading characters turned into empty lines, so that lines keep their numbers. */
export function blankStart(text: string, length: number): string {
  return length === 0 ? text : text.slice(0, length).replace(/[^\r\n]+/g, '') + text.slice(length);
}
