/** The mistakes of meaning in the checks of the user's own. */
import { mediaTypeEssence, readHeaderExpectation } from './own.ts';
import { isHeaderName, isHeaderValue } from './header.ts';
import { durationMistakes, itemsOf, membersOf, mistake } from './meaning.ts';
import type { Mistake, Path } from './problem.ts';
import { valueAt } from './shape.ts';
import { sitePathProblem } from './site-path.ts';

/**
 * The mistakes of meaning in a list of own checks, without those of the JSON Schemas in it. `taken` are the ids of own
 * checks that the site has from elsewhere.
 */
export function ownMistakes(
  value: unknown,
  list: Path,
  { builtIn, taken = [] }: { readonly builtIn: readonly string[]; readonly taken?: readonly unknown[] },
): Mistake[] {
  const seen = new Set<unknown>(taken);
  return itemsOf(valueAt(value, list)).flatMap((check, index) => {
    const id = valueAt(check, ['id']);
    const isTwice = seen.has(id);
    seen.add(id);
    const at: Path = [...list, index];
    const mistakes = typeof id === 'string' ? idMistakes([...at, 'id'], id, isTwice, builtIn) : [];
    return mistakes.concat(
      pathMistakes([...at, 'path'], valueAt(check, ['path'])),
      acceptMistakes([...at, 'accept'], valueAt(check, ['accept'])),
      mediaTypeMistakes([...at, 'expect', 'mediaType'], valueAt(check, ['expect', 'mediaType'])),
      headerMistakes([...at, 'expect', 'headers'], valueAt(check, ['expect', 'headers'])),
      durationMistakes(value, [...at, 'expect', 'maxDuration']),
    );
  });
}

function idMistakes(path: Path, name: string, isTwice: boolean, builtIn: readonly string[]): Mistake[] {
  // `common` and `own` are pages of texts; a check of that name would take their place.
  if ([...builtIn, 'common', 'own'].includes(name)) return [mistake(path, { kind: 'id-built-in', name })];
  return isTwice ? [mistake(path, { kind: 'id-twice', name })] : [];
}

function pathMistakes(path: Path, text: unknown): Mistake[] {
  if (typeof text !== 'string' || text === '') return [];
  const kind = sitePathProblem(text);
  return kind === null ? [] : [mistake(path, { kind }, text)];
}

function acceptMistakes(path: Path, text: unknown): Mistake[] {
  return typeof text !== 'string' || isHeaderValue(text) ? [] : [mistake(path, { kind: 'header-value' }, text)];
}

function mediaTypeMistakes(path: Path, value: unknown): Mistake[] {
  const texts = Array.isArray(value)
    ? itemsOf(value).map((text, index) => [[...path, index], text] as const)
    : [[path, value] as const];
  return texts.flatMap(([at, text]) =>
    typeof text !== 'string' || text === '' || mediaTypeEssence(text) !== null
      ? []
      : [mistake(at, { kind: 'media-type' }, text)],
  );
}

function headerMistakes(path: Path, headers: unknown): Mistake[] {
  return membersOf(headers).flatMap(([name, text]): Mistake[] => {
    const at = [...path, name];
    if (!isHeaderName(name)) return [{ path: at, at: 'key', expected: { kind: 'header-name' } }];
    return typeof text === 'string' && readHeaderExpectation(text) === null
      ? [mistake(at, { kind: 'regex' }, text)]
      : [];
  });
}
