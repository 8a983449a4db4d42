/** Whether browsers can run a script, as far as its syntax says. Nothing of it is executed. Pure. */
import { Script } from 'node:vm';
import { parse } from 'acorn';
import { positionsOf } from './position.ts';

export interface SyntaxProblem {
  readonly error: string;
  readonly line: number;
  readonly column: number;
}

/** What acorn says of a text that ends too early. */
const UNTERMINATED = /^Unterminated /;
const OUT_OF_STACK = /^Not enough stack space/;

/**
 * `null`: nothing, or it is not known. acorn gives the position, but may not know the newest syntax: a classic script has to
 * be refused by V8 as well, and of a module only that it breaks off is certain.
 */
export function syntaxProblem(script: string, isModule: boolean): SyntaxProblem | null {
  try {
    parse(script, { ecmaVersion: 'latest', sourceType: isModule ? 'module' : 'script', allowHashBang: true });
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError) || OUT_OF_STACK.test(error.message)) return null;
    const { message, pos = 0 } = error as SyntaxError & { readonly pos?: number };
    const breaksOff = pos >= script.trimEnd().length || UNTERMINATED.test(message);
    if (isModule ? !breaksOff : compiles(script)) return null;
    const { line, column } = positionsOf(script, [pos]).get(pos) ?? { line: 1, column: 1 };
    return { error: message.replace(/ \(\d+:\d+\)$/, ''), line, column };
  }
}

function compiles(script: string): boolean {
  try {
    void new Script(script);
    return true;
  } catch (error) {
    return !(error instanceof SyntaxError);
  }
}
