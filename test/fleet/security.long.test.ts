/** A location that is added later, and how the server of a fleet's database proves who it is. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresWanted } from '../hosts/postgres.ts';
import { listen } from '../site/host.ts';
import { SECRET, startFleet, until, type Fleet } from './fleet.ts';

describe.runIf(postgresWanted())('the roles of docvitals example postgres-roles', { timeout: 60_000 }, () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await startFleet();
    await fleet.coordinator();
    await fleet.runner('paris');
    await until(
      'the site was checked',
      async () => (await fleet.sql('SELECT 1 FROM docvitals.run LIMIT 1')).length === 1,
    );
  }, 60_000);
  afterAll(() => fleet.stop());

  it('are enough for a location that is new', async () => {
    const locations = ['paris', 'bucharest', 'virginia', 'tokyo'].map((id) => ({ id }));
    fleet.configure({ monitor: { locations } });
    // The three statements of the example.
    fleet.server.psql(`INSERT INTO docvitals.location_role (role, location) VALUES ('docvitals_tokyo', 'tokyo');
      CREATE ROLE docvitals_tokyo LOGIN CONNECTION LIMIT 40 PASSWORD '${fleet.server.password}';
      GRANT USAGE ON SCHEMA docvitals TO docvitals_tokyo`);
    const coordinator = "SELECT pid FROM docvitals.member WHERE role = 'coordinator'";
    process.kill(Number((await fleet.sql(coordinator))[0]), 'SIGHUP');
    await fleet.runner('tokyo');
    const checked = "SELECT 1 FROM docvitals.run WHERE site = 'docs1@tokyo' AND verdict = 'healthy' LIMIT 1";
    await until('it is checked from there', async () => (await fleet.sql(checked)).length === 1);
    expect(fleet.printed()).not.toContain('permission denied');
  });
});

describe.runIf(postgresWanted())('TLS to the database', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-tls-'));
  const file = (name: string): string => path.join(folder, name);
  let fleet: Fleet;

  const openssl = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const authority = (name: string): void =>
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
      '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`); // prettier-ignore

  beforeAll(async () => {
    authority('authority');
    authority('another');
    writeFileSync(file('names'), 'subjectAltName=DNS:localhost');
    openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=server',
      '-keyout', 'server.key', '-out', 'server.csr'); // prettier-ignore
    openssl('x509', '-req', '-in', 'server.csr', '-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial',
      '-days', '2', '-extfile', 'names', '-out', 'server.pem'); // prettier-ignore
    chmodSync(folder, 0o755);
    chmodSync(file('server.key'), 0o600);
    if (process.getuid?.() === 0) chownSync(file('server.key'), 65_534, 65_534);
    fleet = await startFleet({
      server: { settings: ['ssl=on', `ssl_cert_file=${file('server.pem')}`, `ssl_key_file=${file('server.key')}`] },
    });
  }, 60_000);
  afterAll(async () => {
    await fleet.stop();
    rmSync(folder, { recursive: true });
  });

  const address = (role: string, host: string, certificate: string): string => {
    const url = new URL(fleet.server.url('docvitals', role));
    url.hostname = host;
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file(certificate) }).toString();
    return url.href;
  };

  it('is used by coordinators and runners where the address asks for it', async () => {
    await fleet.coordinator({ database: address('docvitals_coordinator', 'localhost', 'authority.pem') });
    await fleet.runner('paris', { database: address('docvitals_paris', 'localhost', 'authority.pem') });
    await until(
      'the site was checked',
      async () => (await fleet.sql('SELECT 1 FROM docvitals.run LIMIT 1')).length === 1,
    );
    const plain = `SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
      WHERE usename LIKE 'docvitals\\_%' AND NOT ssl`;
    expect(await fleet.sql(plain)).toEqual(['0']);
  });

  it.each([
    ['coordinator', 'localhost', 'another.pem', /certificate/],
    ['coordinator', '127.0.0.1', 'authority.pem', /altnames|IP/],
    ['coordinator', 'localhost', 'missing.pem', /ENOENT/],
    ['runner', 'localhost', 'another.pem', /certificate/],
  ])('ends %s at %s with the authority %s, with status 3', async (role, host, certificate, reason) => {
    const args = role === 'runner' ? ['runner', '--location', 'paris'] : [role];
    const DATABASE = address(role === 'runner' ? 'docvitals_paris' : 'docvitals_coordinator', host, certificate);
    const { status, stdout, stderr } = await fleet.run(args, { env: { DATABASE } });
    expect([status, stderr]).toEqual([3, expect.stringMatching(reason) as string]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stdout + stderr).not.toContain(fleet.server.password);
  });
});

describe.runIf(postgresWanted())('a runner', { timeout: 60_000 }, () => {
  it('sends the headers of a site to its origin, and not to the one that it redirects to', async () => {
    const received = new Map<string, Set<unknown>>([
      ['site', new Set()],
      ['elsewhere', new Set()],
    ]);
    const elsewhere = await listen(({ headers }, response) => {
      received.get('elsewhere')?.add(headers['x-token']);
      response.end('# Elsewhere');
    });
    const leading = await listen(({ headers, url = '/' }, response) => {
      received.get('site')?.add(headers['x-token']);
      response.writeHead(302, { location: elsewhere.url + url.slice(1) }).end();
    });
    const fleet = await startFleet({ site: { url: leading.url } });
    try {
      await fleet.coordinator();
      await fleet.runner('paris');
      await until('it was checked', () => Promise.resolve((received.get('elsewhere')?.size ?? 0) > 0));
      expect([...received].map(([, tokens]) => [...tokens])).toEqual([[SECRET], [undefined]]);
    } finally {
      await fleet.stop();
      await Promise.all([elsewhere, leading].map((host) => host.close()));
    }
  });
});
