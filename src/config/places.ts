import path from 'node:path';

/** The files that are looked for, in this order. */
export const SEARCH_PLACES = [
  'docvitals.yaml',
  'docvitals.yml',
  'docvitals.json',
  'docvitals.config.ts',
  'docvitals.config.js',
  'docvitals.config.mjs',
];

/** Whether a configuration is a program, which is run to read it. */
export function isModule(file: string): boolean {
  return ['.ts', '.js', '.mjs'].includes(path.extname(file));
}
