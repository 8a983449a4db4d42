/** Sites for the benchmark, all of them healthy. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type Files = Map<string, string>;

const IN_FOLDER = 50;
const PARAGRAPH =
  'Readings come in every ten minutes and are kept for five years. A station that goes quiet is reported to whoever is on ' +
  'duty; the list of stations shows when each was last heard, and *why* it may be late. Set `interval` to change it.';

const folderOf = (page: number): string => `part-${Math.floor(page / IN_FOLDER)}`;
const pathOf = (page: number): string => `${folderOf(page)}/page-${page}.md`;

function pageText(page: number, pages: number): string {
  const others = [1, 2, 3, 7, 11, 49, 50, 51].map((step) => (page + step) % pages);
  const list = others.map((other) => `- [Page ${other}](../${pathOf(other)}#details)`).join('\n');
  const section = `${PARAGRAPH}\n\n\`\`\`sh\nstationctl show ${page}\n\`\`\`\n`;
  return `# Page ${page}\n\n${section}\n## Details\n\n${section}\n${PARAGRAPH}\n\n## See also\n\n${list}\n\n${PARAGRAPH} See the [index](index.md), or [all parts](/navigation.md).\n\n${section}\n${PARAGRAPH}\n`;
}

/** A site of so many pages, of about 2.5 KB with a dozen links each, in folders of fifty. */
export function benchSite(pages: number): Files {
  const folders = Map.groupBy(Array(pages).keys(), folderOf);
  const navigation = [...folders.keys()].map((folder) => `- [${folder}](${folder}/index.md)`).join('\n');
  const files = new Map([
    ['index.html', '<!doctype html>\n<html lang="en"><title>Stations</title><script src="app.js"></script></html>\n'],
    ['app.js', `${'// The engine.\n'.repeat(200)}\n`],
    ['config.json', '{ "title": "Stations" }\n'],
    ['navigation.md', `- [Start](index.md)\n${navigation}\n`],
    ['index.md', `# Stations\n\n${PARAGRAPH}\n`],
    ['llms.txt', `# Stations\n\n> ${PARAGRAPH}\n\n## Parts\n\n${navigation}\n`],
    ['robots.txt', 'User-agent: *\nAllow: /\n'],
  ]);
  for (const [folder, members] of folders) {
    const list = members.map((page) => `- [Page ${page}](page-${page}.md)`).join('\n');
    files.set(`${folder}/index.md`, `# ${folder}\n\n${list}\n`);
    for (const page of members) files.set(pathOf(page), pageText(page, pages));
  }
  return files;
}

const LISTED = 120;
const IN_DISTRICT = 10;
const STYLES = ['nav', 'main', 'footer', 'h1', 'h2', 'h3', 'p', 'li', 'pre', 'code', 'table', 'td', 'blockquote']
  .map((element) => `#app ${element} { margin: 0 0 1rem; line-height: 1.5; max-width: 42rem; }\n`)
  .join('');

/** The five files of a site of usual size: navigation and `llms.txt` 6 KB with 133 links, home page 3 KB, bundle 1 KB. */
export function fiveFiles(title: string): Files {
  const districts = Map.groupBy(Array(LISTED).keys(), (page) => `District ${1 + Math.floor(page / IN_DISTRICT)}`);
  const list = (pages: readonly number[], indent = ''): string =>
    pages.map((page) => `${indent}- [Station ${page}: readings](${pathOf(page)})\n`).join('');
  const all = [...districts];
  const nested = all.map(([name, pages]) => `- [${name}](${pathOf(pages[0] ?? 0)})\n${list(pages, '  ')}`).join('');
  const config = {
    title,
    homePage: 'index.md',
    navigationFile: 'navigation.md',
    llmsTxtUrl: '/llms.txt',
    theme: 'light',
  };
  return new Map([
    [
      'index.html',
      `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n<style>\n${STYLES}</style>\n<script type="module" src="app.js"></script>\n</head>\n<body>\n<div id="app"></div>\n<noscript>This manual needs JavaScript.</noscript>\n</body>\n</html>\n`,
    ],
    ['config.json', `${JSON.stringify(config, null, 2)}\n`],
    ['navigation.md', `# ${title}\n\n- [Start](index.md)\n${nested}`],
    ['index.md', `# ${title}\n\n${all.map(([name]) => `## ${name}\n\n${PARAGRAPH}\n`).join('\n')}`],
    [
      'llms.txt',
      `# ${title}\n\n> ${PARAGRAPH}\n\n${all.map(([name, pages]) => `## ${name}\n\n${list(pages)}`).join('\n')}`,
    ],
  ]);
}

/** The site of the one-shot rows. */
export const oneShotSite = (): Files => new Map([...benchSite(LISTED), ...fiveFiles('Stations')]);

export const BUNDLE_PAGES = 20;
const LINE = 64;

/** A site whose engine is one file of about so many bytes once it is compressed, as VertiWiki's is. */
export function bundleSite(compressedBytes: number): Files {
  const lines: string[] = [];
  // A hexadecimal digit of a hash has four bits, which a good compression reduces it to.
  for (let bytes = 0; bytes < compressedBytes; bytes += LINE / 2)
    lines.push(createHash('sha256').update(String(bytes)).digest('hex'));
  return benchSite(BUNDLE_PAGES).set(
    'index.html',
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Stations</title></head>\n<body><div id="app"></div>\n<script>\nconst engine = \`\n${lines.join('\n')}\n\`;\n</script>\n</body></html>\n`,
  );
}

const TITLES = ['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5'];

/** The home page and five more of {@link browserSite}: the heading of each, by its route. */
export const HEADINGS = [['', 'Home'], ...TITLES.map((title, index) => [`#/page-${index + 1}`, title])] as const;

/** A docsify site. */
export function browserSite(): Files {
  const docsify = readFileSync(createRequire(import.meta.url).resolve('docsify/dist/docsify.min.js'), 'utf8');
  const list = TITLES.map((title, index) => `- [${title}](page-${index + 1}.md)\n`).join('');
  const styles = 'body { color: #111; background: #fff } h1 a { color: #111 } .sidebar-toggle { display: none }';
  return new Map([
    [
      'index.html',
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Docs</title><meta name="viewport" content="width=device-width"><style>${styles}</style></head><body><div id="app"></div><script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>`,
    ],
    ['docsify.min.js', docsify],
    ['README.md', '# Home\n\nWelcome.\n'],
    ['_sidebar.md', `- [Home](/)\n${list}`],
    ['llms.txt', `# Docs\n\n> Five pages.\n\n## Docs\n\n${list}`],
    ...TITLES.map((title, index): [string, string] => [`page-${index + 1}.md`, `# ${title}\n\nText of ${title}.\n`]),
  ]);
}
