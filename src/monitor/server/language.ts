import { LANGUAGES, type Language } from '../../texts.ts';
import type { Asked } from './answer.ts';
import { RequestProblem } from './problem.ts';

/** The language in a request's `lang`; throws a `bad-parameter` for one that there are no texts in. */
export function demandedLanguage({ search }: Pick<Asked, 'search'>): Language | null {
  const given = search.get('lang');
  if (given === null || given === '') return null;
  const known = LANGUAGES.find((language) => language === given.toLowerCase());
  if (known === undefined) throw new RequestProblem('bad-parameter', 'lang');
  return known;
}

/** The language to answer in: `lang`, then what the browser prefers, then the page's own. */
export function languageOf(asked: Pick<Asked, 'search' | 'header'>, otherwise: Language): Language {
  const given = asked.search.get('lang')?.toLowerCase();
  const named = LANGUAGES.find((language) => language === given);
  return named ?? preferred(asked.header('accept-language') ?? '') ?? otherwise;
}

/** The one of ours with the greatest weight in an `Accept-Language` (RFC 9110, section 12.5.4); the first of equals. */
function preferred(header: string): Language | null {
  let best: { language: Language; weight: number } | null = null;
  for (const range of header.slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    const weight = weightOf(parameters);
    if (language !== undefined && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? null;
}

/** The `q` of a list's member, 0 to 1; 1 if missing, 0 for nonsense. */
export function weightOf(parameters: readonly string[]): number {
  const given = parameters.map((one) => /^q=(.*)$/i.exec(one)?.[1]).find((one) => one !== undefined);
  if (given === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given) : 0;
}
