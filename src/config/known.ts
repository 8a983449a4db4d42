/** The checks that a configuration may name. */
export interface Known {
  /** The built-in checks and their codes; `null`: any code. */
  readonly builtIn: Readonly<Record<string, readonly string[] | null>>;
  /** The codes of checks of the user's own; `null`: any. */
  readonly own: readonly string[] | null;
}

/** The five, for callers that cannot tell the codes. */
export const FIVE: Known = {
  builtIn: { bundle: null, config: null, navigation: null, home: null, 'llms-txt': null },
  own: null,
};
