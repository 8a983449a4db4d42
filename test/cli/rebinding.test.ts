/** The built command where the name of a site leads elsewhere when it is resolved again. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { MEDIA_TYPES } from '../site/host.ts';
import { sampleSite } from '../site/sample.ts';
import { runCli } from './run.ts';

/** An address of this machine that is not loopback; empty: it has none. */
const NETWORK =
  Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.internal === false && one.family === 'IPv4')?.address ?? '';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A healthy site at an address, and the paths that it was asked for. */
async function siteAt(address: string, port = 0) {
  const files = sampleSite();
  const asked: string[] = [];
  const server = createServer(({ url = '/' }, response) => {
    asked.push(url);
    const body = files.get(url.slice(1));
    const type = MEDIA_TYPES[url.split('.').at(-1) ?? ''] ?? 'text/plain';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(port, address, resolve);
  });
  return { asked, port: (server.address() as AddressInfo).port };
}

/** A module that resolves every name to these addresses in turn, and then always to the last. */
const resolving = (turns: readonly (readonly string[])[]): string => `
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
const turns = ${JSON.stringify(turns)};
dns.lookup = async () => (turns.length > 1 ? turns.shift() : turns[0]).map((address) => ({ address, family: 4 }));
syncBuiltinESMExports();
`;

describe.runIf(NETWORK !== '')('a site on the network', () => {
  it.each([
    ['when it is resolved again', true, [[NETWORK], ['127.0.0.1']]],
    ['beside its address, from then on', false, [[NETWORK], ['127.0.0.1', NETWORK]]],
    ['beside its address, from the first time', false, [['127.0.0.1', NETWORK]]],
  ])('does not lead to this machine %s', async (_, isBlocked, turns) => {
    const site = await siteAt(NETWORK);
    const inside = await siteAt('127.0.0.1', site.port);
    const { stdout } = await runCli(['check', `http://docs.example.com:${site.port}/`, '--retries', '0'], {
      preload: resolving(turns),
    });
    expect(inside.asked).toEqual([]);
    expect(site.asked.length).toBeGreaterThan(0);
    expect(stdout.includes('blocked-address')).toBe(isBlocked);
  });
});

it('is checked where it has always been: on this machine', async () => {
  const site = await siteAt('127.0.0.1');
  const { status } = await runCli(['check', `http://docs.example.com:${site.port}/`], {
    preload: resolving([['127.0.0.1']]),
  });
  expect(status).toBe(0);
});
