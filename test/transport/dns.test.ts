import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ask, noReplyOf, replyOf } from './client.ts';
import { nameServer } from './name-server.ts';

describe('a name server that', () => {
  it.each([
    ['does not know the name', 'nxdomain', 'dns-not-found'],
    ['cannot tell', 'servfail', 'dns-temporary'],
    ['is silent', 'silent', 'dns-timeout'],
  ] as const)('%s', async (_name, way, reason) => {
    const names = await nameServer(way);
    try {
      const answer = noReplyOf(await ask('http://docs.test/', { resolver: names.resolver, timeoutMs: 700 }));
      expect(answer.reason).toBe(reason);
      expect(answer.timings.connectMs).toBeNull();
    } finally {
      names.close();
    }
  });

  it('knows the name', async () => {
    const names = await nameServer('ok');
    const server = createServer((_request, response) => response.end('here')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const answer = replyOf(await ask(`http://docs.test:${port}/`, { resolver: names.resolver }));
      expect(Buffer.from(answer.body).toString()).toBe('here');
      expect(answer.address).toBe('127.0.0.1');
      expect(answer.timings.dnsMs).not.toBeNull();
    } finally {
      names.close();
      server.close();
    }
  });
});
