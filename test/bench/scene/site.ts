/** The site of the one-shot rows: as large as those that people have, in the files that the five look at. */
import { benchSite } from '../site.ts';

const PAGES = 120;
const IN_SECTION = 10;

const STYLES = ['nav', 'main', 'footer', 'h1', 'h2', 'h3', 'p', 'li', 'pre', 'code', 'table', 'td', 'blockquote']
  .map((element) => `#app ${element} { margin: 0 0 1rem; line-height: 1.5; max-width: 42rem; }\n`)
  .join('');

const BUNDLE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stations</title>
<style>
${STYLES}</style>
<script type="module" src="app.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This manual needs JavaScript. Its pages are Markdown files, which can be read without.</noscript>
</body>
</html>
`;

const CONFIG = `{
  "title": "Stations",
  "homePage": "index.md",
  "navigationFile": "navigation.md",
  "llmsTxtUrl": "/llms.txt",
  "theme": "light",
  "search": { "enabled": true, "placeholder": "Search the manual" },
  "footer": "Readings are kept for five years."
}
`;

const paragraph = (about: string): string =>
  `Every ${about} has a page of its own. It says where the station stands, what it measures and how often, *who* looks ` +
  `after it, and what to do when it is silent; \`stationctl show\` tells the same on the command line.\n`;

/** Healthy. Its navigation has 6 KB and 133 links, `llms.txt` 6 KB, the home page 3 KB, the bundle 2 KB. */
export function oneShotSite(): Map<string, string> {
  const files = benchSite(PAGES);
  const pages = [...files.keys()].filter((file) => file.includes('/page-'));
  const sections = Object.values(Object.groupBy(pages, (_, index) => Math.floor(index / IN_SECTION)));
  const list = (indent: string, members: readonly string[] = []): string =>
    members.map((file) => `${indent}- [Station ${/\d+(?=\.md)/.exec(file)?.[0]}: readings](${file})\n`).join('');
  const titled = sections.map((members, index) => ({ members, title: `District ${index + 1}` }));
  const nested = titled.map(({ title, members }) => `- [${title}](${members?.[0]})\n${list('  ', members)}`).join('');
  const listed = titled.map(({ title, members }) => `## ${title}\n\n${list('', members)}`).join('\n');
  const told = titled.map(({ title }) => `## ${title}\n\n${paragraph(`station of ${title}`)}`).join('\n');
  return files
    .set('index.html', BUNDLE)
    .set('config.json', CONFIG)
    .set('navigation.md', `# Stations\n\n- [Start](index.md)\n${nested}`)
    .set('index.md', `# Stations\n\n${told}\nThe [first station](${pages[0]}) is the oldest.\n`)
    .set('llms.txt', `# Stations\n\n> ${paragraph('station')}\n${listed}`);
}
