/** Rules of a SARIF log: one for each code that was found, with its words in the language of the report. Pure. */
import type { Texts } from '../texts.ts';
import { cutText } from './cut.ts';

/** Levels as SARIF knows them (section 3.27.10). */
export type Level = 'error' | 'warning' | 'note';

/** A `reportingDescriptor` (section 3.49). */
export interface Descriptor {
  readonly id: string;
  readonly name: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly defaultConfiguration: { readonly level: Level };
}

/** Code scanning takes 1,024 characters of a description. */
const LONGEST_DESCRIPTION = 1_000;

/** Descriptors in the order in which they were first asked for. */
export class Descriptors {
  readonly #texts: Texts;
  readonly #sentences: Intl.Segmenter;
  readonly #found = new Map<string, { readonly index: number; readonly descriptor: Descriptor }>();

  constructor(texts: Texts) {
    this.#texts = texts;
    this.#sentences = new Intl.Segmenter(texts.language, { granularity: 'sentence' });
  }

  /** The index of a code's descriptor, which is made when it is first asked for. */
  indexOf(check: string, rule: string, level: Level): number {
    const id = `${check}/${rule}`;
    const known = this.#found.get(id);
    if (known !== undefined) return known.index;
    const index = this.#found.size;
    this.#found.set(id, { index, descriptor: this.#make(check, rule, level) });
    return index;
  }

  all(): readonly Descriptor[] {
    return [...this.#found.values()].map(({ descriptor }) => descriptor);
  }

  #make(check: string, rule: string, level: Level): Descriptor {
    const text = this.#texts.finding(check, rule);
    const problem = text?.problem ?? rule;
    const [first] = this.#sentences.segment(problem);
    const title = this.#texts.check(check)?.title ?? check;
    const help = [title, problem, text?.fix ?? ''].filter((part) => part !== '');
    return {
      id: `${check}/${rule}`,
      name: pascalCase(`${check}-${rule}`),
      shortDescription: { text: cutText(plain(first?.segment.trim() ?? problem), LONGEST_DESCRIPTION) },
      fullDescription: { text: cutText(plain(problem), LONGEST_DESCRIPTION) },
      help: {
        text: plain(help.join('\n\n')),
        markdown: `# ${title}\n\n${this.#texts.section(check, rule) ?? `## ${rule}`}`,
      },
      defaultConfiguration: { level },
    };
  }
}

/** `links/missing-anchor` → `LinksMissingAnchor`. */
function pascalCase(id: string): string {
  return id.replaceAll(/(?:^|[^\p{L}\p{N}]+)([\p{L}\p{N}])/gu, (_, letter: string) => letter.toUpperCase());
}

/** Markdown's inline code as plain text. */
function plain(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '$1');
}
