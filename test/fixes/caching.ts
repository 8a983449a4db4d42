/** Faults of caching, and what their printed fixes say. */
import { ASSETS, replace, TEXT, type Row } from './setup.ts';

const BUNDLE = '= /index.html';
const header = (value: string): string => `add_header Cache-Control "${value}";`;

/** One after the other: no two of them are on one host. */
export const CACHING: readonly Row[] = [
  {
    rule: 'caching/bundle-cached',
    fault: ({ locations }) => locations.set(BUNDLE, 'expires 1d;'),
    fix: (setup, printed) => printed.nginx(setup, 'location = /index.html'),
  },
  {
    rule: 'caching/bundle-briefly-cached',
    fault: ({ locations }) => locations.set(BUNDLE, 'expires 5m;'),
    fix: (setup, printed) => printed.nginx(setup, 'location = /index.html'),
  },
  {
    rule: 'caching/bundle-shared-cached',
    fault: ({ locations }) => locations.set(BUNDLE, header('max-age=0, s-maxage=86400')),
    fix: (setup, printed) => printed.nginx(setup, 'location = /index.html'),
  },
  {
    rule: 'caching/bundle-undeclared',
    fault: ({ locations }) => locations.delete(BUNDLE),
    fix: (setup, printed) => printed.nginx(setup, 'location = /index.html'),
  },
  {
    rule: 'caching/bundle-directives',
    fault: ({ locations }) => locations.set(BUNDLE, header('no-cache')),
    fix: ({ locations }, printed) => locations.set(BUNDLE, header(printed.says('no-cache, must-revalidate'))),
  },
  {
    rule: 'caching/config-cached',
    fault: ({ locations }) => locations.delete('= /config.json'),
    fix: (setup, printed) => printed.nginx(setup, 'location = /config.json'),
  },
  {
    rule: 'caching/worker-cached',
    fault: ({ files, locations }) => {
      replace(files, 'index.html', '<title>', "<script>navigator.serviceWorker?.register('sw.js')</script><title>");
      files.set('sw.js', 'self.skipWaiting();\n');
      locations.set('= /sw.js', 'expires 1y;');
    },
    fix: (setup, printed) => printed.nginx(setup, 'location = /sw.js'),
  },
  {
    rule: 'caching/pages-cached',
    fault: ({ locations }) => locations.set(TEXT, 'expires 1d;'),
    fix: (setup, printed) => printed.nginx(setup, 'location ~*'),
  },
  {
    rule: 'caching/assets-not-cached',
    fault: ({ locations }) => {
      locations.delete(ASSETS);
      locations.delete('= /config.json');
    },
    also: ['caching/heuristic-lifetime'],
    fix: (setup, printed) => printed.nginx(setup, 'location ~*', 'location = /config.json'),
  },
  {
    rule: 'caching/assets-directives',
    fault: ({ locations }) => locations.set(ASSETS, 'expires 30d;'),
    fix: ({ locations }, printed) =>
      locations.set(ASSETS, `${printed.says('expires 30d;')} ${printed.says(header('public, no-transform'))}`),
  },
  {
    rule: 'caching/contradictory',
    fault: ({ locations }) => replace(locations, ASSETS, 'public,', 'max-age=60, public,'),
    fix: ({ locations }, printed) => {
      printed.says('`expires` beside an `add_header` that has its own `max-age`');
      replace(locations, ASSETS, 'max-age=60, ', '');
    },
  },
  {
    rule: 'caching/no-validators',
    fault: ({ server }) => server.set('sub_filter', 'sub_filter old new; sub_filter_types *;'),
    fix: ({ server }, printed) => void server.delete(printed.says('sub_filter')),
  },
  {
    rule: 'caching/not-revalidated',
    fault: ({ server }) => server.set('if_modified_since', 'etag off; if_modified_since off;'),
    fix: ({ server }, printed) => {
      printed.says('`if_modified_since off;`');
      server.set('if_modified_since', 'etag off;');
    },
  },
  {
    rule: 'caching/etag-unstable',
    // Another server answers when a browser asks again; the files were copied there at another time.
    fault: ({ files, dates, http, locations }) => {
      http.add('map $http_if_none_match $NAME { default "."; ~. other; }');
      files.set('other/index.html', files.get('index.html') ?? '');
      dates.set('other/index.html', new Date('2026-02-05T00:00:00Z'));
      locations.set(BUNDLE, `${header('no-cache, must-revalidate')} try_files /$NAME/index.html =404;`);
    },
    fix: ({ dates }, printed) => {
      printed.says('`rsync -t`');
      dates.clear();
    },
  },
  {
    rule: 'caching/heuristic-lifetime',
    fault: ({ locations }) => locations.delete(TEXT),
    fix: (setup, printed) => printed.nginx(setup, 'location ~*'),
  },
];
