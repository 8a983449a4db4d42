import templates from '../generated/templates.json' with { type: 'json' };

type Values = Readonly<Record<string, string | boolean | null>>;

/**
 * A file of `templates/` with its values. `@{name}` is a value; a line with nothing else also takes the line end, so that
 * its value is whole lines. The lines from `@{if name}` to `@{end}` are kept where the value is set.
 */
export function fill(template: keyof typeof templates, values: Values): string {
  return templates[template]
    .replaceAll(/^@\{(if|unless) (\w+)\}\n([^]*?)^@\{end\}\n/gm, (_, word: string, name: string, lines: string) =>
      Boolean(values[name]) === (word === 'if') ? lines : '',
    )
    .replaceAll(/^@\{(\w+)\}\n|@\{(\w+)\}/gm, (_, line: string | undefined, inline: string | undefined) =>
      String(values[line ?? inline ?? '']),
    );
}
