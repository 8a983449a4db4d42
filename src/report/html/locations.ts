/** Where a finding shows: in the repository where that is known, and on the site. */
import type { Finding, Location } from '../../check.ts';
import { beginningOf } from '../cut.ts';
import { repositoryLocationOf } from '../location.ts';
import { markup, NOTHING, type Markup } from './markup.ts';
import type { HtmlContext } from './context.ts';

const LONGEST_PATH = 300;
/** Places besides the first that are shown at once. */
const MOST_LOCATIONS = 6;

/** The place that a finding is told for, in the repository and on the site where they differ. */
export function locationMarkup(location: Location, { locate, words }: HtmlContext): Markup {
  const { path, line, column } = location;
  const known = locate(location);
  if (known === null || (known.file === path && known.line === line)) return codeOf(path, line, column);
  const other = known.line === null ? markup` <span class="aside">(${words.otherVersion})</span>` : null;
  const onSite = markup`<span class="aside">${words.onSite} ${codeOf(path, line, column)}</span>`;
  return markup`${codeOf(known.file, known.line, known.column)} ${onSite}${other}`;
}

/** The file that a finding without a place is about as a whole, where it is known in the repository. */
export function fileOf(finding: Finding, { locate }: HtmlContext): Markup {
  const known = repositoryLocationOf(finding, locate);
  return known === null ? NOTHING : codeOf(known.file, known.line, known.column);
}

/** The other places of a finding, most of them behind a click. */
export function otherLocations({ location, locations = [] }: Finding, context: HtmlContext): Markup {
  const others = locations.filter((inRepository) => location === undefined || !isSame(inRepository, location));
  if (others.length === 0) return NOTHING;
  const { words } = context;
  const items = others.map((inRepository) => markup`<li>${shortLocation(inRepository, context)}</li>`);
  const more = items.slice(MOST_LOCATIONS);
  const rest =
    more.length === 0
      ? null
      : markup`<details><summary>${words.morePlaces(more.length)}</summary><ul class="places">${more}</ul></details>`;
  return markup`<div class="also"><p>${words.also}</p><ul class="places">${items.slice(0, MOST_LOCATIONS)}</ul>${rest}</div>`;
}

const isSame = (one: Location, other: Location): boolean =>
  one.line === other.line && one.column === other.column && one.path === other.path;

/** In the repository where that is known, else on the site. */
function shortLocation(location: Location, { locate }: HtmlContext): Markup {
  const known = locate(location);
  return known === null
    ? codeOf(location.path, location.line, location.column)
    : codeOf(known.file, known.line, known.column);
}

/** `docs/navigation.md:3:5`, as editors open it. */
function codeOf(file: string, line: number | null, column: number | null): Markup {
  const { text, more } = beginningOf(file, LONGEST_PATH);
  const position = [line, line === null ? null : column].filter((number) => number !== null);
  return markup`<code dir="ltr">${text}${more > 0 ? '…' : null}${position.map((number) => `:${number}`)}</code>`;
}
