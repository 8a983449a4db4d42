import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const long = (text: string): string => text.repeat(40);

/** A site with the shapes on which hosts differ. */
export const SITE: Readonly<Record<string, string>> = {
  'index.html': '<!doctype html><title>Docs</title><div id="app"></div><script src="app.js"></script>\n',
  'config.json': '{"homePage": "index.md", "llmsTxtUrl": "/llms.txt"}\n',
  'navigation.md': '- [Home](index.md)\n- [Guide](guide/)\n',
  'index.md': '# Home\n',
  'llms.txt': '# Docs\n\n- [Home](index.md)\n',
  'app.js': long('console.log(1);\n'),
  'style.css': 'a{}',
  'tiny.txt': 'x',
  'empty.md': '',
  'guide/index.md': `# Guide\n\n${long('Text. ')}\n`,
  'guide/Setup.md': '# Setup\n',
  'guide/a b.md': '# A space\n',
  'guide/ghid ș[1].md': '# Diacritics and brackets\n',
  'guide/50%.md': '# A percent sign\n',
  'v1/index.html': '<!doctype html><title>Version 1</title><p>An older version with its own bundle.</p>\n',
  'v1/index.md': '# Version 1\n',
  'v2.0/index.md': '# Version 2.0\n',
  'only/html/index.html': '<!doctype html><title>No page</title><p>Nothing for agents.</p>\n',
  'files/data.json': '{"numbers": [1, 2, 3, 4]}\n',
  'files/plain': 'A file without an extension\n',
  'img/Logo.SVG': '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n',
  'img/dot.png': '\u0000PNG',
  'img/font.woff2': 'wOF2',
  '.git/config': '[core]\n',
  '.well-known/security.txt': 'Contact: mailto:security@example.com\n',
};

/** When every file was changed last. */
export const MODIFIED = new Date('2026-02-03T04:05:06Z');

/** A small site without any fault. */
export const HEALTHY_SITE: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><html lang="en"><head><title>Docs</title><link rel="icon" href="img/logo.svg"></head>' +
    '<body><div id="app"></div><script src="app.js"></script></body></html>\n',
  'app.js': long('console.log(1);\n'),
  'config.json': '{"homePage": "index.md", "llmsTxtUrl": "llms.txt"}\n',
  'navigation.md': '# Navigation\n\n- [Home](index.md)\n- [Guide](guide/)\n- [Setup](guide/setup/index.md)\n',
  'index.md': '# Home\n\nSee [the guide](guide/index.md).\n\n![Logo](img/logo.svg)\n',
  'guide/index.md': `# Guide\n\n${long('Text. ')}\n\n[Setup](setup/), [Version 1.2](../v1.2/)\n`,
  'v1.2/index.md': '# Version 1.2\n',
  'guide/setup/index.md': '# Setup\n\nHow to set it up: diacritics such as ș and é come through.\n',
  'llms.txt':
    '# Docs\n\n> What they are about.\n\n## Pages\n\n- [Home](index.md): the start\n' +
    '- [Guide](guide/index.md): how to use it\n- [Setup](guide/setup/index.md): how to set it up\n',
  'robots.txt': 'User-agent: *\nAllow: /\n',
  'img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>\n',
};

/** Writes a site below `base` into a new folder; gives the host's root and the site's own folder. */
export function writeSite(base: string, files = SITE): { readonly root: string; readonly site: string } {
  const root = mkdtempSync(join(tmpdir(), 'docvitals-hosting-'));
  const site = join(root, base);
  for (const [path, text] of Object.entries(files)) {
    const file = join(site, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, MODIFIED, MODIFIED);
  }
  return { root, site };
}
