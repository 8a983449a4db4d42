import { describe, expect, it } from 'vitest';
import { noReply, reply } from '../../test/answers.ts';
import { hostRecords } from './host-record.ts';

const HOST = new URL('https://docs.example/a');
const failure = noReply('headers-timeout');
const busy = reply('', { status: 503 });

function record(clock = () => 0) {
  return hostRecords(clock).of(HOST);
}

describe('what is known of a host', () => {
  it('is one for all paths of an origin, and for no other', () => {
    const hosts = hostRecords(() => 0);
    expect(hosts.of(new URL('/b', HOST))).toBe(hosts.of(HOST));
    expect(hosts.of(new URL('https://docs.example:444/a'))).not.toBe(hosts.of(HOST));
  });

  it('says after fifteen failures that it only fails, and why nothing comes', () => {
    const host = record();
    for (let count = 1; count < 15; count++) host.record(failure);
    expect([host.onlyFails(), host.givenUp()]).toEqual([false, null]);
    host.record(failure);
    expect([host.onlyFails(), host.givenUp()]).toEqual([true, failure]);
  });

  it('does not say what the response to another request would be', () => {
    const host = record();
    for (let count = 0; count < 15; count++) host.record(busy);
    expect([host.onlyFails(), host.givenUp()]).toEqual([true, null]);
  });

  it.each([
    ['a page', reply('# Home')],
    ['a missing file', reply('', { status: 404 })],
  ])('never says so of a host that answered once: %s', (_, good) => {
    const host = record();
    host.record(good);
    for (let count = 0; count < 20; count++) host.record(failure);
    expect([host.onlyFails(), host.givenUp()]).toEqual([false, null]);
  });
});

describe('Retry-After', () => {
  it('is waited for by all that are refused before its end, and not again', () => {
    let now = 0;
    const host = record(() => now);
    expect(host.granted(10_000)).toBe(10_000);
    now = 9_999;
    expect(host.granted(4_000)).toBe(4_000);
    now = 10_000;
    expect(host.granted(10_000)).toBe(0);
    host.record(busy);
    expect(host.granted(10_000)).toBe(0);
  });

  it('is waited for again by a host that has answered well since', () => {
    let now = 0;
    const host = record(() => now);
    host.granted(1_000);
    now = 2_000;
    host.record(reply('# Home'));
    expect(host.granted(1_000)).toBe(1_000);
  });

  it('of no time is not waited for', () => {
    const host = record();
    expect([host.granted(0), host.granted(5)]).toEqual([0, 5]);
  });
});
