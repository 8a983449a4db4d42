import type { Markup } from './markup.ts';

/** How much more may be told of findings, so that a file stays one that opens, whatever a site has. */
export class Budget {
  #left: number;

  /** @param characters of HTML, in UTF-16 units */
  constructor(characters: number) {
    this.#left = characters;
  }

  /** Whether there was room for a piece; it is taken. Once a piece was too long, no later one fits either. */
  take({ html }: Markup): boolean {
    this.#left -= html.length;
    return this.#left >= 0;
  }
}
