import { createRequire } from 'node:module';

/** docvitals' own version: the build puts it into the bundle, the library reads its package.json. */
declare const DOCVITALS_VERSION: string | undefined;

export const VERSION: string =
  typeof DOCVITALS_VERSION === 'string'
    ? DOCVITALS_VERSION
    : (createRequire(import.meta.url)('docvitals/package.json') as { version: string }).version;
