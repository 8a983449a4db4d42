/**
 * Writes the text exposition format 0.0.4. A thousand sites with all their checks are more than fifty thousand lines:
 * what all lines of a site and of a check share is written once, no object is made for a line, and lines become bytes
 * before there are so many that the memory they take is costly to give back.
 */

/** Lines wait to become bytes until they have so many UTF-16 code units. */
const ENOUGH = 16_384;

/** A label's value: backslash, quote and line feed escaped. */
function labelText(text: string): string {
  return /[\\"\n]/.test(text) ? text.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`) : text;
}

/** `name="value"` */
export function label(name: string, value: string): string {
  return `${name}="${labelText(value)}"`;
}

/** Adds a line: labels as they stand between the braces. `null`: it is not known, and there is no line. */
export type AddSample = (labels: string, value: number | boolean | null) => void;

/** Metrics, one after the other. */
export class Exposition {
  readonly #bytes: Buffer[] = [];
  #lines = '';

  /** One metric with its samples; nothing at all where there are none. */
  family(name: string, type: 'gauge' | 'counter', help: string, fill: (add: AddSample) => void): void {
    let head = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
    fill((labels, value) => {
      if (value === null) return;
      this.#lines += `${head}${name}{${labels}} ${Number(value)}\n`;
      head = '';
      if (this.#lines.length > ENOUGH) this.#flush();
    });
  }

  /** All that was written, in UTF-8. */
  bytes(): Buffer {
    this.#flush();
    return Buffer.concat(this.#bytes);
  }

  #flush(): void {
    this.#bytes.push(Buffer.from(this.#lines));
    this.#lines = '';
  }
}
