/** What may be wrong with a site after a deploy, one at a time: contenders show with it that they look. */

export interface Fault {
  /** What docvitals calls it. */
  readonly code: string;
  /** As it stands in the table. */
  readonly what: string;
  /** Changes the files of a healthy site. */
  readonly spoil?: (files: Map<string, string>) => void;
  /** Directives of nginx' server block. */
  readonly configuration?: string;
}

const answer = (file: string, directive: string): string => `location = /${file} { ${directive} }`;

export const FAULTS = {
  'bundle-missing': {
    code: 'bundle/not-found',
    what: '`index.html` is not there: 404',
    spoil: (files) => files.delete('index.html'),
  },
  'bundle-loop': {
    code: 'bundle/redirect-loop',
    what: '`index.html` is redirected to itself',
    configuration: answer('index.html', 'return 301 /index.html;'),
  },
  'bundle-type': {
    code: 'bundle/media-type',
    what: '`index.html` is sent as plain text',
    configuration: answer('index.html', 'types { } default_type text/plain;'),
  },
  'bundle-markup': {
    code: 'bundle/not-html',
    what: '`index.html` holds no HTML',
    spoil: (files) => files.set('index.html', 'It works!\n'),
  },
  'config-missing': {
    code: 'config/not-found',
    what: '`config.json` is not there: 404',
    spoil: (files) => files.delete('config.json'),
  },
  'config-json': {
    code: 'config/trailing-comma',
    what: '`config.json` has a trailing comma',
    spoil: (files) => files.set('config.json', '{ "title": "Stations", }\n'),
  },
  'config-list': {
    code: 'config/not-object',
    what: '`config.json` is a list',
    spoil: (files) => files.set('config.json', '["Stations"]\n'),
  },
  'navigation-error': {
    code: 'navigation/server-error',
    what: '`navigation.md` is answered with 500',
    configuration: answer('navigation.md', 'return 500;'),
  },
  'navigation-fallback': {
    code: 'navigation/spa-fallback',
    what: '`navigation.md` is not there: the bundle, with 200',
    spoil: (files) => files.delete('navigation.md'),
    configuration: answer('navigation.md', 'try_files $uri /index.html;'),
  },
  'navigation-links': {
    code: 'navigation/no-links',
    what: '`navigation.md` has no links',
    spoil: (files) => files.set('navigation.md', '# Stations\n\nSoon.\n'),
  },
  'home-empty': { code: 'home/empty', what: '`index.md` is empty', spoil: (files) => files.set('index.md', '') },
  'home-html': {
    code: 'home/html',
    what: '`index.md` holds HTML',
    spoil: (files) => files.set('index.md', '<!doctype html>\n<html><body><p>Sign in</p></body></html>\n'),
  },
  'llms-missing': {
    code: 'llms-txt/not-found',
    what: '`llms.txt` is not there: 404',
    spoil: (files) => files.delete('llms.txt'),
  },
  'llms-empty': { code: 'llms-txt/empty', what: '`llms.txt` is empty', spoil: (files) => files.set('llms.txt', '') },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultId = keyof typeof FAULTS;

export const FAULT_IDS = Object.keys(FAULTS) as readonly FaultId[];

/** Faults of what a browser shows. */
export const PAGE_FAULTS: Readonly<Record<string, Fault>> = {
  'script-missing': {
    code: 'rendered/blank',
    what: 'the engine’s script is not there: the page stays blank',
    spoil: (files) => files.delete('docsify.min.js'),
  },
  'route-missing': {
    code: 'rendered/route-not-found',
    what: 'the file of a route is not there: 404',
    spoil: (files) => files.delete('page-3.md'),
  },
};

/** Faults of a whole site. */
export const TREE_FAULTS: Readonly<Record<string, Fault>> = {
  'page-missing': {
    code: 'links/missing',
    what: 'a page that others link to is not there: 404',
    spoil: (files) => files.delete('part-0/page-7.md'),
  },
};
