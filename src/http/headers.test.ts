import { describe, expect, it } from 'vitest';
import type { GetRequest } from '../core/answer.ts';
import type { HttpOptions } from './get.ts';
import { authorization, decodedPart, readHeaders, requestHeaders } from './headers.ts';

describe('readHeaders', () => {
  const headers = readHeaders(['ETag', ' "a" ', Buffer.from('x-Name'), Buffer.from([0xe9]), 'etag', '"b"', 'odd']);

  it('reads names without regard to case, and each value', () => {
    expect([headers.get('Etag'), headers.all('ETAG'), headers.names()]).toEqual([
      '"a", "b"',
      ['"a"', '"b"'],
      ['etag', 'x-name'],
    ]);
  });

  it('reads bytes as Latin-1', () => {
    expect(headers.get('x-name')).toBe('é');
  });

  it('has nothing of a header that was not sent', () => {
    expect([headers.get('odd'), headers.all('server'), headers.get('server')]).toEqual([null, [], null]);
  });
});

describe('requestHeaders', () => {
  const site = new URL('https://user:p%40ss@docs.example/');
  const sent = (url: string, request: Partial<GetRequest> = {}, proxy: string | null = null) =>
    requestHeaders(
      new URL(url),
      proxy === null ? null : new URL(proxy),
      { url: new URL(url), accept: '*/*', ...request },
      { site, headers: { 'X-Key': 'secret' }, userAgent: 'docvitals/test' } as unknown as HttpOptions,
    );
  const COMMON = { 'user-agent': 'docvitals/test', accept: '*/*', 'accept-encoding': 'gzip, br' };
  const SECRETS = { authorization: `Basic ${btoa('user:p@ss')}`, 'x-key': 'secret' };

  it('sends secrets to the origin of the site only', () => {
    expect(sent('https://docs.example/a.md')).toEqual({ ...COMMON, ...SECRETS });
    for (const other of ['http://docs.example/', 'https://docs.example:8443/', 'https://cdn.example/'])
      expect(sent(other)).toEqual(COMMON);
  });

  it('sends no Accept for an empty one', () => {
    expect(sent('https://cdn.example/', { accept: '' })).not.toHaveProperty('accept');
  });

  it('sends the headers of a check, but none that frame the message or are secret', () => {
    const headers = { Range: 'bytes=0-1', Host: 'x', Cookie: 'x', Connection: 'x', 'Accept-Encoding': 'identity' };
    const expected = { ...COMMON, range: 'bytes=0-1', 'accept-encoding': 'identity' };
    expect(sent('https://cdn.example/', { headers })).toEqual(expected);
  });

  it('sends the credentials of a proxy where the request is not tunnelled', () => {
    const proxy = 'http://me:key@proxy.example:3128';
    expect(sent('http://cdn.example/', {}, proxy)).toEqual({
      ...COMMON,
      'proxy-authorization': `Basic ${btoa('me:key')}`,
    });
    expect(sent('https://cdn.example/', {}, proxy)).toEqual(COMMON);
  });
});

describe('credentials of a URL', () => {
  it.each([
    ['https://docs.example/', null],
    ['https://user@docs.example/', 'user:'],
    ['https://:key@docs.example/', ':key'],
    ['https://us%C3%A9r:50%@docs.example/', 'usér:50%'],
  ])('%s', (url, userinfo) => {
    const expected = userinfo === null ? null : `Basic ${Buffer.from(userinfo).toString('base64')}`;
    expect(authorization(new URL(url))).toBe(expected);
  });

  it('keep a lone percent sign', () => {
    expect(['a%20b', '100%'].map(decodedPart)).toEqual(['a b', '100%']);
  });
});
