/** Faults in the files of a site, and what their printed fixes say. */
import { START_RULES } from '../../checks/assets/rules.ts';
import { healthy, remove, replace, type Row, type Setup } from './setup.ts';

const [MENU, BUNDLE] = ['navigation.md', 'index.html'].map((path) => String(healthy().files.get(path))) as [
  string,
  string,
];

/** A text that is wrong, and what the fix makes of it. */
const text = (rule: string, path: string, wrong: string, says: string, right: string): Row => ({
  rule,
  fault: ({ files }) => files.set(path, wrong),
  fix: ({ files }, printed) => {
    printed.says(says);
    files.set(path, right);
  },
});

const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 120\n';
const conflict = (body: string): string => `<<<<<<< HEAD\n${body}=======\n${body}>>>>>>> main\n`;

const json = (rule: string, wrong: string, says: string, right: string): Row =>
  text(`config/${rule}`, 'config.json', wrong, says, right);
const HOME = '{"homePage": "index.md"}\n';

export const CONFIG: readonly Row[] = [
  json('trailing-comma', '{"homePage": "index.md",}\n', 'Delete the comma', HOME),
  json('unclosed-string', '{"homePage": "index.md}\n', 'Put the missing `"`', HOME),
  json(
    'comment',
    '{"homePage": "index.md" // the start\n}\n',
    '`"_comment": "…"`',
    '{"homePage": "index.md", "_comment": "the start"}\n',
  ),
  json('single-quotes', `{'homePage': "index.md"}\n`, 'with double quotes', HOME),
  json('unquoted-key', '{homePage: "index.md"}\n', 'Put the key into double quotes', HOME),
  json(
    'missing-comma',
    '{"homePage": "index.md" "title": "Docs"}\n',
    'Put a comma',
    '{"homePage": "index.md", "title": "Docs"}\n',
  ),
  json(
    'control-character',
    '{"title": "Docs\there"}\n',
    String.raw`Write a tab as \`\t\``.replaceAll('\\`', '`'),
    '{"title": "Docs\\there"}\n',
  ),
  json('not-a-number', '{"size": NaN}\n', 'Write a number or `null`', '{"size": null}\n'),
  json('incomplete', '{"homePage": "index.md"', 'add what is missing at the end', HOME),
  json('text-after-end', '{"homePage": "index.md"}}\n', 'Delete what follows the last closing brace', HOME),
  json('syntax', '{"draft": True}\n', '`True` instead of `true`', '{"draft": true}\n'),
  json('not-object', '["index.md"]\n', '`{ "homePage": "index.md" }`', '{ "homePage": "index.md" }'),
  json('setting-type', '{"homePage": 3}\n', '`"homePage": "index.md"`', HOME),
  json('duplicate-key', '{"homePage": "start.md", "homePage": "index.md"}\n', 'delete the other entries', HOME),
  json('byte-order-mark', `\uFEFF${HOME}`, 'UTF-8 without BOM', HOME),
  json(
    'number-range',
    '{"id": 12345678901234567890}\n',
    'Write it as text in double quotes',
    '{"id": "12345678901234567890"}\n',
  ),
  json('proto-key', '{"__proto__": 1}\n', 'Remove the key', '{}\n'),
  json('deep-nesting', `{"a": ${'['.repeat(600)}${']'.repeat(600)}}\n`, 'write the setting flat', '{"a": []}\n'),
  json('merge-conflict', conflict(HOME), 'delete the lines', HOME),
  json('git-lfs-pointer', LFS, 'git lfs pull', HOME),
];

const TITLE = '# Docs\n\n';
const SUMMARY = '> What they are about.\n\n';
const SECTION = '## Pages\n\n';
const LIST =
  '- [Home](index.md): the start\n- [Guide](guide/index.md): how to use it\n- [Setup](guide/setup/index.md): how to set it up\n';
const INDEX = `${TITLE}${SUMMARY}${SECTION}${LIST}`;
const llms = (rule: string, wrong: string, says: string, right = INDEX): Row =>
  text(`llms-txt/${rule}`, 'llms.txt', wrong, says, right);

export const LLMS: readonly Row[] = [
  llms('no-heading', `${SUMMARY}${SECTION}${LIST}`, '`# '),
  llms('no-links', `${TITLE}${SUMMARY}${SECTION}See the site.\n`, '`## '),
  llms('hash-route', INDEX.replace('(guide/index.md)', '(/#/guide/index.md)'), 'Name the Markdown files themselves'),
  llms('no-own-links', INDEX.replaceAll('](', '](https://docs.example.com/'), "link to the site's own pages"),
  llms(
    'heading-not-first',
    `The index.\n\n${INDEX}`,
    'Move the line `# …` to the beginning',
    `${TITLE}The index.\n\n${SUMMARY}${SECTION}${LIST}`,
  ),
  llms('several-headings', INDEX.replace('## Pages', '# Pages'), 'with two signs: `## '),
  llms('no-summary', `${TITLE}${SECTION}${LIST}`, '`>`'),
  llms('no-sections', `${TITLE}${SUMMARY}${LIST}`, '`## Docs`'),
  llms(
    'unlisted-links',
    INDEX.replaceAll('- [', '- Read [').replaceAll('): ', '), '),
    'begins with a link: `- [Guide](/guide.md): first steps`',
  ),
  llms('missing', INDEX.replace('guide/index.md', 'guide/gone.md'), 'or correct the link'),
  llms('empty', '\n', 'restore its content'),
  {
    ...llms('merge-conflict', conflict(INDEX), 'delete the marker lines'),
    also: ['llms-txt/heading-not-first', 'llms-txt/several-headings'],
  },
  llms('git-lfs-pointer', LFS, 'git lfs pull'),
];

/** A page of the index that cannot be used, and to which nothing else leads. */
const BROKEN_PAGE: Row = {
  rule: 'llms-txt/broken-page',
  fault: ({ files }) => {
    files.set('guide/lone.md', '');
    files.set('llms.txt', `${INDEX}- [Lone](guide/lone.md): alone\n`);
  },
  fix: ({ files }, printed) => {
    printed.says('take its link out of the index');
    files.set('llms.txt', INDEX);
  },
};

/** The index that the engine expects is missing, with and without a fallback of the host. */
const INDEX_MISSING: readonly Row[] = ['not-found', 'spa-fallback'].map((rule) => ({
  rule: `llms-txt/${rule}`,
  fault: ({ files, locations }) => {
    files.delete('llms.txt');
    if (rule === 'spa-fallback') locations.set('= /llms.txt', 'try_files $uri /index.html =404;');
  },
  fix: ({ files }, printed) => {
    printed.says('Run `docvitals init --llms-txt`');
    files.set('llms.txt', INDEX);
  },
}));

/** What nginx shows where no site is. */
const SERVER_PAGE = '<!doctype html>\n<title>Welcome to nginx!</title>\n<h1>Welcome to nginx!</h1>\n';

/** Each of them in a site of its own: other checks depend on the file. */
export const ALONE: readonly Row[] = [
  ...INDEX_MISSING,
  BROKEN_PAGE,
  text('navigation/no-links', 'navigation.md', '# Navigation\n', 'Add a link for each page', MENU),
  text('bundle/not-html', 'index.html', 'Not a page.\n', 'deploy that file again', BUNDLE),
  text('bundle/host-page', 'index.html', SERVER_PAGE, 'Set `root` of the `server` block', BUNDLE),
  text('bundle/cut-off', 'index.html', BUNDLE.slice(0, BUNDLE.indexOf('</title')), 'Otherwise deploy it again', BUNDLE),
  {
    rule: 'navigation/not-found',
    fault: remove('navigation.md'),
    fix: ({ files }, printed) => {
      printed.says('Deploy the file under exactly this path');
      files.set('navigation.md', MENU);
    },
  },
];

const START = '# Home\n\nSee [the guide](guide/index.md).\n\n![Logo](img/logo.svg)\n';
const page = (rule: string, wrong: string, says: string): Row => text(`home/${rule}`, 'index.md', wrong, says, START);

export const PAGES: readonly Row[] = [
  page('empty', '', 'restore its content'),
  page('binary', '# Home\n\u0000\u0000\u0000\n', 'Replace it with the text file'),
  {
    ...page('not-utf8', '', 'Save the file as UTF-8'),
    fault: ({ files }) => files.set('index.md', Buffer.from('# Caf\u00e9\n', 'latin1')),
  },
  page('no-content', '---\ntitle: Home\n---\n', 'Write the page’s text below the front matter'.replace('’', "'")),
  page('merge-conflict', conflict(START), 'delete the marker lines'),
  page('git-lfs-pointer', LFS, 'git lfs pull'),
];

/** What the bundle loads: an element and, in the end, its file. */
const loads = (rule: string, element: string, says: string, path: string, body: string | Uint8Array): Row => ({
  rule: `${Object.hasOwn(START_RULES, rule) ? 'bundle' : 'assets'}/${rule}`,
  fault: ({ files }) => replace(files, 'index.html', '<title>', `${element}<title>`),
  fix: ({ files }, printed) => {
    printed.says(says);
    files.set(path, body);
  },
});

const CSS = 'body { color: black; }\n';
const JS = 'console.log("More.");\n';
const START_OF_APP = 'document.title = "Docs";\n';
const policy = (value: string): string => `<meta http-equiv="Content-Security-Policy" content="${value}"><title>`;
const BLOCKING = policy("default-src 'self'; connect-src 'none'");
const WORKER = "<script>navigator.serviceWorker?.register('sw.js')</script>";
export const LOADED: readonly Row[] = [
  {
    rule: 'bundle/policy-blocks-engine',
    fault: ({ files }) => replace(files, 'index.html', '<title>', BLOCKING),
    fix: ({ files }, printed) => {
      printed.says("`'self'` in `connect-src`");
      replace(files, 'index.html', BLOCKING, policy("default-src 'self'"));
    },
  },
  loads(
    'script-missing',
    '<script src="engine.js"></script>',
    'deploy the bundle and its scripts together',
    'engine.js',
    JS,
  ),
  loads(
    'style-missing',
    '<link rel="stylesheet" href="theme.css">',
    'Deploy the stylesheet with the bundle',
    'theme.css',
    CSS,
  ),
  loads(
    'manifest-missing',
    '<link rel="manifest" href="site.json">',
    'Deploy the manifest',
    'site.json',
    '{"name": "Docs"}\n',
  ),
  loads('worker-missing', WORKER, 'Deploy the file under exactly this path', 'sw.js', JS),
  {
    rule: 'assets/worker-refused',
    fault: ({ files, locations }) => {
      replace(files, 'index.html', '<title>', `${WORKER}<title>`);
      files.set('sw.js', JS);
      locations.set('= /sw.js', 'types { }');
    },
    fix: ({ locations }, printed) => {
      printed.says('put no `types` block');
      locations.delete('= /sw.js');
    },
  },
  loads(
    'preload-missing',
    '<link rel="preload" as="font" href="text.woff2">',
    'Deploy the file',
    'text.woff2',
    'wOF2 and more',
  ),
  loads(
    'legacy-script-missing',
    '<script nomodule src="old.js"></script>',
    'Deploy the file with the rest of the build',
    'old.js',
    JS,
  ),
  loads(
    'chunk-missing',
    '<link rel="modulepreload" href="part.js">',
    'Deploy all files of one build together',
    'part.js',
    JS,
  ),
  {
    rule: 'assets/icon-missing',
    fault: ({ files }) => replace(files, 'index.html', 'href="img/logo.svg"', 'href="img/icon.svg"'),
    fix: ({ files }, printed) => {
      printed.says('correct the path in `<link rel="icon">`');
      replace(files, 'index.html', 'href="img/icon.svg"', 'href="img/logo.svg"');
    },
  },
  {
    rule: 'bundle/script-failed',
    fault: ({ files, server }) => {
      files.set('app.js.gz', Buffer.from('1f8b0800', 'hex'));
      server.set('gzip_static', 'gzip_static on;');
    },
    also: ['compression/undecodable'],
    fix: ({ files }, printed) => {
      printed.says('or delete them');
      files.delete('app.js.gz');
    },
  },
  {
    rule: 'assets/asset-failed',
    fault: ({ files, locations }) => {
      replace(files, 'index.html', '<title>', '<link rel="stylesheet" href="theme.css"><title>');
      files.set('theme.css', CSS);
      locations.set('= /theme.css', 'deny all;');
    },
    fix: ({ locations }, printed) => {
      printed.says('access rules');
      locations.delete('= /theme.css');
    },
  },
  {
    rule: 'assets/style-integrity',
    fault: ({ files }) => {
      replace(
        files,
        'index.html',
        '<title>',
        '<link rel="stylesheet" integrity="sha256-AAAA" href="theme.css"><title>',
      );
      files.set('theme.css', CSS);
    },
    fix: ({ files }, printed) => {
      printed.says('Deploy the page and the stylesheet of the same build');
      replace(files, 'index.html', ' integrity="sha256-AAAA"', '');
    },
  },
  {
    rule: 'assets/config-file-missing',
    fault: ({ files }) => files.set('config.json', '{"logo": "img/icon.svg"}\n'),
    fix: ({ files }, printed) => {
      printed.says('or correct the setting');
      files.set('config.json', '{"logo": "img/logo.svg"}\n');
    },
  },
  ...[
    { rule: 'git-lfs-pointer', body: LFS, says: 'git lfs pull' },
    { rule: 'asset-empty', body: '', says: 'deploy it again' },
  ].map(({ rule, body, says }): Row => ({
    rule: `assets/${rule}`,
    fault: ({ files }) => {
      replace(files, 'index.html', '<title>', '<link rel="manifest" href="site.webmanifest"><title>');
      files.set('site.webmanifest', body);
    },
    fix: ({ files }, printed) => {
      printed.says(says);
      files.set('site.webmanifest', '{"name": "Docs"}\n');
    },
  })),
  {
    rule: 'bundle/script-syntax',
    fault: ({ files }) => files.set('app.js', `${START_OF_APP}if (document.title) {\n`),
    fix: ({ files }, printed) => {
      printed.says('Deploy the file again');
      files.set('app.js', START_OF_APP);
    },
  },
  {
    rule: 'bundle/script-integrity',
    fault: ({ files }) => replace(files, 'index.html', '<script src', '<script integrity="sha256-AAAA" src'),
    fix: ({ files }, printed) => {
      printed.says('Deploy the page and the script of the same build');
      replace(files, 'index.html', ' integrity="sha256-AAAA"', '');
    },
  },
  {
    rule: 'assets/font-missing',
    fault: ({ files }) => {
      replace(files, 'index.html', '<title>', '<link rel="stylesheet" href="theme.css"><title>');
      files.set('theme.css', '@font-face { font-family: Docs; src: url(docs.woff2); }\n');
    },
    fix: ({ files }, printed) => {
      printed.says('Deploy the font file under exactly this path');
      files.set('docs.woff2', 'wOF2 and more');
    },
  },
  {
    rule: 'assets/image-missing',
    fault: ({ files }) => {
      replace(files, 'index.html', '<title>', '<link rel="stylesheet" href="theme.css"><title>');
      files.set('theme.css', 'body { background: url(/img/back.svg); }\n');
    },
    fix: ({ files }, printed) => {
      printed.says('relative to the stylesheet');
      files.set('theme.css', 'body { background: url(img/logo.svg); }\n');
    },
  },
];

const PAGE = 'guide/setup/index.md';

/** A link in a page, and the one that the fix makes of it; `path` is the file that it means. */
const link = (rule: string, wrong: string, right: string, says: string, path?: string): Row => ({
  rule: `links/${rule}`,
  fault: ({ files }) => {
    if (path !== undefined) files.set(path, '# A page\n');
    files.set(PAGE, `${String(files.get(PAGE))}\n${wrong}\n`);
  },
  fix: ({ files }, printed) => {
    printed.says(says);
    replace(files, PAGE, wrong, right);
  },
});

/** All of them are in one page. */
export const LINKS: readonly Row[] = [
  {
    ...link('redirected', '[Old](was.md)', '[Old](../index.md)', 'the links at the locations listed'),
    fault: (setup) => {
      setup.files.set(PAGE, `${String(setup.files.get(PAGE))}\n[Old](was.md)\n`);
      setup.locations.set('= /guide/setup/was.md', 'return 301 /guide/index.md;');
    },
  },
  {
    ...link('unicode-form', '', '', 'Rename the file to the composed form'),
    fault: ({ files }) => {
      files.set('guide/setup/cafe\u0301.md', '# A page\n');
      files.set(PAGE, `${String(files.get(PAGE))}\n[Caf\u00e9](caf\u00e9.md)\n`);
    },
    fix: ({ files }, printed) => {
      printed.says('Rename the file to the composed form');
      files.delete('guide/setup/cafe\u0301.md');
      files.set('guide/setup/caf\u00e9.md', '# A page\n');
    },
  },
  {
    ...link('unlinked', '', '[Lone](lone.md)', 'link to them from another page'),
    fault: ({ files }) => {
      files.set('guide/setup/lone.md', '# A page\n');
      files.set('llms.txt', `${INDEX}- [Lone](guide/setup/lone.md): nobody links to it\n`);
    },
    fix: ({ files }, printed) => {
      printed.says('link to them from another page');
      files.set(PAGE, `${String(files.get(PAGE))}\n[Lone](lone.md)\n`);
    },
  },
  link('missing', '[Gone](gone.md)', '', 'remove the links'),
  link('missing-extension', '[Plain](plain)', '[Plain](plain.md)', 'Add the extension', 'guide/setup/plain.md'),
  link(
    'misspelled-scheme',
    '[Typo](htps://docs.example.com/)',
    '[Typo](https://docs.example.com/)',
    'Correct the address',
  ),
  link('letter-case', '[Case](case.md)', '[Case](Case.md)', 'Correct the links', 'guide/setup/Case.md'),
  link('encoding', '[Space](my%2520page.md)', '[Space](my%20page.md)', 'a space is `%20`', 'guide/setup/my page.md'),
  link('wrong-extension', '[Old](old.html)', '[Old](old.md)', 'Correct the links', 'guide/setup/old.md'),
  link(
    'folder-index',
    '[Folder](more.md)',
    '[Folder](more/)',
    '`guide/` means `guide/index.md`',
    'guide/setup/more/index.md',
  ),
  link(
    'moved',
    '[There](far/there.md), [Moved](there.md)',
    '[There](far/there.md), [Moved](far/there.md)',
    'Correct the links',
    'guide/setup/far/there.md',
  ),
  link('missing-image', '![Picture](picture.png)', '![Picture](../photo.png)', 'or correct the path'),
  link('missing-file', '[Archive](docs.zip)', '', 'or correct the link'),
  link('missing-anchor', '[Part](#nowhere)', '[Part](#setup)', 'Correct the anchor'),
  link('encoded-dot', '[Up](%2e%2e/index.md)', '[Up](../index.md)', 'Write the dots without encoding'),
  link('backslash', String.raw`[Back](..\index.md)`, '[Back](../index.md)', 'Write `/` instead of each'),
];

/** Settings that name no file. */
export const SETTINGS: readonly Row[] = [
  ['home', 'homePage', 'start.md', 'index.md'] as const,
  ['navigation', 'navigationFile', 'menu.md', 'navigation.md'] as const,
  ['llms-txt', 'llmsTxtUrl', 'agents.txt', 'llms.txt'] as const,
].map(([check, key, wrong, right]): Row => ({
  rule: `${check}/wrong-setting`,
  fault: ({ files }) => {
    const settings = JSON.parse(String(files.get('config.json'))) as object;
    files.set('config.json', JSON.stringify({ ...settings, [key]: wrong }));
  },
  fix: ({ files }, printed) => {
    printed.says(`Correct \`${key}\` in \`/config.json\``);
    replace(files, 'config.json', wrong, right);
  },
}));

const LOCALES = [
  { code: 'en', label: 'English', isDefault: true, prefix: '' },
  { code: 'ro', label: 'Română', prefix: 'ro' },
];

/** The site in two languages. */
export function translated(): Setup {
  const setup = healthy();
  for (const [path, body] of healthy().files) {
    if (/\.(?:md|png)$/.test(path))
      setup.files.set(`ro/${path}`, typeof body === 'string' ? `${body}\nÎn română.\n` : body);
  }
  replace(setup.files, 'ro/index.md', 'img/logo.svg', '../img/logo.svg');
  setup.files.set('config.json', JSON.stringify({ locales: LOCALES }));
  return setup;
}

const locales =
  (change: (all: typeof LOCALES) => readonly object[]) =>
  ({ files }: Setup): void =>
    void files.set('config.json', JSON.stringify({ locales: change(LOCALES.map((one) => ({ ...one }))) }));

/** A setting of the languages that is wrong, and the fix that puts it right. */
const language = (rule: string, change: Parameters<typeof locales>[0], says: string): Row => ({
  rule: `translations/${rule}`,
  fault: locales(change),
  fix: (setup, printed) => {
    printed.says(says);
    locales((all) => all)(setup);
  },
});

/** A file in Romanian that is missing or differs. */
const drifted = (rule: string, path: string, change: (body: string) => string | null, says: string): Row => ({
  rule: `translations/${rule}`,
  fault: ({ files }) => {
    const body = change(String(files.get(path)));
    if (body === null) files.delete(path);
    else files.set(path, body);
  },
  fix: ({ files }, printed) => {
    printed.says(says);
    files.set(path, String(translated().files.get(path)));
  },
});

const LINKING = ['ro/navigation.md', 'ro/guide/index.md'];

export const TRANSLATIONS: readonly (readonly Row[])[] = [
  [
    {
      rule: 'translations/page-missing',
      fault: ({ files }) => {
        files.delete('ro/guide/setup/index.md');
        for (const path of LINKING)
          files.set(path, String(files.get(path)).replaceAll(/(?:- )?\[Setup\]\([^)]*\)/g, ''));
      },
      fix: ({ files }, printed) => {
        printed.says('Translate the pages');
        for (const path of [...LINKING, 'ro/guide/setup/index.md'])
          files.set(path, String(translated().files.get(path)));
      },
    },
  ],
  [drifted('navigation-missing', 'ro/navigation.md', () => null, 'Deploy the file at the path')],
  [
    drifted('home-missing', 'ro/index.md', () => null, 'Deploy the file at the path'),
    drifted('headings-differ', 'ro/guide/index.md', (body) => `${body}\n## Mai mult\n`, 'Compare the two pages'),
    drifted(
      'code-blocks-differ',
      'ro/guide/setup/index.md',
      (body) => `${body}\n\`\`\`sh\nls\n\`\`\`\n`,
      'Compare the two pages',
    ),
  ],
  [
    drifted(
      'tables-differ',
      'ro/guide/index.md',
      (body) => `${body}\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
      'Compare the two pages',
    ),
  ],
  [
    language(
      'prefix-shared',
      ([en, ro]) => [{ ...en }, { ...ro, prefix: '' }],
      'Give each language a `prefix` of its own',
    ),
  ],
  [language('prefix-invalid', ([en, ro]) => [{ ...en }, { ...ro, prefix: '../ro' }], 'Write the folder')],
  [language('code-invalid', ([en, ro]) => [{ ...en }, { ...ro, code: 'ro_RO' }], 'Write the tag with hyphens')],
  [language('code-repeated', ([en, ro]) => [{ ...en }, { ...ro, code: 'en' }], 'correct their `code`')],
  [language('several-defaults', ([en, ro]) => [{ ...en }, { ...ro, isDefault: true }], 'Keep `"isDefault": true`')],
  [language('language-missing', ([en, ro]) => [{ ...en }, { ...ro, prefix: 'rom' }], "Deploy the language's folder")],
];
