import type { Json } from '../answer.ts';

/** A longer value names no file: servers refuse such a path. In UTF-16 code units. */
export const LONGEST_PATH = 2_000;

/** The settings that say where a site's files are; one that is absent, empty or of a wrong type leaves the default. */
export interface Settings {
  readonly homePage?: string;
  /** `null`: the engine makes a menu without a file. */
  readonly navigationFile?: string | null;
  /** `null` turns the agent index off. */
  readonly llmsTxtUrl?: string | null;
}

export type Setting = keyof Settings;

const SETTINGS = ['homePage', 'navigationFile', 'llmsTxtUrl'] as const satisfies readonly Setting[];

/** The settings in a configuration. */
export function readSettings(value: Readonly<Record<string, Json>>): Settings {
  const settings: { -readonly [Name in Setting]?: string | null } = {};
  for (const name of SETTINGS) {
    const set = Object.hasOwn(value, name) ? value[name] : undefined;
    if (typeof set === 'string' && set.trim() !== '' && set.length <= LONGEST_PATH) settings[name] = set;
    else if (set === null && name === 'llmsTxtUrl') settings[name] = null;
  }
  return settings as Settings;
}
