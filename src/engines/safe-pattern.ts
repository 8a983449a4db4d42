/** Regular expressions that a site declares (docsify: `alias`, `routes`, `noCompileLinks`), untrusted. */

const LONGEST_PATTERN = 200;
const LONGEST_TEXT = 200;
const MOST_REPEATS = 4;
/** Time that one site's patterns may take altogether, in milliseconds. */
const BUDGET_MS = 2_000;

/** Compiles the patterns of one site, each for a whole text; `null`: one that could take too long, or is invalid. */
export class SafePatterns {
  #left = BUDGET_MS;
  /** Whether a pattern was not applied: what it means for the site's links is not known. */
  hasRefused = false;
  readonly #known = new Map<string, RegExp | null>();

  /** Matches a text as docsify does: from its beginning to its end. */
  exec(pattern: string, text: string): RegExpExecArray | null {
    const known = this.#known.get(pattern);
    const compiled = known === undefined ? compile(pattern) : known;
    this.#known.set(pattern, compiled);
    if (compiled === null || text.length > LONGEST_TEXT || this.#left <= 0) {
      this.hasRefused = true;
      return null;
    }
    const began = performance.now();
    const found = compiled.exec(text);
    this.#left -= performance.now() - began;
    return found;
  }
}

function compile(pattern: string): RegExp | null {
  const repeats = pattern.replaceAll(/\\./g, '').match(/[*+{]/g)?.length ?? 0;
  const isNested = /\)[*+{?]/.test(pattern.replaceAll(/\\./g, ''));
  if (pattern.length > LONGEST_PATTERN || repeats > MOST_REPEATS || (isNested && repeats > 1)) return null;
  try {
    return new RegExp(`^${pattern}$`);
  } catch {
    return null;
  }
}
