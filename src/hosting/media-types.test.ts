import { describe, expect, it } from 'vitest';
import { contentTypeOf } from './media-types.ts';

const ROWS: readonly { path: string; server: string; platform: string; worker: string | null }[] = [
  { path: 'index.html', server: 'text/html', platform: 'text/html; charset=utf-8', worker: 'text/html; charset=utf-8' },
  {
    path: 'a/index.md',
    server: 'application/octet-stream',
    platform: 'text/markdown; charset=utf-8',
    worker: 'text/markdown; charset=utf-8',
  },
  {
    path: 'app.js',
    server: 'application/javascript',
    platform: 'application/javascript; charset=utf-8',
    worker: 'text/javascript; charset=utf-8',
  },
  {
    path: 'config.JSON',
    server: 'application/json',
    platform: 'application/json; charset=utf-8',
    worker: 'application/json',
  },
  { path: 'Logo.SVG', server: 'image/svg+xml', platform: 'image/svg+xml', worker: 'image/svg+xml' },
  { path: 'v1.2/plain', server: 'application/octet-stream', platform: 'application/octet-stream', worker: null },
  { path: 'a.constructor', server: 'application/octet-stream', platform: 'application/octet-stream', worker: null },
];

describe('contentTypeOf', () => {
  it.each(ROWS)('$path', ({ path, ...expected }) => {
    const [server, platform, worker] = (['server', 'platform', 'worker'] as const).map((kind) =>
      contentTypeOf(path, kind),
    );
    expect({ server, platform, worker }).toEqual(expected);
  });
});
