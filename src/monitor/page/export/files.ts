/** Which files a status page is made of, for hosts that have nothing but files. */
import { LANGUAGES, type Language } from '../../../texts.ts';
import { isPageId, addressOf, STYLE_FILE, type PageAddress } from '../page-paths.ts';

/** A file to write. */
export interface ExportedFile {
  /** Relative to the folder, with slashes. */
  readonly file: string;
  readonly location: PageAddress;
  readonly language: Language;
}

/**
 * The files, those that others lead to first: whoever looks while they are written finds what links lead to.
 *
 * @param sites ids of the sites
 * @param incidents ids of the incidents that have a page
 * @param main the language of the first page
 */
export function filesOf(
  sites: readonly string[],
  incidents: readonly string[],
  main: Language,
): readonly ExportedFile[] {
  const locations: readonly PageAddress[] = [
    ...incidents.filter(isPageId).map((id) => ({ kind: 'incident' as const, id })),
    ...[...sites.filter(isPageId), null].flatMap((id) =>
      (['svg', 'json'] as const).map((format) => ({ kind: 'badge' as const, id, format })),
    ),
    ...sites.filter(isPageId).map((id) => ({ kind: 'site' as const, id })),
    { kind: 'history' },
    { kind: 'feed', format: 'atom' },
    { kind: 'feed', format: 'rss' },
    { kind: 'overview' },
  ];
  return locations.flatMap((location) =>
    LANGUAGES.map((language) => ({ file: fileAt(addressOf(location, language, main)), location, language })),
  );
}

/** The file that stands for an address. */
const fileAt = (address: string): string =>
  address === '' || address.endsWith('/') ? `${address}index.html` : address;

const LANGUAGE_FOLDER = new RegExp(`^(?:${LANGUAGES.join('|')})/`);
const TOP = /^(?:index\.html|history\/index\.html|feed\.(?:atom|rss)|badge\.(?:svg|json))$/;
const OF_ONE = /^(?:(?:sites|incidents)\/([^/]+)\/index\.html|badge\/([^/]+)\.(?:svg|json))$/;

/** Whether a name is one that an export writes: nothing else is ever removed, whatever a list in a folder says. */
export function isExported(name: string): boolean {
  if (name === STYLE_FILE) return true;
  const local = name.replace(LANGUAGE_FOLDER, '');
  const id = OF_ONE.exec(local);
  return TOP.test(local) || (id !== null && isPageId(id[1] ?? id[2] ?? ''));
}
