/** The generated server block in a real nginx, and the preview, which has to answer alike. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPreview, type Preview } from '../../src/hosting/preview.ts';
import { nginxWanted, startNginx, type Nginx } from '../hosts/nginx.ts';
import type { Told } from './ask.ts';
import { ESCAPES, ROWS, SERVER_ROWS } from './requests.ts';
import { writeSite } from './site.ts';
import { send, variantsOf } from './variants.ts';

const COMPARED = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-range',
  'cache-control',
  'etag',
  'last-modified',
  'vary',
];

/** What of an answer has to be the same. nginx tells its version on its own pages; ports differ. */
function seen({ status, headers, body }: Told): object {
  const text = Buffer.from(body).toString('latin1');
  // Its pages are of another length, then; a HEAD shows nothing but that.
  const isPage = status >= 300;
  const kept = COMPARED.filter((name) => !(isPage && name === 'content-length'));
  return {
    status,
    ...Object.fromEntries(kept.map((name) => [name, headers[name]])),
    expires: headers['expires'] !== undefined,
    location: headers['location']?.replace(/:\d+/, ''),
    body: text.replace(/nginx\/[\d.]+[^<]*/, 'nginx'),
  };
}

describe.runIf(nginxWanted()).each(variantsOf('server'))('$name', ({ rules }) => {
  let nginx: Nginx;
  let preview: Preview;
  let site: string;
  beforeAll(async () => {
    ({ site } = writeSite('/'));
    [nginx, preview] = await Promise.all([startNginx(site, rules), startPreview(site, rules, 0)]);
  });
  afterAll(async () => {
    await Promise.all([nginx.stop(), preview.close()]);
    rmSync(site, { recursive: true });
  });

  it.each([...ROWS, ...SERVER_ROWS, ...ESCAPES])('$name: $method $target $headers', async (row) => {
    const [real, ours] = await Promise.all([send(nginx.port, rules.base, row), send(preview.port, rules.base, row)]);
    expect(seen(ours)).toEqual(seen(real));
  });
});
