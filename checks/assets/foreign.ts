/** Says which files of other hosts are asked for. Pure. */
import { scopeOf } from '../../src/address-scope.ts';
import type { RequiredFile, RequiredKind } from './required-files.ts';

/** What a page needs to work as it is meant, wherever it is. */
const NEEDED: ReadonlySet<RequiredKind> = new Set<RequiredKind>(['script', 'style', 'modulepreload', 'chunk']);

/**
 * Whether a file is asked for. Other hosts are no part of the site: what the page merely shows from there (pictures,
 * fonts, films, icons) is looked at only where the user wants `external` links looked at.
 */
export function isRequested({ kind }: Pick<RequiredFile, 'kind'>, url: URL, page: URL, external: boolean): boolean {
  return external || url.hostname === page.hostname || NEEDED.has(kind) || isLocal(url);
}

/** An address of the author's own machine or network: no request leaves for it, and no visitor gets the file. */
function isLocal({ hostname }: URL): boolean {
  return /(?:^|\.)localhost$/.test(hostname) || scopeOf(hostname.replace(/^\[|\]$/g, '')) !== 'public';
}
