import { describe, expect, it } from 'vitest';
import type { LinkPlace, WrittenLink } from './engine.ts';
import { engineName, engineOf, ENGINES } from './index.ts';

const BASE = new URL('https://docs.example/wiki/');
const LIMITS = { parseMs: 5_000 };

/** Processor time: a busy machine does not stretch it. */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const script = (settings: string, more = ''): string =>
  `<!doctype html><div id="app"></div><script>${settings}</script><script src="//cdn.example/docsify@4/lib/docsify.min.js"${more}></script>`;

/** Where a link leads: the path below the base, `external <url>`, or the kind of link; then what else it may mean. */
async function led(
  bundle: string,
  path: string,
  link: WrittenLink | string,
  more: Partial<LinkPlace> = {},
): Promise<string> {
  const { profile } = engineOf(bundle, null);
  const { links } = await profile.configure({ bundle, configuration: {}, limits: LIMITS });
  const written = typeof link === 'string' ? ({ url: link, kind: 'link' } as const) : link;
  const found = links.resolve(written, { path, base: BASE, home: profile.files.homePage, menu: false, ...more });
  if (found.kind === 'external') return `external ${found.url}`;
  if (found.kind !== 'page' && found.kind !== 'file') return found.kind;
  const anchor = found.kind === 'page' && found.anchor !== null ? `#${found.anchor}` : '';
  const others = (found.others ?? []).map((other) => ` or ${other.path ?? other.url}`);
  return `${found.kind} ${found.path}${anchor}${others.join('')}`;
}

describe('engines: what a bundle shows', () => {
  it.each([
    ['<footer>VertiWiki 0.5.1</footer>', 'VertiWiki 0.5.1'],
    ['<div id="verti-app"></div>', 'VertiWiki'],
    ['<!--\n This is MDwiki v0.6.2\n-->', 'MDwiki 0.6.2'],
    ['<title>MDwiki</title>', 'MDwiki'],
    [script('window.$docsify = {}'), 'docsify 4'],
    ['<script src="https://unpkg.com/docsify/lib/docsify.min.js"></script>', 'docsify'],
    ['<script src="https://cdn.jsdelivr.net/npm/docsify@4.13.1/lib/docsify.min.js">', 'docsify 4.13.1'],
    ['<script src="docsify.js"></script>', 'docsify'],
    ['<p>We moved from docsify to our own.</p>', 'generic'],
    ['', 'generic'],
  ])('%s: %s', (bundle, name) => {
    expect(engineName(engineOf(bundle, null))).toBe(name);
  });

  it('is overridden by the user', () => {
    const engine = engineOf('<title>MDwiki</title> VertiWiki 0.5.1', 'vertiwiki');
    expect([engineName(engine), engine.assumed]).toEqual(['VertiWiki 0.5.1', false]);
    expect(engineOf('', null).assumed).toBe(true);
  });

  it('takes bounded time for hostile bundles', async () => {
    const before = process.cpuUsage();
    for (const part of ['<script', '<script>', 'docsify/', 'VertiWiki ', '<title> ', '<!--', '$docsify=[[']) {
      const bundle = part.repeat(200_000);
      const { profile } = engineOf(bundle, null);
      await profile.configure({ bundle, configuration: {}, limits: LIMITS });
      for (const { configure } of ENGINES)
        await configure({ bundle: `<script>$docsify=${bundle}</script>`, configuration: {}, limits: LIMITS });
    }
    expect(cpuMs(before)).toBeLessThan(20_000);
  }, 30_000);

  it('reads no more of a script than a site may need, however its variables hold each other', async () => {
    const variables = Array.from({ length: 60 }, (_, index) => `var v${index + 1} = { ...v${index}, ...v${index} };`);
    const bundle = script(`var v0 = {}; ${variables.join('')} window.$docsify = v60`);
    expect(await led(bundle, 'guide/setup.md', 'b.md')).toBe('page b.md or guide/b.md');
  });
});

describe('VertiWiki: links, as in its src/core/router.ts', () => {
  const bundle = 'VertiWiki 0.5.1';
  it.each([
    ['index.md', 'guide.md', 'page guide.md or guide/index.md'],
    ['ro/index.md', 'guide.md#x', 'page ro/guide.md#x or ro/guide/index.md'],
    ['ro/navigation.md', 'ro/guide.md', 'page ro/guide.md or ro/guide/index.md'],
    ['ro/index.md', '/guide.md', 'page guide.md or guide/index.md'],
    ['ro/index.md', 'guide', 'page ro/guide/index.md or ro/guide.md'],
    ['ro/index.md', 'guide/', 'page ro/guide/index.md or ro/guide.md'],
    ['ro/index.md', '../../guide.md', 'page guide.md or guide/index.md'],
    // It has a dot, and so it is left to the browser.
    ['ro/index.md', '../guide', 'file guide or https://docs.example/guide'],
    ['ro/index.md', './guide/', 'page guide/index.md or https://docs.example/wiki/guide/'],
    ['ro/index.md', './', 'page index.md'],
    ['ro/index.md', 'guide.md?x=1', 'page guide.md'],
    ['ro/index.md', 'guide.mkd', 'page guide.mkd'],
    ['ro/index.md', 'guide/.md', 'page ro/guide/.md or ro/guide/index.md'],
    ['ro/index.md', 'manual.pdf', 'file manual.pdf'],
    ['ro/index.md', '#/x/y.md', 'page x/y.md'],
    ['ro/index.md', '#here', 'page ro/index.md#here'],
    ['ro/index.md', 'https://other.example/x', 'external https://other.example/x'],
  ])('%s: %s', async (path, url, expected) => {
    expect(await led(bundle, path, url)).toBe(expected);
  });

  it.each([
    ['ro/index.md', 'a.png', 'file ro/a.png'],
    ['ro/index.md', '/img/a.png', 'file img/a.png'],
    ['ro/index.md', 'ro/a.png', 'file ro/a.png'],
  ])('image in %s: %s', async (path, url, expected) => {
    expect(await led(bundle, path, { url, kind: 'image' })).toBe(expected);
  });

  it.each([
    ['book/navigation.md', 'files/a.txt', 'file book/files/a.txt'],
    ['book/navigation.md', '../guide', 'page guide/index.md or guide.md'],
    ['navigation.md', 'guide.md#x', 'page guide.md#x or guide/index.md'],
    ['navigation.md', 'guide.md "Title"', 'page guide.md "Title"/index.md or guide.md "Title".md'],
  ])('%s, which shows routes only: %s', async (path, url, expected) => {
    expect(await led(bundle, path, url, { menu: true })).toBe(expected);
  });

  it.each([
    ['0.4.1', 'optional'],
    ['0.5.1', 'optional'],
    ['1.0.0', 'optional'],
    ['0.4.0', 'required'],
    [null, 'optional'],
  ])('without a configuration, version %s', (version, expected) => {
    expect(ENGINES.find(({ id }) => id === 'vertiwiki')?.configuration(version)).toBe(expected);
  });
});

describe('VertiWiki: the navigation of a language, as in its src/main.ts', () => {
  it.each([
    ['navigation.md', 'ro', 'ro'],
    ['docs/navigation.md', 'ro', 'docs/ro'],
    ['docs/navigation.md', 'docs/ro', 'docs/ro'],
  ])('%s, %s: %s', (navigation, prefix, expected) => {
    expect(ENGINES.find(({ id }) => id === 'vertiwiki')?.localeFolder?.(prefix, navigation)).toBe(expected);
  });
});

describe('MDwiki: links, as in its js/main.js', () => {
  it.each([
    ['index.md', 'guide.md', 'page guide.md'],
    ['guide/a.md', 'b.md', 'page guide/b.md'],
    ['guide/a.md', 'my page.md', 'page guide/my page.md'],
    ['guide/a.md', '#!c.md', 'page c.md'],
    ['guide/a.md', 'mdwiki.html#!c.md', 'page c.md'],
    ['guide/a.md', 'manual.pdf', 'file guide/manual.pdf'],
    ['guide/a.md', 'deeper/', 'file guide/deeper/'],
  ])('%s: %s', async (path, url, expected) => {
    expect(await led('<!-- MDwiki v0.6.2 -->', path, url)).toBe(expected);
  });
});

describe('docsify: what is no plain link', () => {
  const bundle = script('window.$docsify = { noCompileLinks: ["/api/.*"], routes: { "/virtual/.*": () => "x" } }');
  it.each([
    [{ url: 'a.png', kind: 'image' }, 'file guide/a.png'],
    [{ url: '/img/a.png', kind: 'image' }, 'file guide/img/a.png'],
    [{ url: 'a.png', kind: 'image', raw: true }, 'file a.png'],
    [{ url: '#/guide/b?id=x', kind: 'html', raw: true }, 'page guide/b.md#x'],
    [{ url: '#/guide/b', kind: 'link' }, 'page guide/setup.md#/guide/b'],
    [{ url: 'a.zip', kind: 'link', title: ':ignore' }, 'file a.zip'],
    [{ url: '/a.zip', kind: 'link', title: 'Get :ignore :target=_self' }, 'file a.zip or null'],
    [{ url: 'part.md', kind: 'link', title: ':include' }, 'file guide/part.md'],
    [{ url: 'x.js', kind: 'link', title: ':include :type=code' }, 'file guide/x.js'],
    [{ url: 'b.md', kind: 'link', title: ':disabled' }, 'ignored'],
    [{ url: '/api/x', kind: 'link' }, 'file api/x or null'],
    [{ url: '/virtual/x', kind: 'link' }, 'ignored'],
    [{ url: 'mailto:a@b.example', kind: 'link' }, 'ignored'],
    [{ url: 'https://docs.example/wiki/#/guide/b', kind: 'link' }, 'page guide/b.md'],
  ] as const)('%j', async (link, expected) => {
    const result = (await led(bundle, 'guide/setup.md', link))
      .replace(/ or https.*$/, ' or null')
      .replace(/ or guide.*$/, '');
    expect(result).toBe(expected);
  });

  it('may be read otherwise where a plugin or another script may set it so', async () => {
    const ambiguous = [
      'window.$docsify = { plugins: [rewrite] }',
      'window.$docsify = { plugins: [(hook) => hook.beforeEach((text) => text.replaceAll("b", "c"))] }',
      'const rename = (hook) => hook.doneEach(move); window.$docsify = { plugins: [rename] }',
      'function rename(hook, vm) { vm.router.push("/"); } window.$docsify = { plugins: [rename] }',
      'window.$docsify = load()',
      '',
    ];
    for (const settings of ambiguous) {
      expect(await led(script(settings), 'guide/setup.md', 'b.md')).toBe('page b.md or guide/b.md');
    }
  });

  it('are plain where the text of each plugin changes no links', async () => {
    const plain = [
      'window.$docsify = { plugins: [(hook) => hook.ready(() => console.log("ready"))] }',
      'function count(hook) { hook.mounted(() => track()); } window.$docsify = { plugins: [count, Edit.create("x")] }',
    ];
    for (const settings of plain) expect(await led(script(settings), 'guide/setup.md', 'b.md')).toBe('page b.md');
  });

  it('are routes with routerMode history, whatever writes them', async () => {
    const history = script("window.$docsify = { routerMode: 'history' }");
    const raw = { url: '/guide/b', kind: 'html', raw: true } as const;
    expect(await led(history, 'guide/setup.md', raw)).toBe('page guide/b.md');
    expect(await led(history, 'guide/setup.md', { ...raw, url: 'b' })).toBe('page guide/b.md');
    expect(await led(history, 'guide/setup.md', { ...raw, url: '#x' })).toBe('ignored');
  });

  it('start at the root in the home page, wherever its file is', async () => {
    const home = script("window.$docsify = { homepage: 'start/README.md', basePath: './content/' }");
    const image = { url: 'a.png', kind: 'image' } as const;
    expect(await led(home, 'content/start/README.md', image, { home: 'content/start/README.md' })).toBe(
      'file content/a.png',
    );
    expect(await led(home, 'content/guide/setup.md', image)).toBe('file content/guide/a.png');
  });

  it('are not followed where an alias would take too long', async () => {
    const hostile = script('window.$docsify = { alias: { "/(a+)+b": "/x" } }');
    expect(await led(hostile, 'README.md', 'a'.repeat(150))).toBe('ignored');
    const many = script('window.$docsify = { alias: { "/(.*)/(.*)/(.*)/(.*)": "/$4" } }');
    expect(await led(many, 'README.md', '/a/b/c/d')).toBe('page d.md');
  });

  it('falls back to another language', async () => {
    const languages = script('window.$docsify = { fallbackLanguages: ["de"], fallbackDefaultLanguage: "/en" }');
    expect(await led(languages, 'README.md', '/de/a')).toBe('page de/a.md or en/a.md');
  });
});

describe('docsify: settings', () => {
  const read = async (settings: string, more = ''): Promise<unknown> => {
    const bundle = script(settings, more);
    const { settings: found, menus } = await engineOf(bundle, 'docsify').profile.configure({
      bundle,
      configuration: {},
      limits: LIMITS,
    });
    const place = { path: '', base: BASE, home: 'README.md' };
    return { ...found, menus: menus?.(place).flat().join(' ') };
  };

  it.each([
    ['window.$docsify = {}', { navigationFile: null, menus: '' }],
    ['window.$docsify = { loadSidebar: true }', { menus: '_sidebar.md' }],
    [
      "$docsify = { loadSidebar: 'menu.md', homepage: 'start.md' }",
      { navigationFile: 'menu.md', homePage: 'start.md', menus: 'menu.md' },
    ],
    [
      'self.$docsify = { loadSidebar: !0, basePath: "docs" }',
      { navigationFile: 'docs/_sidebar.md', homePage: 'docs/README.md', menus: 'docs/_sidebar.md' },
    ],
    [
      'window["$docsify"] = { loadSidebar: true, loadNavbar: true, coverpage: true }',
      { menus: '_sidebar.md _navbar.md _coverpage.md' },
    ],
    ['const side = true; window.$docsify = { loadSidebar: side }', { menus: '_sidebar.md' }],
    ['window.$docsify = Object.assign({}, { loadSidebar: true })', { menus: '_sidebar.md' }],
    ['window.$docsify = () => ({ loadSidebar: true })', { menus: '_sidebar.md' }],
    ['window.$docsify = function () { return { loadSidebar: true } }', { menus: '_sidebar.md' }],
    ['window.$docsify = window.$docsify || {}; window.$docsify.loadSidebar = true', { menus: '_sidebar.md' }],
    ['window.$docsify = { llmsTxtUrl: null }', { navigationFile: null, llmsTxtUrl: null, menus: '' }],
    [
      'window.$docsify = { homepage: `start.md`, loadSidebar: false, __proto__: { loadNavbar: true } }',
      { navigationFile: null, homePage: 'start.md', menus: '' },
    ],
    [
      'window.$docsify = { alias: { "/.*/_sidebar.md": "/_sidebar.md", "/": "/home" } }',
      { navigationFile: null, homePage: 'home.md', menus: '' },
    ],
    [
      'window.$docsify = { basePath: "https://raw.example/repo/" }',
      { navigationFile: null, homePage: 'https://raw.example/repo/README.md', menus: '' },
    ],
    [
      'window.$docsify = { onlyCover: true, coverpage: true }',
      { navigationFile: null, homePage: '_coverpage.md', menus: '_coverpage.md' },
    ],
    [
      'window.$docsify = { onlyCover: true, coverpage: { "/": "start.md" } }',
      { navigationFile: null, homePage: 'start.md', menus: 'start.md' },
    ],
    ['window.$docsify = { onlyCover: true }', { navigationFile: null, menus: '' }],
    // What only a browser can compute turns a menu on or off: its file is read where it exists.
    [
      'window.$docsify = { loadSidebar: !isEmbedded(), loadNavbar: !isEmbedded() }',
      { menus: '_sidebar.md _navbar.md' },
    ],
    ['window.$docsify = { loadSidebar: true, loadNavbar: 0 }', { menus: '_sidebar.md' }],
    ['window.$docsify = settings', { menus: '' }],
  ])('%s', async (settings, expected) => {
    expect(await read(settings)).toEqual(expected);
  });

  it('reads attributes of the script element', async () => {
    expect(await read('', ' data-homepage="start.md" data-load-sidebar')).toEqual({
      homePage: 'start.md',
      menus: '_sidebar.md',
    });
  });

  it('does not read comments, other types of scripts, or scripts of other files', async () => {
    const bundle = `<!-- <script>window.$docsify = { homepage: 'a.md' }</script> -->
      <script type="text/template">window.$docsify = { homepage: 'b.md' }</script>
      <script type="text/javascript">window.$docsify = { homepage: 'c.md' }</script>`;
    const { settings } = await engineOf(bundle, null).profile.configure({ bundle, configuration: {}, limits: LIMITS });
    expect(settings.homePage).toBe('c.md');
  });

  it.each<{ name: string; bundle: string; files: Record<string, string>; asked: readonly string[]; home: string }>([
    {
      name: 'a file that sets them',
      bundle: '<script src="js/main.js"></script><script src="//cdn.example/docsify@4"></script>',
      files: { 'js/main.js': "(function () { window.$docsify = { homepage: 'a.md' }; })();" },
      asked: ['js/main.js'],
      home: 'a.md',
    },
    {
      name: 'variables of a file',
      bundle: '<script src="names.js"></script><script>window.$docsify = { homepage: window.HOME }</script>',
      files: { 'names.js': "const HOME = 'b.md';" },
      asked: ['names.js'],
      home: 'b.md',
    },
    {
      name: 'a file after the page',
      bundle: '<script>window.$docsify = { name: NAME, homepage: "a.md" }</script><script src="more.js"></script>',
      files: { 'more.js': "Object.assign(window.$docsify, { homepage: 'c.md' });" },
      asked: ['more.js'],
      home: 'c.md',
    },
    {
      name: 'no file where the page has all of them',
      bundle: `${script("window.$docsify = { homepage: 'a.md', plugins: [() => {}] }")}<script src="plugin.js"></script>`,
      files: { 'plugin.js': "window.$docsify.homepage = 'd.md';" },
      asked: [],
      home: 'a.md',
    },
    {
      name: 'a file that cannot be read',
      bundle: '<script src="a.js"></script><script src="b.js"></script>',
      files: { 'a.js': 'window.$docsify = { homepage: "a.md" ', 'b.js': 'window.$docsify = { homepage: "b.md" }' },
      asked: ['a.js', 'b.js'],
      home: 'b.md',
    },
  ])('reads $name', async ({ bundle, files, asked, home }) => {
    const requested: string[] = [];
    const { settings, problem } = await engineOf(bundle, 'docsify').profile.configure({
      bundle,
      configuration: {},
      limits: LIMITS,
      script: async (address) => {
        requested.push(address);
        return files[address] ?? null;
      },
    });
    expect([settings.homePage, problem, requested]).toEqual([home, undefined, asked]);
  });

  it('takes bounded time for a page that nests without end', async () => {
    const bundle = script("window.$docsify = { homepage: 'start.md' }") + '<b>'.repeat(200_000);
    const before = process.cpuUsage();
    const { settings } = await engineOf(bundle, null).profile.configure({ bundle, configuration: {}, limits: LIMITS });
    expect(settings.homePage).toBe('start.md');
    expect(cpuMs(before)).toBeLessThan(2_000);
  });

  it('locates a syntax error', async () => {
    const bundle = script('\nwindow.$docsify = {\n  name: "x"\n  loadSidebar: true\n}');
    const { problem } = await engineOf(bundle, null).profile.configure({ bundle, configuration: {}, limits: LIMITS });
    expect(bundle.slice(problem?.offset)).toMatch(/^loadSidebar/);
  });
});

describe('the address of a page', () => {
  const docsify = (settings: string): string => script(`window.$docsify = ${settings}`);
  it.each([
    ['<!-- VertiWiki v0.5.1 -->', 'guide/my page.md', '#/guide/my%20page.md'],
    ['<!-- MDwiki v0.6.2 -->', 'guide/a.md', '#!guide/a.md'],
    [docsify('{}'), 'README.md', '#/'],
    [docsify('{}'), 'guide/README.md', '#/guide/'],
    [docsify('{}'), 'guide/setup.md', '#/guide/setup'],
    [docsify("{ basePath: './content/' }"), 'content/guide/setup.md', '#/guide/setup'],
    [docsify("{ homepage: 'start.md' }"), 'start.md', '#/'],
    [docsify("{ ext: '.markdown' }"), 'guide/setup.markdown', '#/guide/setup'],
    [docsify("{ routerMode: 'history' }"), 'guide/setup.md', 'guide/setup'],
    [docsify("{ alias: { '/guide/setup.*': '/other' } }"), 'guide/setup.md', null],
    [docsify("{ routes: { '/guide/.*': () => 'x' } }"), 'guide/setup.md', null],
  ])('%#: %s', async (bundle, path, route) => {
    const { profile } = engineOf(bundle, null);
    const { links } = await profile.configure({ bundle, configuration: {}, limits: LIMITS });
    expect(links.routeTo(path)).toBe(route);
  });
});
