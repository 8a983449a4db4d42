/** Sites whose engine is one large file, as VertiWiki's is: everything that is on a kept connection after it has to wait. */
import { createHash } from 'node:crypto';
import { benchSite } from '../site.ts';

export const BUNDLE_PAGES = 20;
const LINE = 64;

/** A healthy site with a bundle of about so many bytes once it is compressed. */
export function bundleSite(compressedBytes: number): Map<string, string> {
  const lines: string[] = [];
  // Hexadecimal digits of a hash are four bits each, which is what a good compression makes of them.
  for (let bytes = 0; bytes < compressedBytes; bytes += LINE / 2)
    lines.push(createHash('sha256').update(String(bytes)).digest('hex'));
  const script = `<script>\nconst engine = \`\n${lines.join('\n')}\n\`;\n</script>`;
  return benchSite(BUNDLE_PAGES).set(
    'index.html',
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Stations</title></head>\n<body><div id="app"></div>\n${script}\n</body></html>\n`,
  );
}
