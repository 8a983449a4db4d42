/** Small docsify sites on one host, each below a path of its own, that a real browser shows. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

const DOCSIFY = readFileSync(createRequire(import.meta.url).resolve('docsify/dist/docsify.min.js'));
const BUNDLE = `<!doctype html><html lang="en"><head><title>Docs</title></head><body><div id="app"></div>
<script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>`;

const FILES: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  'index.html': ['text/html', BUNDLE],
  'docsify.min.js': ['text/javascript', DOCSIFY],
  'README.md': ['text/markdown', '# Tide tables\n\nWhen the water comes.\n'],
  'guide.md': ['text/markdown', '# Guide\n\nHow to read them.\n'],
  '_sidebar.md': ['text/markdown', '- [Home](/)\n- [Guide](guide.md)\n'],
  'llms.txt': ['text/plain', '# Tide tables\n\n- [Guide](guide.md)\n'],
};

export interface DocsifyHost {
  /** Where the site of a name is. */
  readonly urlOf: (name: string) => string;
  /** Other contents of files, of all sites. */
  readonly changed: Map<string, string>;
  readonly close: () => void;
}

export async function startDocsifyHost(): Promise<DocsifyHost> {
  const changed = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x/');
    const file = pathname.split('/').slice(2).join('/') || 'index.html';
    const [type, body] = FILES[file] ?? [];
    if (type === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found');
    else response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(changed.get(file) ?? body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}/`,
    changed,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
