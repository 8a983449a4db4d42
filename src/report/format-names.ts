/** The outputs, as `--format` and `--report` name them. */
export const FORMAT_NAMES = [
  'pretty',
  'json',
  'junit',
  'sarif',
  'markdown',
  'github',
  'tap',
  'prometheus',
  'html',
] as const;

export type FormatName = (typeof FORMAT_NAMES)[number];
