import type { Evidence, Finding } from '../check.ts';
import { codeFrame } from './code-frame.ts';
import { cutText } from './cut.ts';
import type { Language } from '../texts.ts';
import { factLines } from './facts.ts';
import { inlineCode, makeStyle, type Style } from './style.ts';
import { wrapText } from '../text-width.ts';

/** Prose is easier to read in lines that are not longer than this, however wide the terminal is. */
const WIDEST_PROSE = 100;
const NARROWEST = 30;
const LONGEST_SHORT_FACT = 40;
/** Breaking into lines takes long where nothing but its length can break a text, and no one reads so much at once. */
const LONGEST_TEXT = 5_000;

export class Layout {
  readonly style: Style;
  readonly columns: number;
  readonly #colour: boolean;

  constructor(columns: number, colour: boolean) {
    this.columns = Math.max(NARROWEST, columns);
    this.style = makeStyle(colour);
    this.#colour = colour;
  }

  prose(text: string, indent: number): string[] {
    // What is cut after it was coloured would colour what follows.
    const shown = cutText(text, LONGEST_TEXT);
    return inlineCode(shown, this.style, this.#colour)
      .split('\n')
      .flatMap((line) => this.#lines(line, indent, WIDEST_PROSE));
  }

  /** Evidence with its labels: the short facts on one line, each long one on its own. */
  facts(evidence: Evidence, indent: number, language: Language): string[] {
    const facts = factLines(evidence, language);
    const short = facts.filter((fact) => fact.length <= LONGEST_SHORT_FACT).join(' · ');
    const long = facts.filter((fact) => fact.length > LONGEST_SHORT_FACT);
    const rows = short === '' ? long : [short, ...long];
    return rows.flatMap((row) => this.wrapped(row, indent)).map((line) => this.style.quiet(line));
  }

  frame({ excerpt, location }: Finding): string[] {
    if (excerpt === undefined || location === undefined) return [];
    const lines = codeFrame(excerpt, location, this.columns - 4, this.style);
    return ['', ...lines.map((line) => `    ${line}`), ''];
  }

  /** Plain text as far as anybody reads it. */
  wrapped(text: string, indent: number): string[] {
    return this.#lines(cutText(text, LONGEST_TEXT), indent, Infinity);
  }

  #lines(text: string, indent: number, widest: number): string[] {
    const width = Math.max(NARROWEST / 2, Math.min(this.columns, widest) - indent);
    const lines = wrapText(text, width, true).split('\n');
    return lines.map((line) => `${' '.repeat(indent)}${line}`);
  }
}
