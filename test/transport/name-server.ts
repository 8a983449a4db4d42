/** A DNS server on loopback that answers everything in one way, and a resolver that asks it. */
import { createSocket } from 'node:dgram';
import { Resolver as CaresResolver } from 'node:dns/promises';
import { once } from 'node:events';
import type { Resolver } from '../../src/http/connect.ts';

/** RFC 1035, section 4.1.1: response codes; `silent` answers nothing. */
const CODES = { ok: 0, servfail: 2, nxdomain: 3 } as const;

export interface NameServer {
  readonly resolver: Resolver;
  close(): void;
}

/** Starts a name server whose every name is 127.0.0.1, does not exist, cannot be reported, or is never told. */
export async function nameServer(way: keyof typeof CODES | 'silent'): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    if (way !== 'silent') socket.send(answerTo(query, CODES[way]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const cares = new CaresResolver({ timeout: 10_000, tries: 1 });
  cares.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver: async (host) => (await cares.resolve4(host)).map((address) => ({ address, family: 4 })),
    close() {
      cares.cancel();
      socket.close();
    },
  };
}

/** The query's question, with an `A` record of 127.0.0.1 behind it where the code is 0. */
function answerTo(query: Buffer, code: number): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(code === 0 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([header, query.subarray(12, questionEnd), ...(code === 0 ? [record] : [])]);
}
