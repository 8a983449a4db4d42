/** The sample site on a real nginx with SPEC's configuration: healthy passes, and each fault is found by its check alone. */
import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { all, fail, row, warn } from './faults/fault.ts';
import type { Fault } from './faults/fault.ts';
import { checkRow, expected, runRow, told } from './faults/verify.ts';
import { DEPLOYMENTS } from './hosts/deployments.ts';
import { nginxWanted, startNginx } from './hosts/nginx.ts';
import type { Nginx, NginxOptions } from './hosts/nginx.ts';
import { deploy } from './hosts/serving.ts';
import { sampleSite } from './site/sample.ts';

const SITE = sampleSite();
const OCTET_STREAM = { navigation: warn('media-type'), home: warn('media-type') };

describe.runIf(nginxWanted())('nginx', () => {
  let dir = '';
  let nginx: Nginx | undefined;

  const start = async (options: NginxOptions = {}): Promise<string> => {
    nginx = await startNginx(dir, options);
    return nginx.url;
  };
  afterEach(async () => nginx?.stop());

  describe('serving the whole sample site', () => {
    beforeAll(() => void (dir = deploy(SITE)));
    afterAll(() => rmSync(dir, { recursive: true, force: true }));

    const markdownType =
      'types { text/html html; application/javascript js; application/json json; text/plain txt; text/markdown md; }';
    const healthy: readonly [string, NginxOptions, Fault['expected']][] = [
      ['at the root', {}, OCTET_STREAM],
      ['below a base path', { base: '/docs/' }, OCTET_STREAM],
      ['without privileges', { unprivileged: true }, OCTET_STREAM],
      ['with a type for Markdown', { configuration: markdownType }, {}],
    ];
    it.each(healthy)('%s: healthy', async (_, options, outcomes) => {
      const healthyRow = row('healthy', {}, outcomes);
      expect(told(await runRow(healthyRow, await start(options)))).toEqual(expected(healthyRow));
    });

    it('and stopped: refused', async () => {
      const url = await start();
      await nginx?.stop();
      const stopped = row('stopped', {}, all(fail('refused')));
      expect(told(await checkRow(stopped, url))).toEqual(expected(stopped));
    });
  });

  describe('serving a deployment with one fault', () => {
    beforeEach(() => void (dir = deploy()));
    afterEach(() => rmSync(dir, { recursive: true, force: true }));

    it.each(DEPLOYMENTS)('$row.name', async (deployment) => {
      deployment.change(dir);
      expect(told(await checkRow(deployment.row, await start()))).toEqual(expected(deployment.row));
    });
  });
});
