import type { Language } from '../../texts.ts';
import { seconds } from '../../locales/format.ts';

/** `4.2 s`, `14 min 3 s`, `2 h 5 min`: units that are the same in every language. */
export function durationOf(ms: number, language: Language): string {
  const whole = Math.round(ms / 1000);
  if (whole < 60) return seconds(language, ms);
  const [large, small, unit] = whole < 3600 ? [whole, 60, 'min'] : [Math.round(whole / 60), 60, 'h'];
  const rest = large % small;
  const restUnit = unit === 'min' ? 's' : 'min';
  const head = `${Math.floor(large / small)}\u00a0${unit}`;
  return rest === 0 ? head : `${head} ${rest}\u00a0${restUnit}`;
}
