import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './load.ts';

const env = { TOKEN: 'c0rrect-h0rse', HOST: 'docs.example.org' };
const known = {
  builtIn: { bundle: [], config: [], navigation: ['no-links'], home: [], 'llms-txt': [] },
  own: ['too-slow'],
  full: [],
};

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-whole-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

const write = (name: string, text: string | Uint8Array) => writeFile(path.join(cwd, name), text);

describe('a whole file', () => {
  const YAML = `# yaml-language-server: $schema=https://cdn.jsdelivr.net/npm/docvitals@0/dist/schema/config.json
url: https://user:\${TOKEN}@\${HOST}/docs/
language: ro
only: [bundle, release-notes]
skip: [home]
versionFrom: /build.json#/git/commit
strict: true
browser: { enabled: true, address: 'ws://127.0.0.1:9222/\${TOKEN}', routes: all, slow: 2s, sandbox: false }
limits: { timeout: 1.5s, deadline: 2m, retries: 0, body: 512KiB, parse: 250ms }
headers:
  Authorization: Bearer \${TOKEN}
  __proto__: $$5
headersFor: ['https://*.\${HOST}:8443/']
rules:
  navigation/no-links: off
  release-notes/too-slow: warning
resolve:
  - Docs.Example.org:443:[2001:db8::1],192.0.2.1
checks:
  - id: release-notes
    title: Release notes
    path: /releases/latest.json
    accept: application/json
    expect:
      status: 200
      mediaType: [Application/JSON; charset=utf-8, text/json]
      json:
        schema: { type: object, required: [version] }
      contains: version
      notContains: [TODO, FIXME]
      headers:
        Cache-Control: /no-(cache|store)/i
        X-Frame-Options: DENY
      maxDuration: 2s
    fix:
      en: Publish the release notes.
      fr: Publiez les notes de version.
  - { id: raw, title: Raw, path: "/a:b.md", expect: { json: true, markdown: true }, fix: Do it. }
  - { id: bare, title: Bare, path: logo.svg }
`;

  it('takes the statuses of checks for the severities of rules', async () => {
    const rules = '{ navigation/no-links: warn, notes/too-slow: fail }';
    await write(
      'docvitals.yaml',
      `checks: [{ id: notes, title: Notes, path: notes.md }]\nrules: ${rules}\nsites: [{ id: a, url: https://a.example/, rules: ${rules} }]\nmonitor: { probe: { modules: { m: { rules: ${rules} } } } }`,
    );
    const { config, hints } = await loadConfig({ cwd, env, known });
    const { sites, probe } = config.monitor;
    for (const read of [config.rules, sites[0]?.checking.rules, probe.modules.get('m')?.checking.rules]) {
      expect(Object.fromEntries(read ?? [])).toEqual({ 'navigation/no-links': 'warning', 'notes/too-slow': 'error' });
    }
    expect(hints.map(({ line, column, expected }) => ({ line, column, expected }))).toEqual([
      { line: 2, column: 31, expected: { kind: 'read-as', word: 'warn', meant: 'warning', more: 2 } },
      { line: 2, column: 53, expected: { kind: 'read-as', word: 'fail', meant: 'error', more: 2 } },
    ]);
  });

  it('is normalised', async () => {
    await write('docvitals.yaml', YAML);
    const loaded = await loadConfig({ cwd, env, known });
    const { checks, headers, monitor, ...rest } = loaded.config;
    expect(rest).toEqual({
      url: 'https://user:c0rrect-h0rse@docs.example.org/docs/',
      language: 'ro',
      only: ['bundle', 'release-notes'],
      skip: ['home'],
      full: false,
      external: false,
      host: null,
      negotiation: null,
      engine: null,
      source: null,
      versionFrom: { path: 'build.json', pick: { pointer: '/git/commit' } },
      strict: true,
      browser: {
        enabled: true,
        path: null,
        address: 'ws://127.0.0.1:9222/c0rrect-h0rse',
        routes: Infinity,
        slowMs: 2_000,
        sandbox: false,
      },
      limits: { timeoutMs: 1500, deadlineMs: 120_000, retries: 0, bodyBytes: 524_288, parseMs: 250 },
      rules: new Map([
        ['navigation/no-links', 'off'],
        ['release-notes/too-slow', 'warning'],
      ]),
      resolve: [{ host: 'docs.example.org', port: 443, addresses: ['2001:db8::1', '192.0.2.1'] }],
      headersFor: [{ host: 'docs.example.org', port: '8443', isWildcard: true }],
    });
    // What the file says is about its one site, which is watched as well.
    const { url, ...checking } = loaded.config;
    expect(monitor.sites).toMatchObject([
      { id: 'docs-example-org', url, checking: { source: checking.source, headers } },
    ]);
    expect(Object.entries(headers)).toEqual([
      ['Authorization', 'Bearer c0rrect-h0rse'],
      ['__proto__', '$5'],
    ]);
    const [first, ...others] = checks;
    expect(first).toEqual({
      id: 'release-notes',
      title: 'Release notes',
      path: 'releases/latest.json',
      accept: 'application/json',
      expect: {
        status: [200],
        mediaTypes: ['application/json', 'text/json'],
        json: { schema: expect.any(Function) as unknown },
        markdown: false,
        contains: ['version'],
        notContains: ['TODO', 'FIXME'],
        headers: [
          { name: 'Cache-Control', value: /no-(cache|store)/i },
          { name: 'X-Frame-Options', value: 'DENY' },
        ],
        maxDurationMs: 2000,
      },
      fix: { en: 'Publish the release notes.', ro: 'Publish the release notes.', fr: 'Publiez les notes de version.' },
    });
    expect(first?.expect.json?.schema?.({}, true)).toEqual([
      { path: '', keyword: 'required', params: { missingProperty: 'version' } },
    ]);
    const nothing = {
      status: [200],
      mediaTypes: [],
      json: null,
      markdown: false,
      contains: [],
      notContains: [],
      headers: [],
      maxDurationMs: null,
    };
    expect(others).toEqual([
      {
        id: 'raw',
        title: 'Raw',
        path: './a:b.md',
        accept: '*/*',
        expect: { ...nothing, json: { schema: null }, markdown: true },
        fix: { en: 'Do it.', ro: 'Do it.', fr: 'Do it.' },
      },
      { id: 'bare', title: 'Bare', path: 'logo.svg', accept: '*/*', expect: nothing, fix: null },
    ]);
  });

  it('shares anchors', async () => {
    await write('docvitals.yaml', 'only: &ids [bundle]\nskip: *ids\n');
    expect(await loadConfig({ cwd, env, known })).toMatchObject({
      config: { only: ['bundle'], skip: ['bundle'] },
    });
  });
});
