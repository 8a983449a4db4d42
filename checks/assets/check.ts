import { fullCheck } from '../full-check.ts';
import { RULES } from './rules.ts';

/** What the bundle loads, and the files that the configuration names: there, of the right type, allowed to the page. */
export const assets = fullCheck({
  id: 'assets',
  target: '**/*.{js,css,svg}',
  rules: RULES,
  load: () => import('./evaluate.ts'),
});
