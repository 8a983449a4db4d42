/** The ways of sending a site that `traffic.test.ts` leaves out. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { SHAPES } from './shapes.ts';
import { folderOf, plainReport, report, serve } from './served.ts';
import { trafficSite } from './site.ts';

let expected: object;
beforeAll(async () => {
  ({ expected } = await plainReport());
});

const OTHERS = SHAPES.filter(({ isInGate }) => isInGate !== true);

describe.concurrent('the same report from a server with', () => {
  it.for(OTHERS.map((shape) => [shape.name, shape] as const))('%s', { timeout: 60_000 }, async ([, shape], context) => {
    const { url, ...options } = await serve(shape, context);
    expect(await report(url, options)).toEqual(expected);
  });
});

it.runIf(nginxWanted())('the same report through nginx with compressed files', async (context) => {
  const files = new Map(trafficSite());
  for (const [file, body] of trafficSite()) files.set(`${file}.gz`, gzipSync(body, { level: 1 }));
  const nginx = await startNginx(folderOf(files, context), {
    configuration: 'gzip_static on; error_page 404 /none; location /guide/ { try_files $uri =404; }',
  });
  context.onTestFinished(() => nginx.stop());
  expect(await report(nginx.url)).toEqual(expected);
});
