/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment for a configuration that somebody has only proposed: it has none of the variables. */
export const WITHHELD: Environment = Object.freeze({});

/** What stands in the way of expanding a text. Names only, never values. */
export type ExpandProblem =
  | { readonly kind: 'env-missing' | 'env-withheld'; readonly name: string }
  | { readonly kind: 'env-syntax' };

/**
 * Puts environment variables in place of `${NAME}`; `$$` gives a dollar sign, any other dollar sign stays.
 * A variable that is not set, or is empty (as a CI secret that this job may not read), is a problem.
 * Expanded text is not expanded again.
 */
export function expand(
  text: string,
  env: Environment,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problems: readonly ExpandProblem[] } {
  const problems: ExpandProblem[] = [];
  const expanded = text.replaceAll(/\$\$|\$\{([^}]*)(\}?)/g, (whole, name: string | undefined, end: string) => {
    if (whole === '$$') return '$';
    if (name === undefined || end === '' || !/^[A-Za-z_]\w*$/.test(name)) {
      problems.push({ kind: 'env-syntax' });
      return '';
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (env === WITHHELD) problems.push({ kind: 'env-withheld', name });
    else if (value === undefined || value === '') problems.push({ kind: 'env-missing', name });
    return value ?? '';
  });
  return problems.length === 0 ? { ok: true, text: expanded } : { ok: false, problems };
}
