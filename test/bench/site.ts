/** Sites of any size for the benchmark: pages of about 2.5 KB with a dozen links each, in folders of fifty. */

const IN_FOLDER = 50;
const PARAGRAPH =
  'Readings come in every ten minutes and are kept for five years. A station that goes quiet is told to whoever is on ' +
  'duty; the list of stations shows when each was heard of last, and *why* it may be late. Set `interval` to change it.';

const folderOf = (page: number): string => `part-${Math.floor(page / IN_FOLDER)}`;
const pathOf = (page: number): string => `${folderOf(page)}/page-${page}.md`;

function pageText(page: number, pages: number): string {
  const others = [1, 2, 3, 7, 11, 49, 50, 51].map((step) => (page + step) % pages);
  const list = others.map((other) => `- [Page ${other}](../${pathOf(other)}#details)`).join('\n');
  const section = `${PARAGRAPH}\n\n\`\`\`sh\nstationctl show ${page}\n\`\`\`\n`;
  return `# Page ${page}\n\n${section}\n## Details\n\n${section}\n${PARAGRAPH}\n\n## See also\n\n${list}\n\n${PARAGRAPH} See the [index](index.md), or [all parts](/navigation.md).\n\n${section}\n${PARAGRAPH}\n`;
}

/** A healthy site of `pages` content pages, with everything else that a site has. */
export function benchSite(pages: number): Map<string, string> {
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
