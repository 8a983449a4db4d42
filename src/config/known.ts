/** The checks that a configuration may name. */
export interface Known {
  /** The built-in checks and their codes; `null`: any code. */
  readonly builtIn: Readonly<Record<string, readonly string[] | null>>;
  /** The codes of checks of the user's own; `null`: any. */
  readonly own: readonly string[] | null;
  /** Those of the built-in checks that look at the whole site; absent: it is not known. */
  readonly full?: readonly string[];
}
