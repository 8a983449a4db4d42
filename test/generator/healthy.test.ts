import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploymentOf } from './deploy.ts';
import { expectHealthy, KINDS, ROWS } from './healthy.ts';
import { CAUSED_BY_PLAIN_RULES, plainRules } from './host-rules.ts';
import { checkDeployment, trouble } from './run.ts';
import { openServer, type SiteServer } from './serve.ts';

let server: SiteServer;
beforeAll(async () => {
  server = await openServer();
});
afterAll(async () => server.close());

describe('healthy sites', () => {
  // Each shape on one kind of host; healthy.long.test.ts has all combinations.
  it.each(ROWS.filter((_, index) => index % KINDS.length === Math.floor(index / KINDS.length) % KINDS.length))(
    '$name on a $kind, seed $seed: every page is asked for, no decoy is, nothing is wrong',
    async (row) => {
      await expectHealthy(server, row);
    },
  );
});

describe('hosts that follow SPEC to the letter', () => {
  it.each(KINDS)('%s', async (kind) => {
    const options = { seed: 1, pages: 14, depth: 2, languages: ['en', 'ro'], base: '/docs/' } as const;
    const deployment = deploymentOf(kind, { ...options, origin: server.origin });
    deployment.rules = plainRules(kind);
    expect(trouble(await checkDeployment(deployment, server))).toEqual(CAUSED_BY_PLAIN_RULES[kind]);
  });
});
