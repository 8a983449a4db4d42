/** A site on loopback that can be broken and fixed, as a monitor's tests want it. */
import type { ServerResponse } from 'node:http';
import { listen, MEDIA_TYPES, type Host } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';

/**
 * `well`: every file is there; `broken`: the configuration has a trailing comma; `failing`: 503 to everything;
 * `reset`: each connection is cut; `silent`: nothing ever comes.
 */
export type Condition = 'well' | 'broken' | 'failing' | 'reset' | 'silent';

export interface WatchedHost extends Host {
  condition: Condition;
  /** Files by path, instead of those of the sample site. */
  readonly files: Map<string, Uint8Array | string>;
  /** Paths that were requested. */
  readonly asked: string[];
}

/** Serves the sample site, well at first. */
export async function startWatchedHost(wanted = 0): Promise<WatchedHost> {
  const files = sampleSite();
  const asked: string[] = [];
  const host = await listen(
    ({ url = '/', socket }, response) => {
      const path = decodeURIComponent((url.split('?')[0] ?? '/').slice(1)) || 'index.html';
      asked.push(path);
      if (watched.condition === 'reset') return void socket.destroy();
      if (watched.condition === 'silent') return;
      if (watched.condition === 'failing') return send(response, 503, 'text/plain', 'down for now');
      if (watched.condition === 'broken' && path === 'config.json')
        return send(response, 200, 'application/json', '{ "title": "Tidewater", }');
      const body = files.get(path);
      if (body === undefined) return send(response, 404, 'text/html', '<!doctype html><h1>Not found</h1>');
      const type = MEDIA_TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      send(response, 200, type, body);
    },
    '/',
    wanted,
  );
  const watched: WatchedHost = { ...host, condition: 'well', files, asked };
  return watched;
}

function send(response: ServerResponse, status: number, type: string, body: Uint8Array | string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
