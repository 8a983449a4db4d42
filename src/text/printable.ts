/** Controls, format and bidi characters, line separators, private and unassigned ones: everything a terminal may act on. */
const ACTING = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Most texts; compiling the other pattern takes a while. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A text from elsewhere as one line that cannot move, colour or reorder anything in a terminal. */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(ACTING, visibleSign);
}

/** A character that is not visible itself: `␀` to `␡` for controls of ASCII, else its escape. */
export function visibleSign(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return code > 0xffff ? `\\u{${code.toString(16)}}` : unicodeEscapes(character);
}

/** As in JSON, one escape for each UTF-16 unit: `\u001b`. */
export function unicodeEscapes(text: string): string {
  const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}

/* Lines that a CI service prints and does not act on: GitHub `::name …::` and `##[…]`, Azure `##vso[…]`, TeamCity `##teamcity[…]`. */

/** The bracket of such a command. Azure's agent ignores characters of no width before it (.NET: `String.IndexOf`). */
const COMMAND_BRACKET = /(#\p{DI}*#[\p{DI}a-z]*)\[/giu;

export function withoutCommands(text: string, bracket: string): string {
  return text.includes('[') ? text.replaceAll(COMMAND_BRACKET, (_, before: string) => before + bracket) : text;
}

/** A printable line that no CI service acts on. Colours stay. */
export function inertLine(line: string): string {
  return withoutCommands(line, String.raw`\u005b`).replace(/^(\s*):(?=:)/, String.raw`$1\u003a`);
}

/** Text for people, without commands where this process runs in a job of a CI service. */
export function shown(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return readsCommands(env) ? text.split('\n').map(inertLine).join('\n') : text;
}

/** In GitHub Actions, Azure Pipelines or TeamCity. */
function readsCommands(env: NodeJS.ProcessEnv): boolean {
  const isOn = env['GITHUB_ACTIONS'] === 'true' || env['TF_BUILD']?.toLowerCase() === 'true';
  return isOn || Boolean(env['TEAMCITY_VERSION']);
}
