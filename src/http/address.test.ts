import { describe, expect, it } from 'vitest';
import { scopeGuard } from './address.ts';

const refuses = (site: string, url: string, addresses: readonly (string | null)[] = [null]): boolean => {
  try {
    scopeGuard(new URL(site))(new URL(url), addresses);
    return false;
  } catch {
    return true;
  }
};

describe('scopeGuard, where a proxy resolves names', () => {
  it.each([
    ['http://localhost:5173/a.js', true],
    ['http://app.localhost/a.js', true],
    ['http://127.0.0.1/a.js', true],
    ['http://[::1]/a.js', true],
    ['http://169.254.169.254/latest/meta-data/', true],
    // Of the network that the proxy is for, perhaps.
    ['http://10.0.0.5/a.js', false],
    ['https://cdn.example.net/a.js', false],
    ['https://docs.example.com/a.js', false],
  ])('%s, named by a public site: refused: %s', (url, expected) => {
    expect(refuses('https://docs.example.com/', url)).toBe(expected);
  });

  it('lets a site of that machine name others of it', () => {
    expect(refuses('http://localhost:4173/', 'http://127.0.0.1:5173/a.js')).toBe(false);
    expect(refuses('http://127.0.0.1:4173/', 'http://127.0.0.1:5173/a.js')).toBe(false);
  });

  it('goes by the address where it is known', () => {
    expect(refuses('https://docs.example.com/', 'https://cdn.example.net/a.js', ['192.168.0.1'])).toBe(true);
    expect(refuses('https://docs.example.com/', 'https://cdn.example.net/a.js', ['93.184.216.34'])).toBe(false);
  });
});
