/** What the whole crawl reports of links and of what the bundle loads, by the built command over a real server. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { listen } from '../site/host.ts';
import { runHere } from './run-here.ts';

type Files = Readonly<Record<string, string>>;

const SHELL = '<!doctype html><title>Docs</title><div id="app"></div>';
const FILES: Files = {
  'index.html': SHELL,
  'config.json': '{}',
  'navigation.md': '- [Home](index.md)\n',
  'index.md': '# Docs\n',
  'llms.txt': '# Docs\n\n- [Home](index.md)\n',
};
const TYPES: Files = { html: 'text/html', json: 'application/json', md: 'text/markdown', css: 'text/css' };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'docvitals-links-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

type Result = ReportDocument['checks'][number];

interface Run {
  readonly links: Result;
  readonly assets: Result;
  /** Paths, in the order of the requests. */
  readonly requested: readonly string[];
}

/** Runs the two checks over files below `base`. */
async function check(files: Files, args: readonly string[] = [], base = '/'): Promise<Run> {
  const served = { ...FILES, ...files };
  const requested: string[] = [];
  const host = await listen(({ url = '' }, response) => {
    const path = decodeURIComponent(url);
    requested.push(path);
    const text = path.startsWith(base) ? served[path.slice(base.length)] : undefined;
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/plain';
    if (text === undefined) response.writeHead(404).end('no such file');
    else response.writeHead(200, { 'content-type': type }).end(text);
  }, base);
  try {
    const command = ['check', host.url, '--only', 'links,assets', '--format', 'json', ...args];
    const { stdout } = await runHere(command);
    const { checks } = JSON.parse(stdout) as ReportDocument;
    const result = (id: string): Result => checks.find((each) => each.id === id) as Result;
    return { links: result('links'), assets: result('assets'), requested };
  } finally {
    await host.close();
  }
}

/** `rule target → suggestion`, the rule without its check. */
const brief = ({ findings }: Result): readonly string[] =>
  findings.map(({ rule, evidence }) => {
    const { target, link = target, suggestion } = evidence;
    return [rule.replace(/^.*\//, ''), link, ...(suggestion === undefined ? [] : ['→', suggestion])]
      .filter((part) => typeof part === 'string')
      .join(' ');
  });

describe('links', () => {
  it('suggests the file that shares the longest end with the link as written, never the page itself', async () => {
    const { links } = await check({
      'navigation.md':
        '- [a](guide/setup.md)\n- [b](old/api/token.md)\n- [c](guide/token.md)\n- [d](new/v2/api/token.md)\n',
      'guide/setup.md': '# Setup\n\n[other](../install/setup.md) [token](../v1/api/token.md)\n',
      'guide/token.md': '# Token\n',
      'new/v2/api/token.md': '# Token\n',
    });
    const { links: fromRoot } = await check({
      'index.md': '[a](guide/a.md)',
      'guide/a.md': '[b](guide/b.md) ![c](img/my%20c.png)',
      'guide/b.md': '# B',
      'img/my c.png': 'PNG',
    });
    expect(brief(fromRoot)).toEqual([
      'moved guide/guide/b.md → guide/b.md',
      'missing-image guide/img/my c.png → img/my c.png',
    ]);
    expect(brief(links)).toEqual([
      'moved old/api/token.md → new/v2/api/token.md',
      'missing install/setup.md',
      'moved v1/api/token.md → new/v2/api/token.md',
    ]);
  });

  it('looks in the source before it asks the host for variants', async () => {
    const source = folderOf({ ...FILES, 'start/quickstart.md': '# Quickstart\n', 'lost.md': '# Lost\n' });
    const files = {
      'index.md': '# Docs\n\n[a](quickstart.md) [b](lost.md)\n',
      'start/quickstart.md': '# Quickstart\n',
    };
    const { links, requested } = await check(files, ['--source', source]);
    expect(brief(links)).toEqual(['moved quickstart.md → start/quickstart.md', 'missing lost.md']);
    expect(links.findings[1]?.evidence).toMatchObject({ inSource: true });
    const asked = new Set(requested.filter((path) => /quickstart|lost/i.test(path)));
    expect([...asked].toSorted()).toEqual(['/lost.md', '/quickstart.md', '/start/quickstart.md']);
  });

  it('checks the links of the home page where the navigation is empty or missing', async () => {
    for (const navigation of ['', '<!-- later -->\n']) {
      const { links } = await check({
        'navigation.md': navigation,
        'index.md': '[a](gone.md) [b](there.md)',
        'there.md': '# B',
      });
      expect([links.status, ...brief(links)]).toEqual(['fail', 'missing gone.md']);
      expect(links.facts).toMatchObject({ missing: 1 });
      const { links: healthy } = await check({
        'navigation.md': navigation,
        'index.md': '[b](there.md)',
        'there.md': '# B',
      });
      expect(healthy.status).toBe('pass');
    }
  });

  it('counts the pages that were received', async () => {
    const { links } = await check({ 'index.md': '[a](gone.md) [b](there.md) ![c](gone.png)', 'there.md': '# B' });
    expect(links.facts).toMatchObject({ pages: 3, files: 0, links: 5, missing: 2 });
  });

  it('reports misspelled schemes', async () => {
    const addresses = ['https:*//a.example', 'https:/host', 'htps://me:secret@a.example/b'];
    const { links } = await check({ 'index.md': addresses.map((address) => `[x](${address})`).join('\n\n') });
    expect(brief(links)).toEqual([
      'misspelled-scheme https:*//a.example → https://a.example',
      'misspelled-scheme https:/host',
      'misspelled-scheme htps://a.example/b → https://a.example/b',
    ]);
  });

  it('stays at the root where a link climbs above it, as browsers and engines do', async () => {
    const files = { 'index.md': '[a](../a.md) [b](../../gone.md) ![c](../c.png)', 'a.md': '# A', 'c.png': 'PNG' };
    for (const base of ['/', '/docs/']) {
      const { links } = await check(files, [], base);
      expect(brief(links)).toEqual(['missing gone.md']);
    }
  });

  it('prints the command that renames a file to the letter case of its links', async () => {
    const names = ["guide/it's $HOME.md", 'Start/a.md', '-rf.md'];
    const present = ["guide/It's $HOME.md", 'start/a.md', '-RF.md'];
    const site = { ...FILES, 'index.md': names.map((name) => `[x](<${name}>)`).join('\n\n'), 'both.md': '# B' };
    const files = { ...site, ...Object.fromEntries(present.map((name) => [name, '# Page'])) };
    const { links } = await check(files);
    expect(links.findings.map(({ rule }) => rule)).toEqual(Array<string>(3).fill('links/letter-case'));
    const folder = folderOf(files);
    const run = (command: string): string => execFileSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' });
    run('git init -q && git add -A && git -c user.name=a -c user.email=a@b.example commit -q -m first');
    for (const { evidence } of links.findings) run(evidence['command'] as string);
    for (const name of names) expect(existsSync(join(folder, name))).toBe(true);
    expect(
      (
        await check({
          ...FILES,
          ...Object.fromEntries(names.map((name) => [name, '# Page'])),
          'index.md': site['index.md'] ?? '',
        })
      ).links.status,
    ).toBe('pass');
  });

  it('prints no such command where another link uses the present name', async () => {
    const { links } = await check({ 'index.md': '[a](guide.md) [b](Guide.md)', 'Guide.md': '# Guide' });
    expect(brief(links)).toEqual(['letter-case guide.md → Guide.md']);
    expect(links.findings[0]?.evidence).not.toHaveProperty('command');
  });
});

describe('assets', () => {
  it('reports a font once, however many formats its rule names', async () => {
    const face = (name: string): string =>
      `@font-face{font-family:${name};src:url(${name}.eot);src:url(${name}.eot?#iefix) format("embedded-opentype"),` +
      `url(${name}.woff2) format("woff2"),url(${name}.woff) format("woff"),url(${name}.ttf) format("truetype")}`;
    const { assets } = await check({
      'index.html': `${SHELL}<link rel=stylesheet href=a.css><style>${face('b')}</style>`,
      'a.css': `${face('a')}${face('c')}`,
      'c.woff2': 'wOF2',
    });
    expect(assets.findings.map(({ rule, evidence }) => [rule, evidence['written']])).toEqual([
      ['assets/font-missing', 'b.woff2'],
      ['assets/font-missing', 'a.woff2'],
    ]);
  });
});
