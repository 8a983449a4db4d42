/**
 * Reads TAP version 13 strictly, as version 14 does, which says more of escapes and indentation: every line has to be one that the specification names, a plan comes once and its
 * numbers are met, and diagnostics are YAML 1.2. https://testanything.org/tap-version-14-specification.html
 */
import { parse } from 'yaml';

export interface TestPoint {
  readonly ok: boolean;
  readonly number: number;
  readonly description: string;
  readonly directive: { readonly name: 'SKIP' | 'TODO'; readonly reason: string } | null;
  readonly diagnostics: unknown;
}

export interface TapDocument {
  readonly plan: number;
  readonly points: readonly TestPoint[];
  readonly comments: readonly string[];
  /** `null`: nobody bailed out. */
  readonly bailOut: string | null;
}

/** A description ends at a `#` that is not escaped and stands between blanks (section "Directive"). */
const TEST_POINT = /^(not )?ok (\d+) - ((?:[^\\#]|\\.|#(?! ))*?)(?: # (SKIP|TODO)(?: (.*))?)?$/;

/** Throws where a line is not of the grammar. */
export function readTap(text: string): TapDocument {
  if (!text.endsWith('\n') || /[^\n\P{Cc}]|[\p{Zl}\p{Zp}]/u.test(text)) throw new Error('line ends');
  const lines = text.slice(0, -1).split('\n');
  if (lines.shift() !== 'TAP version 13') throw new Error('no version');
  const plan = /^1\.\.(\d+)$/.exec(lines.shift() ?? '')?.[1];
  if (plan === undefined) throw new Error('no plan');
  const comments: string[] = [];
  const points: TestPoint[] = [];
  let bailOut: string | null = null;
  while (lines.length > 0) {
    const line = lines.shift() ?? '';
    if (bailOut !== null) throw new Error(`after the end: ${line}`);
    if (line.startsWith('# ')) comments.push(line.slice(2));
    else if (line.startsWith('Bail out! ')) bailOut = unescaped(line.slice('Bail out! '.length));
    else points.push(readPoint(line, lines));
  }
  if (points.length !== Number(plan) || points.some(({ number }, index) => number !== index + 1)) {
    throw new Error(`the plan is 1..${plan}`);
  }
  return { plan: Number(plan), points, comments, bailOut };
}

function readPoint(line: string, rest: string[]): TestPoint {
  const [, not, number, description = '', name, reason = ''] = TEST_POINT.exec(line) ?? [];
  if (number === undefined) throw new Error(`not of the grammar: ${line}`);
  return {
    ok: not === undefined,
    number: Number(number),
    description: unescaped(description),
    directive: name === 'SKIP' || name === 'TODO' ? { name, reason: unescaped(reason) } : null,
    diagnostics: rest[0] === '  ---' ? readDiagnostics(rest) : null,
  };
}

function readDiagnostics(rest: string[]): unknown {
  const end = rest.indexOf('  ...');
  if (end === -1) throw new Error('diagnostics without an end');
  const block = rest.splice(0, end + 1).slice(1, -1);
  const stray = block.find((line) => !line.startsWith('  '));
  if (stray !== undefined) throw new Error(`not indented: ${stray}`);
  return parse(block.map((line) => line.slice(2)).join('\n'), { version: '1.2', strict: true, uniqueKeys: true });
}

/** Section "Escaping": only `\\` and `\#` are escapes. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([\\#])/g, '$1');
}
