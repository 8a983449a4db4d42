/**
 * Lines that a CI service prints and does not act on. Pure.
 *
 * GitHub Actions takes a line for a command when it begins, after white space, with `::name …::`, or when `##[name …]` is
 * anywhere in it; Azure Pipelines takes `##vso[area.event …]` anywhere and `##[name]`; TeamCity `##teamcity[name …]`.
 */

/**
 * The bracket of such a command is what follows. Azure's agent searches by the rules of a language, which skip characters
 * of no width (.NET: `String.IndexOf(String)`).
 */
const COMMAND_BRACKET = /(#\p{DI}*#[\p{DI}a-z]*)\[/giu;

/** A text with the opening brackets of commands written in another way. */
export function withoutCommands(text: string, bracket: string): string {
  return text.includes('[') ? text.replaceAll(COMMAND_BRACKET, (_, before: string) => before + bracket) : text;
}

/** A line that is printable already, so that no CI service acts on it. Colours stay. */
export function inertLine(line: string): string {
  return withoutCommands(line, String.raw`\u005b`).replace(
    /^(\s*):(?=:)/,
    (_, indent: string) => `${indent}${String.raw`\u003a`}`,
  );
}

/** Text for people, as it is printed where this process runs: in a job of a CI service that reads commands, without any. */
export function shown(text: string, env: NodeJS.ProcessEnv = process.env): string {
  return readsCommands(env) ? text.split('\n').map(inertLine).join('\n') : text;
}

function readsCommands({
  GITHUB_ACTIONS: gitHub,
  TF_BUILD: azure,
  TEAMCITY_VERSION: teamCity,
}: NodeJS.ProcessEnv): boolean {
  return gitHub === 'true' || azure?.toLowerCase() === 'true' || Boolean(teamCity);
}
