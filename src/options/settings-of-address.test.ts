import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { messagesIn } from '../locales/messages.ts';
import { settingsOfAddress, unappliedLine } from './settings-of-address.ts';
import { loadSettings } from './settings.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-address-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The settings that a configuration has for an address. */
async function settingsFor(configuration: object, address: string | undefined, env: NodeJS.ProcessEnv = {}) {
  const file = path.join(folder, 'docvitals.json');
  writeFileSync(file, JSON.stringify(configuration));
  const flags = { config: file };
  return settingsOfAddress(await loadSettings(flags, env), address, { flags, env });
}

const HEADERS = { 'X-Key': 'secret' };
const FILE = { url: 'https://docs.example/', headers: HEADERS, strict: true };
const SITES = {
  sites: [
    { id: 'root', url: 'https://docs.example/', headers: { 'X-Site': 'root' } },
    {
      id: 'guide',
      url: 'https://docs.example/guide/',
      headers: { 'X-Site': 'guide' },
      headersFor: ['https://*.guide.example'],
    },
  ],
};

describe('the settings of the file', () => {
  it.each([undefined, 'https://docs.example/', 'https://docs.example/any/page', 'not an address'])(
    'apply to %s',
    async (address) => {
      const { config, unapplied } = await settingsFor(FILE, address);
      expect([config.headers, config.strict, unapplied]).toEqual([HEADERS, true, null]);
    },
  );

  it.each([
    'http://docs.example/',
    'https://docs.example:8443/',
    'https://docs.example.evil.example/',
    'https://other.example/',
  ])('do not apply to %s', async (address) => {
    const { config, unapplied } = await settingsFor(FILE, address);
    expect([config.headers, config.strict]).toEqual([{}, false]);
    expect(unapplied).toMatchObject({ address: new URL(address).origin, keys: ['headers', 'strict'] });
  });

  it('apply to what headersFor names, with https and the port of the pattern only', async () => {
    const configuration = { ...FILE, headersFor: ['https://cdn.example', 'https://*.preview.example:8443'] };
    const isApplied = async (address: string): Promise<boolean> =>
      (await settingsFor(configuration, address)).unapplied === null;
    for (const address of ['https://cdn.example/x/', 'https://a.preview.example:8443/'])
      expect([address, await isApplied(address)]).toEqual([address, true]);
    for (const address of [
      'http://cdn.example/',
      'https://cdn.example:8443/',
      'https://a.cdn.example/',
      'https://a.preview.example/',
      'https://preview.example:8443/',
      'https://a.b.preview.example:8443/',
    ])
      expect([address, await isApplied(address)]).toEqual([address, false]);
  });

  it('lose the headers alone where the file names no address', async () => {
    const { config, unapplied } = await settingsFor({ headers: HEADERS, strict: true }, 'https://docs.example/');
    expect([config.headers, config.strict]).toEqual([{}, true]);
    expect(unapplied).toEqual({ address: 'https://docs.example', keys: ['headers'], named: 'none' });
  });

  it('stay whole where there is nothing to lose', async () => {
    const { unapplied } = await settingsFor({ url: 'https://docs.example/' }, 'https://other.example/');
    expect(unapplied).toBeNull();
  });
});

describe('the settings of a site', () => {
  it.each([
    ['https://docs.example/', 'root'],
    ['https://docs.example/guides', 'root'],
    ['https://docs.example/guide/setup/', 'guide'],
    ['https://en.guide.example/', 'guide'],
  ])('apply to %s: %s', async (address, site) => {
    const { config, unapplied } = await settingsFor(SITES, address);
    expect([config.headers, unapplied]).toEqual([{ 'X-Site': site }, null]);
  });

  it('have the variables of that site filled in', async () => {
    const sites = [
      { id: 'a', url: 'https://a.example/', headers: { 'X-Key': '${KEY_A}' } },
      { id: 'b', url: 'https://b.example/', headers: { 'X-Key': '${KEY_B}' } },
    ];
    const { config } = await settingsFor({ sites }, 'https://b.example/', { KEY_B: 'b' });
    expect([config.url, config.headers]).toEqual(['https://b.example/', { 'X-Key': 'b' }]);
    await expect(settingsFor({ sites }, 'https://a.example/', { KEY_B: 'b' })).rejects.toThrow('configuration');
  });
});

describe('unappliedLine', () => {
  const line = async (configuration: object, address: string) =>
    unappliedLine(await settingsFor(configuration, address), messagesIn('en'));

  it('reports the address and the settings that do not apply', async () => {
    expect(await line(FILE, 'https://docs.example/')).toBeNull();
    const reported = await line(FILE, 'http://docs.example/');
    for (const part of ['docvitals.json', 'http://docs.example', 'headers', 'strict']) expect(reported).toContain(part);
  });
});
