/**
 * An engine, an option and a channel that are added by the lists of `docs/contributing.md` and by nothing else. A copy is
 * built whole and its types are checked, which takes a minute: the rest of the list is what the compiler and the tests demand.
 */
import { afterAll, expect, it } from 'vitest';
import { copyOfCheckout, listed, type Changes } from './following-lists.ts';

const after =
  (line: string | RegExp, added: string) =>
  (text: string): string =>
    text.replace(line, (found) => `${found}${added}`);
const atEnd = (added: string) => (text: string) => `${text}${added}`;

/* The engine `plainwiki`, which has the files of the core checks and names itself in its title. */

const named = after('docsify', ', PlainWiki');
const inSchema = after('"docsify"', ', "plainwiki"');
const listedBefore = (text: string): string => text.replaceAll(/, docsify (or|sau|ou) /g, ', docsify, plainwiki $1 ');

const ENGINE: Changes = {
  'src/engines/engine.ts': after("  docsify: 'docsify',\n", "  plainwiki: 'PlainWiki',\n"),
  'src/engines/plainwiki.ts': () => `import { readSettings, type EngineProfile } from './engine.ts';
import { hrefOfPath, resolveLink } from './link.ts';

/** PlainWiki names itself in the title of its bundle. */
export const plainwiki: EngineProfile = {
  id: 'plainwiki',
  recognise: (bundle) => (bundle.includes('<title>PlainWiki</title>') ? null : undefined),
  files: { homePage: 'index.md', navigationFile: 'navigation.md', llmsTxtUrl: 'llms.txt' },
  configuration: () => 'optional',
  navigation: 'required',
  llmsTxt: 'optional',
  configure: ({ configuration }) => ({
    settings: readSettings(configuration),
    links: { resolve: (link, from) => resolveLink(link, from), routeTo: (path) => \`#/\${hrefOfPath(path)}\` },
  }),
};
`,
  'src/engines/index.ts': (text) =>
    text
      .replace('import { vertiwiki }', "import { plainwiki } from './plainwiki.ts';\nimport { vertiwiki }")
      .replace('docsify, generic]', 'docsify, plainwiki, generic]'),
  'src/engines/plainwiki.test.ts': () => `import { expect, it } from 'vitest';
import { engineName, recogniseEngine } from './index.ts';

it('is recognised by its title', () => {
  const engine = recogniseEngine('<!doctype html><title>PlainWiki</title>');
  expect(engine && engineName(engine)).toBe('PlainWiki');
});
`,
  'action.yml': listedBefore,
  'src/build/site/reference/texts/action.yaml': listedBefore,
  'src/report/report.schema.json': inSchema,
  'src/monitor/fleet/queue.schema.json': inSchema,
  'docs/engines.md': atEnd('\n## PlainWiki\n\nSettings are in `config.json`.\n'),
  'docs/ro/engines.md': atEnd('\n## PlainWiki\n\nSetările sunt în `config.json`.\n'),
  'docs/fr/engines.md': atEnd('\n## PlainWiki\n\nLes réglages sont dans `config.json`.\n'),
  'README.md': named,
  'docs/index.md': named,
  'docs/ro/index.md': named,
  'docs/fr/index.md': named,
};

/* The option `--lenient` of `check`, which is a key and an input too, and `--silent` of `manifest`. */

const HELP = `- en: 'warnings never fail'
  ro: 'avertismentele nu fac niciodată rularea să eșueze'
  fr: 'les avertissements ne font jamais échouer'
- en: 'write nothing to the terminal'
  ro: 'nu scrie nimic în terminal'
  fr: 'n’écrit rien dans le terminal'
`;

const KEY = `lenient:
  en: 'Warnings never fail the run.'
  ro: 'Avertismentele nu fac niciodată rularea să eșueze.'
  fr: 'Les avertissements ne font jamais échouer l’exécution.'
`;

const INPUT = 'true: warnings never fail. Default: the configuration.';

const OPTION: Changes = {
  'src/cli/commands.ts': after(
    "manifest: { '--out <file>': 'write to this file'",
    ", '--silent': 'write nothing to the terminal'",
  ),
  'src/options/arguments.ts': after("  '--strict': 'warnings fail too',\n", "  '--lenient': 'warnings never fail',\n"),
  'src/locales/help.yaml': atEnd(HELP),
  'src/cli/manifest.ts': (text) =>
    text
      .replace('{ out }:', '{ out, silent }:')
      .replace(
        '    await (out === undefined',
        '    if (out === undefined && silent === true) return;\n    await (out === undefined',
      ),
  'src/options/run-options.ts': (text) =>
    text.replace(
      'flags.strict ?? config.strict',
      '(flags.strict ?? config.strict) && !(flags.lenient ?? config.lenient)',
    ),
  'src/config/schema.ts': after('    strict: flag(false),\n', '    lenient: flag(false),\n'),
  'src/config/descriptions.yaml': (text) => text.replace(/^strict:$/m, `${KEY}strict:`),
  'src/config/config.ts': after('    strict: file.strict ?? false,\n', '    lenient: file.lenient ?? false,\n'),
  'src/config/config.test.ts': after('      strict: true,\n', '      lenient: false,\n'),
  'src/monitor/read-settings.test.ts': after('            strict: false,\n', '            lenient: false,\n'),
  'action.yml': (text) =>
    text.replace(
      /^ {2}lang:$/m,
      `  lenient:\n    description: '${INPUT}'\n    required: false\n    default: ''\n  lang:`,
    ),
  'src/build/site/reference/texts/action.yaml': atEnd(`- en: '${INPUT}'
  ro: 'true: avertismentele nu fac rularea să eșueze. Implicit: configurația.'
  fr: 'true : les avertissements ne font pas échouer. Par défaut : la configuration.'
`),
  'src/action/inputs.ts': after(' since strict', ' lenient'),
};

/* The channel `appendTo`, which appends a line to a file. */

const DESCRIPTION = `route.appendTo:
  en: 'Append a line to a file.'
  ro: 'Adaugă un rând la un fișier.'
  fr: 'Ajoute une ligne à un fichier.'
route.appendTo.file:
  en: 'The file.'
  ro: 'Fișierul.'
  fr: 'Le fichier.'
`;

const row = (about: string) => (text: string) =>
  text.replace(/^\| `command` \|/m, (line) => `| \`appendTo\` | ${about} |\n${line}`);

const CHANNEL: Changes = {
  'src/monitor/alerts/channels/append-to.ts': () => `/** An alert as a line at the end of a file. */
import { appendFile } from 'node:fs/promises';
import { mapping } from '../../../config/define.ts';
import { failed, type ChannelType, type FileOf } from './channel.ts';

type AppendTo = FileOf<'appendTo'> & { readonly kind: 'append-to' };

export const appendTo: ChannelType<FileOf<'appendTo'>, AppendTo> = {
  settings: mapping({ file: { type: 'string', minLength: 1, examples: ['alerts.log'] } }, { required: ['file'] }),
  read: ({ file }) => ({ kind: 'append-to', file }),
  open: () => async ({ file }, { message }) => {
    try {
      await appendFile(file, \`\${message.subject}\\n\`);
      return { ok: true, status: 0 };
    } catch (error) {
      return failed(String(error));
    }
  },
};
`,
  'src/monitor/alerts/channels/index.ts': after(
    /^ {2}\{ key: 'command'.*\n/m,
    "  { key: 'appendTo', kind: 'append-to', load: async () => (await import('./append-to.ts')).appendTo },\n",
  ),
  'src/config/descriptions.yaml': (text) => text.replace(/^route\.command:$/m, `${DESCRIPTION}route.command:`),
  'src/monitor/alerts/channels/append-to.test.ts': () => `import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createSend } from '../send.ts';
import { incidentOf, routeOf, siteOf, SIX } from '../../../../test/alerts/samples.ts';

it('appends the subject', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'append-')), 'alerts.log');
  const page = { title: null, url: null, language: 'en' } as const;
  const send = createSend({ settings: () => ({ sites: [siteOf()], page }), env: {}, now: () => SIX });
  const route = routeOf({ channel: { kind: 'append-to', file } });
  const alert = { key: 'x:opened:ops', event: 'opened', incident: incidentOf(), alsoSites: [] } as const;
  expect(await send(route, alert, new AbortController().signal)).toEqual({ ok: true, status: 0 });
  expect(readFileSync(file, 'utf8')).toMatch(/.\\n$/);
});
`,
  'docs/guides/notifications.md': row('a line at the end of a file'),
  'docs/ro/guides/notifications.md': row('un rând la sfârșitul unui fișier'),
  'docs/fr/guides/notifications.md': row('une ligne à la fin d’un fichier'),
};

const filled = (heading: string, name: string, id = name): readonly string[] =>
  listed(heading, id).map((file) => file.replace('<command>', name).replace('<name>', name));

const copy = copyOfCheckout();
afterAll(() => copy.remove());

it('name what is to be changed, of which the copy is built', { timeout: 240_000 }, () => {
  // The key is not one that each site has, nor one that applies to an address only.
  const notNeeded = ['src/monitor/settings-schema.ts', 'src/options/settings-of-address.ts'];
  expect(copy.follow(filled('Add an engine', 'plainwiki'), ENGINE)).toEqual([]);
  expect(copy.follow(filled('Add an option', 'manifest'), OPTION)).toEqual(notNeeded);
  expect(copy.follow(filled('Add a notification channel', 'append-to'), CHANNEL)).toEqual([]);
  expect(copy.node(['src/build/index.ts'])).toBe(0);
});

it('fit the types', { timeout: 240_000 }, () => {
  expect(copy.node(['node_modules/typescript/bin/tsc', '--noEmit'])).toBe(0);
});

it('pass the tests of engines, options, configuration and channels', { timeout: 240_000 }, () => {
  const unit = [
    'src/engines',
    'src/config',
    'src/options',
    'src/action/inputs.test.ts',
    'src/cli',
    'src/monitor/alerts/channels',
    'src/monitor/read-settings.test.ts',
    'test/unit/listed-names.test.ts',
    'src/build/site',
  ];
  expect(copy.vitest(['--project', 'unit', ...unit])).toBe(0);
});

it('are in the generated parts of the documentation', { timeout: 240_000 }, () => {
  const parts = [
    'test/docs/pages.test.ts',
    'test/docs/commands.test.ts',
    'test/engines',
    '--testNamePattern',
    '^(?!the (?:commands|examples))',
  ];
  expect(copy.vitest(['--project', 'journeys', ...parts], { UPDATE_DOCS: '1' })).toBe(0);
  expect(copy.read('docs/engines.md')).toContain('`--engine plainwiki`');
});

it('work', () => {
  expect(copy.read('dist/schema/config.json')).toContain('"appendTo"');
  for (const language of ['en', 'ro', 'fr']) {
    expect(
      copy.node(['bin/docvitals.js', 'check', '--lenient', '--engine', 'plainwiki', '--lang', language, '--help']),
    ).toBe(0);
  }
  expect(copy.node(['bin/docvitals.js', 'manifest', 'docs', '--silent'])).toBe(0);
});
