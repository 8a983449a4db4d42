/** The five files that the benchmark's many origins serve, and one origin for each thing that may be wrong with them. */

/** Names of the five checks, as docvitals has them. */
export const FIVE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'] as const;
export type FiveCheck = (typeof FIVE)[number];

/** What the checks ask for below the base URL. */
export const PATHS = {
  bundle: 'index.html',
  config: 'config.json',
  navigation: 'navigation.md',
  home: 'index.md',
  'llms-txt': 'llms.txt',
} as const satisfies Record<FiveCheck, string>;

type Files = ReadonlyMap<string, string>;

/** An origin that is not well. */
export interface OriginFault {
  /** Which of the five must fail there. */
  readonly fails: readonly FiveCheck[];
  /** Those of them that regular expressions cannot see. */
  readonly unseenByExpressions?: readonly FiveCheck[];
  /** Its files, where they differ from those of a healthy origin. */
  readonly files?: (healthy: Files) => Files;
  /** Directives of nginx. */
  readonly directives?: string;
  /** Nothing listens there. */
  readonly absent?: true;
  /** Only over TLS: what is wrong with the certificate. */
  readonly certificate?: 'expired' | 'other-address';
}

const TOPICS = ['sensors', 'stations', 'storage', 'alarms', 'exports', 'accounts', 'backups', 'releases'];
const PARAGRAPH =
  'Readings come in every ten minutes and are kept for five years. A station that goes quiet is told to whoever is on ' +
  'duty, and the list of stations shows when each was heard of last.';

/**
 * A small engine, a usual configuration, a navigation of about 6 KB, a home page and an agent index of some KB. Each has
 * the title in it, so that no two origins send the same bytes.
 */
export function healthyFiles(title: string): Files {
  const pages = TOPICS.flatMap((topic) =>
    Array.from({ length: 15 }, (_, index) => [`${topic}/chapter-${index}.md`, `Chapter ${index} of ${topic}`] as const),
  );
  const list = (prefix: string): string => pages.map(([file, name]) => `- [${name}](${prefix}${file})`).join('\n');
  return new Map([
    [
      PATHS.bundle,
      `<!doctype html>\n<html lang="en">\n<title>${title}</title>\n<script src="app.js"></script>\n<body></body>\n</html>\n`,
    ],
    [PATHS.config, `{\n  "title": "${title}",\n  "homePage": "index.md",\n  "llmsTxtUrl": "/llms.txt"\n}\n`],
    [PATHS.navigation, `# ${title}\n\n${list('#/')}\n`],
    [PATHS.home, `# ${title}\n\n${`${PARAGRAPH}\n\n`.repeat(8)}See the [first chapter](sensors/chapter-0.md).\n`],
    [PATHS['llms-txt'], `# ${title}\n\n> ${PARAGRAPH}\n\n## Chapters\n\n${list('/')}\n`],
  ]);
}

const changed =
  (path: string, text: string) =>
  (healthy: Files): Files =>
    new Map([...healthy, [path, text]]);

const without =
  (...paths: readonly string[]) =>
  (healthy: Files): Files =>
    new Map([...healthy].filter(([path]) => !paths.includes(path)));

/** One of each, by a name that says what is wrong. */
export const ORIGIN_FAULTS: Readonly<Record<string, OriginFault>> = {
  'the server answers 500': { fails: FIVE, directives: 'return 500;' },
  'nothing listens': { fails: FIVE, absent: true },
  'the bundle has another media type': {
    fails: ['bundle'],
    directives: 'location = /index.html { types {} default_type text/plain; }',
  },
  'the bundle is a redirect': { fails: ['bundle'], directives: 'location = /index.html { return 302 /start; }' },
  'a trailing comma in the configuration': {
    fails: ['config'],
    files: changed(PATHS.config, '{\n  "title": "Stations",\n  "homePage": "index.md",\n}\n'),
  },
  'an unclosed quote in the configuration': {
    fails: ['config'],
    unseenByExpressions: ['config'],
    files: changed(PATHS.config, '{\n  "title": "Stations,\n  "homePage": "index.md"\n}\n'),
  },
  'no navigation': { fails: ['navigation'], files: without(PATHS.navigation) },
  'the bundle instead of missing files': {
    fails: ['navigation', 'llms-txt'],
    files: without(PATHS.navigation, PATHS['llms-txt']),
    directives: 'error_page 404 =200 /index.html;',
  },
  'an empty home page': { fails: ['home'], files: changed(PATHS.home, '') },
  'HTML as the home page': { fails: ['home'], files: changed(PATHS.home, '<!doctype html>\n<p>Not here.</p>\n') },
  'no agent index': { fails: ['llms-txt'], files: without(PATHS['llms-txt']) },
  'an expired certificate': { fails: FIVE, certificate: 'expired' },
  'a certificate for another address': { fails: FIVE, certificate: 'other-address' },
};
