import { createRequire } from 'node:module';

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly repository: { readonly url: string };
}

/** docvitals' own package.json: the build puts these fields into the bundle, the library reads them. */
declare const DOCVITALS_PACKAGE: Manifest | undefined;

const manifest: Manifest =
  typeof DOCVITALS_PACKAGE === 'object'
    ? DOCVITALS_PACKAGE
    : (createRequire(import.meta.url)('docvitals/package.json') as Manifest);

export const VERSION = manifest.version;

/** The documentation: an address that ends in `/`. */
export const HOMEPAGE = manifest.homepage;

/** As GitHub names it: `owner/name`. */
export const REPOSITORY = manifest.repository.url.replace(/^.*github\.com\/|\.git$/g, '');
