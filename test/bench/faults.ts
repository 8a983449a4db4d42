/** What may be wrong with a site after a deployment, one at a time: contenders show that they find it. */
import type { Files } from './site.ts';

/** The core checks, and the file that each requests. */
export const FILES = {
  bundle: 'index.html',
  config: 'config.json',
  navigation: 'navigation.md',
  home: 'index.md',
  'llms-txt': 'llms.txt',
} as const;
export type FiveCheck = keyof typeof FILES;
export const FIVE = Object.keys(FILES) as readonly FiveCheck[];

export interface Fault {
  readonly what: string;
  /** Checks that fail. */
  readonly fails: readonly FiveCheck[];
  /** What docvitals calls it. */
  readonly rule?: string;
  /** Changes the files of a healthy site. */
  readonly spoil?: (files: Files) => unknown;
  /** Directives of nginx's server block. */
  readonly configuration?: string;
  /** Only for monitors: nothing listens, or what is wrong with the certificate. */
  readonly origin?: 'absent' | 'expired' | 'other-address';
  /** Regular expressions cannot find it. */
  readonly isBeyondExpressions?: true;
}

const configure = (file: string, directive: string): string => `location = /${file} { ${directive} }`;

const deleted = (check: FiveCheck): Fault => ({
  what: `\`${FILES[check]}\` is missing: 404`,
  fails: [check],
  rule: `${check}/not-found`,
  spoil: (files) => files.delete(FILES[check]),
});

const written = (check: FiveCheck, rule: string, what: string, text: string): Fault => ({
  what: `\`${FILES[check]}\` ${what}`,
  fails: [check],
  rule: `${check}/${rule}`,
  spoil: (files) => files.set(FILES[check], text),
});

const configured = (check: FiveCheck, rule: string, what: string, directive: string): Fault => ({
  what: `\`${FILES[check]}\` ${what}`,
  fails: [check],
  rule: `${check}/${rule}`,
  configuration: configure(FILES[check], directive),
});

/** Faults of the five files. */
export const FAULTS = {
  'bundle-missing': deleted('bundle'),
  'bundle-loop': configured('bundle', 'redirect-loop', 'is redirected to itself', 'return 301 /index.html;'),
  'bundle-type': configured('bundle', 'media-type', 'is sent as plain text', 'types { } default_type text/plain;'),
  'bundle-markup': written('bundle', 'not-html', 'contains no HTML', 'It works!\n'),
  'config-missing': deleted('config'),
  'config-json': written('config', 'trailing-comma', 'has a trailing comma', '{ "title": "Stations", }\n'),
  'config-list': written('config', 'not-object', 'is a list', '["Stations"]\n'),
  'navigation-error': configured('navigation', 'server-error', 'is answered with 500', 'return 500;'),
  'navigation-fallback': {
    ...configured('navigation', 'spa-fallback', 'is missing: the bundle, with 200', 'try_files $uri /index.html;'),
    spoil: (files) => files.delete(FILES.navigation),
  },
  // A warning of docvitals, with exit status 0.
  'navigation-links': { ...written('navigation', 'no-links', 'has no links', '# Stations\n\nSoon.\n'), fails: [] },
  'home-empty': written('home', 'empty', 'is empty', ''),
  'home-html': written('home', 'html', 'contains HTML', '<!doctype html>\n<html><body><p>Sign in</p></body></html>\n'),
  'llms-missing': deleted('llms-txt'),
  'llms-empty': written('llms-txt', 'empty', 'is empty', ''),
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultId = keyof typeof FAULTS;
export const FAULT_IDS = Object.keys(FAULTS) as readonly FaultId[];

/** Faults of one origin among many. */
export const ORIGIN_FAULTS: readonly Fault[] = [
  ...Object.values(FAULTS as Readonly<Record<string, Fault>>).filter(({ fails }) => fails.length > 0),
  { what: 'the server answers 500', fails: FIVE, configuration: 'return 500;' },
  {
    ...written('config', 'json', 'has an unclosed quote', '{\n  "title": "Stations,\n  "homePage": "index.md"\n}\n'),
    isBeyondExpressions: true,
  },
  { what: 'nothing listens', fails: FIVE, origin: 'absent' },
  { what: 'an expired certificate', fails: FIVE, origin: 'expired' },
  { what: 'a certificate for another address', fails: FIVE, origin: 'other-address' },
];

/** Faults of a whole site. */
export const TREE_FAULTS: Readonly<Record<string, Fault>> = {
  'page-missing': {
    what: 'a page that others link to is missing: 404',
    fails: [],
    rule: 'links/missing',
    spoil: (files) => files.delete('part-0/page-7.md'),
  },
};

/** Faults of what a browser shows. */
export const PAGE_FAULTS: Readonly<Record<string, Fault>> = {
  'script-missing': {
    what: 'the engine’s script is missing: the page stays blank',
    fails: [],
    rule: 'rendered/blank',
    spoil: (files) => files.delete('docsify.min.js'),
  },
  'route-missing': {
    what: 'the file of a route is missing: 404',
    fails: [],
    rule: 'rendered/route-not-found',
    spoil: (files) => files.delete('page-3.md'),
  },
};
