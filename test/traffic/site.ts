/** A healthy wiki but for one broken link, with a bundle and a page that do not compress. */
import { createHash } from 'node:crypto';

export type Files = ReadonlyMap<string, Buffer>;

/** Text that looks random and is the same each time: three quarters of it are left when it is compressed. */
export function incompressible(bytes: number): string {
  const blocks: string[] = [];
  for (let block = 0; block * 64 < bytes; block += 1)
    blocks.push(createHash('sha384').update(`block ${block}`).digest('base64'));
  return blocks.join('');
}

const KIB = 1024;
const PAGES = Array.from({ length: 15 }, (_, index) => `guide/page-${index}.md`);

function page(_path: string, index: number): string {
  const next = `page-${(index + 1) % PAGES.length}.md`;
  const code = index === 0 ? `\n\`\`\`\n${incompressible(400 * KIB)}\n\`\`\`\n` : '';
  const broken = index === 7 ? '\nSee [what is gone](gone.md).\n' : '';
  return `# Page ${index}\n\nGo on with [the next page](${next}).\n${code}${broken}`;
}

const made = new Map<number, Files>();

/** The files by path. `scriptBytes`: of the script that the bundle loads, compressed. */
export function trafficSite(scriptBytes = 300 * KIB): Files {
  const known = made.get(scriptBytes) ?? filesOf(scriptBytes);
  made.set(scriptBytes, known);
  return known;
}

function filesOf(scriptBytes: number): Files {
  const navigation = PAGES.map((path, index) => `- [Page ${index}](${path})\n`).join('');
  const script = `const data = '${incompressible(400 * KIB)}';`;
  const texts: Readonly<Record<string, string>> = {
    'index.html': `<!doctype html><html><head><title>Tidewater</title><script src="app.js"></script></head><body><main id="app"></main><script>${script}</script></body></html>\n`,
    'app.js': `const more = '${incompressible((scriptBytes * 4) / 3)}';\n`,
    'config.json': '{"title": "Tidewater"}\n',
    'navigation.md': `# Tidewater\n\n- [Home](index.md)\n${navigation}`,
    'index.md': '# Tidewater\n\nStart with [the first page](guide/page-0.md).\n',
    'llms.txt': '# Tidewater\n\n> Tides and rivers.\n\n## Pages\n\n- [Home](index.md): where to start\n',
    ...Object.fromEntries(PAGES.map((path, index) => [path, page(path, index)])),
  };
  return new Map(Object.entries(texts).map(([path, text]) => [path, Buffer.from(text)]));
}
