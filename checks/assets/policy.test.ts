import { describe, expect, it } from 'vitest';
import { blockedByPolicy, type Needs } from './policy.ts';

const PAGE = new URL('https://docs.example/manual/');
const CDN = 'https://cdn.example/npm/docsify@4';

const blocked = (policies: string | readonly string[], needs: Partial<Needs> = {}) =>
  blockedByPolicy([policies].flat(), PAGE, {
    scripts: [],
    inline: false,
    fetched: new URL('config.json', PAGE),
    ...needs,
  });
const scripts = (...urls: readonly string[]): Partial<Needs> => ({ scripts: urls.map((url) => new URL(url, PAGE)) });

describe('a policy', () => {
  it.each<[policy: string, needs: Partial<Needs>]>([
    ['', { inline: true, ...scripts('app.js', CDN) }],
    ['upgrade-insecure-requests; img-src data:', { inline: true, ...scripts(CDN) }],
    ["default-src 'self'", scripts('app.js')],
    ["default-src 'self' 'unsafe-inline'", { inline: true }],
    ["script-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='", { inline: true }],
    ["script-src 'nonce-abc' 'strict-dynamic'; connect-src 'self'", { inline: true, ...scripts(CDN) }],
    ["script-src 'self' https://cdn.example", scripts('app.js', CDN)],
    ["script-src 'none'; script-src-elem https:", scripts(CDN)],
    ['script-src *.example', scripts(CDN)],
    ['script-src http://cdn.example:443/npm/', scripts(CDN)],
    ["script-src cdn.example/npm/docsify@4; connect-src 'SELF'", scripts(CDN)],
    ["script-src 'none'; connect-src *", {}],
    ['connect-src https://docs.example:*', {}],
  ])('allows: %s', (policy, needs) => {
    expect(blocked(policy, needs)).toBeNull();
  });

  const config = 'https://docs.example/manual/config.json';

  it.each<[policy: string | readonly string[], needs: Partial<Needs>, directive: string, what: object]>([
    ["default-src 'none'", {}, 'default-src', { url: config }],
    ["default-src 'self'; connect-src https://api.example", {}, 'connect-src', { url: config }],
    ['connect-src http://docs.example:8080', {}, 'connect-src', { url: config }],
    ['connect-src', {}, 'connect-src', { url: config }],
    [["default-src 'self'", "connect-src 'none'"], {}, 'connect-src', { url: config }],
    ["default-src 'self', connect-src 'none'", {}, 'connect-src', { url: config }],
    ["default-src 'self'", { inline: true }, 'default-src', { element: '<script>' }],
    ["script-src 'self'", scripts('app.js', CDN), 'script-src', { url: CDN }],
    ["script-src 'unsafe-inline'", scripts('app.js'), 'script-src', { url: 'https://docs.example/manual/app.js' }],
    ['script-src cdn.example/other/', scripts(CDN), 'script-src', { url: CDN }],
    ['script-src *.cdn.example', scripts(CDN), 'script-src', { url: CDN }],
    ["script-src *; script-src-elem 'self'", scripts(CDN), 'script-src-elem', { url: CDN }],
  ])('blocks: %s', (policy, needs, directive, what) => {
    expect(blocked(policy, needs)).toMatchObject({ directive, ...what });
  });
});
