import type { Check } from '../check.ts';

const BY_ROLE: Readonly<Record<string, string>> = {
  browser: '--browser',
  source: '--source docs',
  version: '--expect-version 3f2a91c',
};

/** The option, with an example of its value, without which a check has nothing to do. */
export const neededOption = ({ role }: Check): string => (role === undefined ? '' : (BY_ROLE[role] ?? ''));
