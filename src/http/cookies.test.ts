import { describe, expect, it } from 'vitest';
import { readHeaders } from './headers.ts';
import { cookieJar } from './cookies.ts';

const URL_SET = new URL('https://docs.example/guide/index.md');

describe('a cookie', () => {
  it.each<{ name: string; lines: readonly string[]; to?: string; sent: string }>([
    { name: 'comes back', lines: ['a=1'], sent: 'a=1' },
    { name: 'may contain an equals sign', lines: ['a=b=c; Path=/; Secure; HttpOnly'], sent: 'a=b=c' },
    { name: 'has the folder as its path', lines: ['a=1'], to: '/guide/x/y.md', sent: 'a=1' },
    { name: 'stays in its folder', lines: ['a=1'], to: '/guides/x.md', sent: '' },
    { name: 'is sent to the path that it names', lines: ['a=1; path=/'], to: '/config.json', sent: 'a=1' },
    { name: 'is sent with others', lines: ['a=1', 'b=2'], sent: 'a=1; b=2' },
    { name: 'is replaced', lines: ['a=1', 'a=2'], sent: 'a=2' },
    { name: 'is deleted by its age', lines: ['a=1', 'a=; Max-Age=0'], sent: '' },
    { name: 'is deleted by its date', lines: ['a=1', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], sent: '' },
    { name: 'has a name', lines: ['=1', 'a'], sent: '' },
    { name: 'goes to no other host', lines: ['a=1; Domain=example; Path=/'], to: 'https://www.example/', sent: '' },
    { name: 'is not too long', lines: [`a=${'x'.repeat(5_000)}`], sent: '' },
  ])('$name', ({ lines, to = '/guide/index.md', sent }) => {
    const jar = cookieJar();
    jar.store(URL_SET, readHeaders(lines.flatMap((line) => ['Set-Cookie', line])));
    expect(jar.sent(new URL(to, URL_SET))).toBe(sent);
  });

  it('is news once', () => {
    const jar = cookieJar();
    const headers = readHeaders(['Set-Cookie', 'a=1']);
    expect([jar.store(URL_SET, headers), jar.store(URL_SET, headers)]).toEqual([true, false]);
  });
});
