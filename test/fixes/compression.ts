/** Faults of compression, and what their printed fixes say. */
import { gzipSync } from 'node:zlib';
import { remove, replace, type Row, type Setup } from './setup.ts';

/** A compressed copy of the engine's script beside it. */
const precompressed =
  (change: (bytes: Buffer) => Buffer, mode = 'on') =>
  ({ files, server }: Setup): void => {
    files.set('app.js.gz', change(Buffer.from(files.get('app.js') ?? '')));
    server.set('gzip_static', `gzip_static ${mode};`);
  };

export const COMPRESSION: readonly Row[] = [
  {
    rule: 'compression/uncompressed',
    fault: ({ server }) => {
      for (const name of ['gzip', 'gzip_vary', 'gzip_types']) server.delete(name);
    },
    fix: (setup, printed) => printed.nginx(setup, 'gzip on;'),
  },
  {
    rule: 'compression/undecodable',
    fault: precompressed((bytes) => gzipSync(bytes).subarray(0, 60)),
    also: ['bundle/script-failed'],
    fix: (setup, printed) => {
      printed.says('or delete it');
      remove('app.js.gz')(setup);
    },
  },
  {
    rule: 'compression/bytes-differ',
    fault: precompressed((bytes) => gzipSync(Buffer.concat([bytes, Buffer.from('// the version before\n')]))),
    fix: (setup, printed) => {
      printed.says('or delete it');
      remove('app.js.gz')(setup);
    },
  },
  {
    rule: 'compression/forced-encoding',
    fault: precompressed((bytes) => gzipSync(bytes), 'always'),
    also: ['compression/vary-accept-encoding'],
    fix: ({ server }, printed) => server.set('gzip_static', printed.says('gzip_static on;')),
  },
  {
    rule: 'compression/vary-accept-encoding',
    fault: ({ server }) => server.delete('gzip_vary'),
    fix: ({ server }, printed) => server.set('gzip_vary', printed.says('gzip_vary on;')),
  },
  {
    rule: 'compression/recompressed',
    fault: ({ server }) => replace(server, 'gzip_types', ';', ' image/png;'),
    fix: ({ server }, printed) => replace(server, 'gzip_types', ` ${printed.says('image/png')}`, ''),
  },
];
