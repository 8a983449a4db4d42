/**
 * Writes the text exposition format 0.0.4. A thousand sites with all their checks are more than a hundred thousand
 * lines: what all lines of a site and of a check share is written once, and no object is made for a line.
 */

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

/** One metric with its samples; an empty text where there are none. */
export function family(name: string, type: 'gauge' | 'counter', help: string, fill: (add: AddSample) => void): string {
  let lines = '';
  fill((labels, value) => {
    if (value !== null) lines += `${name}{${labels}} ${Number(value)}\n`;
  });
  return lines === '' ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines}`;
}
