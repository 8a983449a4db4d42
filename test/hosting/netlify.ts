/** Runs the generated edge function over a folder, with static files that answer as Netlify's do. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostFile } from '../../src/hosting/configuration.ts';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';
import { compressed } from './compress.ts';

interface Context {
  next(request: Request, options?: { readonly sendConditionalRequest?: boolean }): Promise<Response>;
}
type EdgeFunction = (request: Request, context: Context) => Promise<Response>;

export async function startNetlify(root: string, base: string, files: readonly HostFile[]): Promise<Host> {
  const source = files.find(({ name }) => name === 'netlify/edge-functions/docs.js')?.text ?? '';
  const { default: run } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
    default: EdgeFunction;
  };
  const context: Context = {
    async next(request, { sendConditionalRequest = false } = {}) {
      const path = decodeURIComponent(new URL(request.url).pathname);
      const file = await readFile(join(root, path)).catch(() => null);
      // A folder's index.html is sent with and without the slash.
      const bytes = file ?? (await readFile(join(root, path, 'index.html')).catch(() => null));
      if (bytes === null) return new Response('Not Found', { status: 404 });
      const etag = `"${createHash('md5').update(bytes).digest('hex')}-ssl"`;
      const type = MEDIA_TYPES[file === null ? 'html' : (path.split('.').at(-1) ?? '')] ?? 'application/octet-stream';
      const headers = { etag, 'cache-control': 'public,max-age=0,must-revalidate', 'content-type': type };
      const isKnown = sendConditionalRequest && request.headers.get('if-none-match') === etag;
      if (isKnown) return new Response(null, { status: 304, headers });
      return new Response(request.method === 'HEAD' ? null : bytes, { headers });
    },
  };
  return listen((request, response) => {
    void (async () => {
      const headers = new Headers(
        Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
      );
      const url = new URL(request.url ?? '/', `http://${headers.get('host') ?? 'localhost'}`);
      const answer = await run(new Request(url, { method: request.method ?? 'GET', headers }), context);
      const sent = { body: Buffer.from(await answer.arrayBuffer()), headers: Object.fromEntries(answer.headers) };
      const { body, headers: own } = compressed(request, sent);
      response.writeHead(answer.status, { ...own, server: 'Netlify' });
      response.end(body);
    })();
  }, base);
}
