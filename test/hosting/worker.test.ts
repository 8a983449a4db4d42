/** The generated worker in workerd, and the preview, which has to answer alike. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostConfiguration } from '../../src/hosting/configuration.ts';
import { startPreview, type Preview } from '../../src/hosting/preview.ts';
import type { Told } from './ask.ts';
import { ESCAPES, ROWS, type Row } from './requests.ts';
import { writeSite } from './site.ts';
import { send, variantsOf } from './variants.ts';
import { startWorkerd, type Workerd } from './workerd.ts';

const COMPARED = ['content-type', 'content-length', 'content-encoding', 'cache-control', 'location', 'vary'];

/** What of an answer has to be the same; the assets' tags are their own. */
function seen({ status, headers, body }: Told, { method }: Row): object {
  // The local edge tells no length of what it does not send, and compresses nothing.
  const isEmpty = method === 'HEAD' || body.length === 0;
  const left = new Set(isEmpty ? ['content-length', 'content-encoding'] : []);
  return {
    status,
    ...Object.fromEntries(COMPARED.filter((name) => !left.has(name)).map((name) => [name, headers[name]])),
    etag: headers['etag'] !== undefined,
    body: Buffer.from(body).toString('latin1'),
  };
}

describe.each(variantsOf('worker'))('$name', ({ rules }) => {
  let workerd: Workerd;
  let preview: Preview;
  let folders: ReturnType<typeof writeSite>;
  beforeAll(async () => {
    folders = writeSite(rules.base);
    [workerd, preview] = await Promise.all([
      startWorkerd(folders.root, hostConfiguration(rules).files),
      startPreview(folders.site, rules, 0),
    ]);
  });
  afterAll(async () => {
    await Promise.all([workerd.stop(), preview.close()]);
    rmSync(folders.root, { recursive: true });
  });

  it.each([...ROWS, ...ESCAPES])('$name: $method $target $headers', async (row) => {
    const [real, ours] = await Promise.all([send(workerd.port, rules.base, row), send(preview.port, rules.base, row)]);
    expect(seen(ours, row)).toEqual(seen(real, row));
  });
});
