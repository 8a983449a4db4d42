import { describe, expect, it } from 'vitest';
import { hostConfiguration, nginxConfiguration } from './configuration.ts';
import type { ConfigurationRequest } from './rules.ts';

const request = (rest: Partial<ConfigurationRequest>): ConfigurationRequest => ({
  kind: 'server',
  base: '/',
  improved: true,
  ...rest,
});

const textOf = (name: string, rest: Partial<ConfigurationRequest>): string | undefined =>
  hostConfiguration(request(rest)).files.find((file) => file.name === name)?.text;

describe('the files of a host', () => {
  it.each<readonly [name: string, rest: Partial<ConfigurationRequest>, files: readonly string[], notes: string | null]>(
    [
      ['a server', {}, ['docs.conf'], null],
      ['a platform', { kind: 'platform' }, ['vercel.json'], 'vercel.notes.md'],
      ['Netlify', { kind: 'platform', product: 'netlify' }, ['netlify.toml', 'netlify/edge-functions/docs.js'], null],
      ['a worker', { kind: 'worker' }, ['worker.js', 'wrangler.jsonc'], null],
      [
        'a worker, as documented',
        { kind: 'worker', improved: false },
        ['worker.js', 'wrangler.jsonc', 'public/_redirects'],
        null,
      ],
    ],
  )('%s', (_, rest, files, notes) => {
    const made = hostConfiguration(request(rest));
    expect([made.files.map(({ name }) => name), made.notes?.name ?? null]).toEqual([files, notes]);
    for (const { text } of [...made.files, ...(made.notes === null ? [] : [made.notes])]) {
      expect(text).not.toMatch(/@\{/);
    }
  });
});

describe('the configuration of nginx', () => {
  const server = (url: string | null, base = '/'): string =>
    nginxConfiguration({ kind: 'server', base, improved: true, url: url === null ? null : new URL(url) });
  const listened = (url: string | null): readonly string[] =>
    server(url).match(/^ *(?:listen|server_name) .*;/gm) ?? [];

  it.each([
    ['without an address', null, ['    listen 80;']],
    ['of a site on HTTP', 'http://docs.example/', ['    listen 80;', '    server_name docs.example;']],
    ['of a port', 'http://docs.example:8080/', ['    listen 8080;', '    server_name docs.example;']],
    [
      'of a site on HTTPS',
      'https://docs.example/',
      ['    listen 80;', '    server_name docs.example;', '    listen 443 ssl;', '    server_name docs.example;'],
    ],
    ['of an IPv6 address', 'http://[::1]/', ['    listen [::]:80;', '    server_name [::1];']],
    ['of a host that would have to be escaped', "http://a'b/", ['    listen 80;']],
  ])('%s listens where it is requested', (_, url, lines) => {
    expect(listened(url)).toEqual(lines);
  });

  it('redirects to HTTPS on the port of the site', () => {
    expect(server('https://docs.example/')).toContain('return 301 https://$host$request_uri;');
    expect(server('https://docs.example:8443/')).toContain('return 301 https://$host:8443$request_uri;');
    expect(server('http://docs.example/')).not.toContain('return 301 https:');
  });

  it('sends Strict-Transport-Security only with TLS', () => {
    const isSent = (url: string): boolean => server(url).includes('Strict-Transport-Security');
    expect([isSent('https://docs.example/'), isSent('http://docs.example/')]).toEqual([true, false]);
  });

  it('names the folder of a site below the root', () => {
    expect(server(null, '/docs/')).toContain('The site itself is below it, in /var/www/docs/docs.');
    expect(server(null)).not.toContain('below it');
  });
});

describe('the deployed folder', () => {
  it.each([
    [{}, '"./public"', 'The deployed files.\n'],
    [{ folder: 'site' }, '"./site"', 'The deployed files.\n'],
    [{ base: '/docs/' }, '"./public"', 'The deployed files; the site itself is below it, in public/docs/.\n'],
    [
      { base: '/docs/', folder: 'site' },
      '"./site"',
      'The deployed files; the site itself is below it, in "site/docs/".\n',
    ],
  ])('of a worker: %j', (rest, directory, comment) => {
    const settings = textOf('wrangler.jsonc', { kind: 'worker', ...rest });
    expect(settings).toContain(`"directory": ${directory},`);
    expect(settings).toContain(comment);
  });

  it.each([
    [{}, '"public"'],
    [{ folder: '' }, '"."'],
    [{ folder: 'site' }, '"site"'],
  ])('of Netlify: %j', (rest, publish) => {
    const settings = textOf('netlify.toml', { kind: 'platform', product: 'netlify', ...rest });
    expect(settings).toContain(`publish = ${publish}\n`);
  });

  it.each([
    [{}, undefined],
    [{ folder: '' }, undefined],
    [{ folder: 'site' }, 'site'],
  ])('of Vercel: %j', (rest, outputDirectory) => {
    const settings = JSON.parse(textOf('vercel.json', { kind: 'platform', ...rest }) ?? '') as object;
    expect((settings as Record<string, unknown>)['outputDirectory']).toBe(outputDirectory);
  });
});
