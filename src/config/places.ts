/** The files that are looked for, in this order. */
export const SEARCH_PLACES = [
  'docvitals.yaml',
  'docvitals.yml',
  'docvitals.json',
  'docvitals.config.ts',
  'docvitals.config.js',
  'docvitals.config.mjs',
];
