/** The documents' generated parts, between `<!-- name -->` and `<!-- /name -->`, made of what was measured. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES, type Language } from '../../src/texts.ts';
import { inLanguage } from '../docs/languages.ts';
import { inWords } from '../docs/phrases.ts';
import { machine } from './environment.ts';
import type { Testimony } from './proof.ts';
import { writeResults, type Results } from './results.ts';
import type { Growth } from './growth/growth.ts';
import { targetsOf } from './limits.ts';
import { partOf, picturesOf } from './growth/part.ts';
import type { Row } from './row.ts';
import { FAULTS, PAGE_FAULTS, TREE_FAULTS, type Fault } from './scene/faults.ts';
import { rowTables, table, targetTable } from './table.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** The files that have generated parts. */
export const PAGES: Readonly<Partial<Record<Language, string>>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, path.join(ROOT, inLanguage('docs/performance.md', language))]).filter(
    ([, file = '']) => existsSync(file),
  ),
);
export const DETAILS = path.join(import.meta.dirname, 'README.md');

/** What the page shows of how docvitals grows. */
const SHOWN = 'growth/pages';
/** Whose pictures are in the assets of the site as well. */
const IN_ASSETS = new Set([SHOWN, 'fleet/simulated']);
const ASSETS = path.join(ROOT, 'docs', 'assets');
const pathInAssets = (id: string): string => path.join(ASSETS, `${path.basename(id)}.svg`);

/** What all of it is made of. */
export interface Measured {
  readonly rows: readonly Row[];
  readonly growths: readonly Growth[];
  readonly results: Results;
}

/** The parts of each document, by their names. */
export function partsOf({ rows, growths, results }: Measured): Readonly<Record<string, ReadonlyMap<string, string>>> {
  const targets = targetTable(rows, results.rows, (id) => targetsOf(id));
  const about = environmentText(results);
  const partsOfPage = (page: string, language: Language): ReadonlyMap<string, string> => {
    const shown = growths.find(({ id }) => id === SHOWN);
    const grown = results.growth[SHOWN];
    const pathOf = (id: string): string =>
      path.relative(path.dirname(page), pathInAssets(id)).replaceAll(path.sep, '/');
    const growth = shown === undefined || grown === undefined ? '' : partOf(shown, grown, pathOf);
    return new Map([
      ['speed', inWords(`${targets}\n${about}`, language)],
      ['growth', inWords(growth, language)],
    ]);
  };
  return {
    ...Object.fromEntries(
      Object.entries(PAGES).map(([language, page]) => [page, partsOfPage(page, language as Language)]),
    ),
    [DETAILS]: new Map([
      ['environment', about],
      ['targets', targets],
      ['rows', rowTables(rows, results.rows)],
      ['proof', proofTable(results.proof)],
      ...growths.flatMap((growth): [string, string][] => {
        const grown = results.growth[growth.id];
        return grown === undefined ? [] : [[growth.id, partOf(growth, grown)]];
      }),
    ]),
  };
}

/** The pictures, by the path of their files. */
export function pictures({ growths, results }: Measured): ReadonlyMap<string, string> {
  const drawn = growths.flatMap((growth) => {
    const grown = results.growth[growth.id];
    if (grown === undefined) return [];
    return [...picturesOf(growth, grown)].flatMap(([id, svg]) => {
      const files = [path.join(import.meta.dirname, `${id}.svg`)];
      if (IN_ASSETS.has(growth.id)) files.push(pathInAssets(id));
      return files.map((file): [string, string] => [file, svg]);
    });
  });
  return new Map(drawn);
}

/** Puts parts where they belong. Throws where a document has no place for one. */
export function withParts(document: string, parts: ReadonlyMap<string, string>): string {
  let whole = document;
  for (const [name, text] of parts) {
    const pattern = new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${name} -->`);
    if (!pattern.test(whole)) throw new Error(`there is no place for ${name}`);
    whole = whole.replace(pattern, () => `<!-- ${name} -->\n${text}<!-- /${name} -->`);
  }
  return whole;
}

/** Keeps the results, and writes the documents and the pictures that are made of them. */
export function writeDocuments(measured: Measured): void {
  const kept = { ...measured, results: writeResults(measured.results) };
  for (const [file, parts] of Object.entries(partsOf(kept)))
    writeFileSync(file, withParts(readFileSync(file, 'utf8'), parts));
  for (const [file, svg] of pictures(kept)) writeFileSync(file, svg);
}

/** Everything that was measured, to be read at once. */
export const tablesOf = (measured: Measured): string =>
  [...(partsOf(measured)[DETAILS] ?? [])].map(([, text]) => text).join('\n');

/** When and where it was measured. */
function environmentText({ environment, rows }: Pick<Results, 'environment' | 'rows'>): string {
  const places = Map.groupBy(Object.entries(rows), ([, row]) => machine(row.environment ?? environment));
  if (places.size === 0) return 'No row has been measured since the last change.\n';
  const most = machine(environment);
  return [...places]
    .map(([place, measured]) => {
      const days = measured.map(([, { date }]) => date).toSorted();
      const [first = '', last = ''] = [days[0], days.at(-1)];
      const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
      const which = place === most ? '' : ` (${measured.map(([id]) => `\`${id}\``).join(', ')})`;
      return `Measured ${when}${which}: ${place}.\n`;
    })
    .join('\n');
}

/** Faults down, contenders across. */
function proofTable(testimonies: readonly Testimony[]): string {
  const groups = Map.groupBy(testimonies, ({ shown }) => shown.join());
  return [...groups.values()].map(oneProof).join('\n');
}

function oneProof(testimonies: readonly Testimony[]): string {
  const all: Readonly<Record<string, Fault>> = { ...FAULTS, ...TREE_FAULTS, ...PAGE_FAULTS };
  const rows = (testimonies[0]?.shown ?? []).map((id) => [
    all[id]?.what ?? id,
    ...testimonies.map(({ seen }) => (seen.includes(id) ? 'seen' : '–')),
  ]);
  return table(['fault', ...testimonies.map(({ contender }) => contender)], 1 + testimonies.length, rows);
}
