/**
 * What `docvitals hosting` prints, on a real host: `check --full --strict` passes, or the output names the findings. More
 * hosts are in `checked.long.test.ts`.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCli } from '../cli/run.ts';
import { certificate } from '../faults/certificates.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { freePort } from '../hosts/port.ts';
import { expectHealthy, expectNamedFindings, expectServed, reported } from './checked.ts';
import { HOSTS, printed } from './printed.ts';
import { HEALTHY_SITE, writeSite } from './site.ts';

describe('what docvitals hosting prints', () => {
  it.each(HOSTS)('passes on %s', (host) => expectHealthy(host));

  it('names what is reported of the documented rules on Vercel', () => expectNamedFindings('vercel'));

  it.runIf(nginxWanted())('passes as a snippet in the server block of another site', async () => {
    const { files } = await printed(['nginx', '--snippet', '--base', '/docs/']);
    const other = String.raw`
      root /nowhere;
      add_header Cache-Control "max-age=60";
      location ~* \.(md|json|png)$ { return 410; }
      location / { return 404; }`;
    const { root, site } = writeSite('/', HEALTHY_SITE);
    onTestFinished(() => rmSync(root, { recursive: true }));
    const nginx = await startNginx(site, {
      base: '/docs/',
      block: `server {\nlisten 80;\n${other}\n${files[0]?.text ?? ''}\n}\n`,
    });
    onTestFinished(() => nginx.stop());
    expect(await reported([nginx.url, '--host', 'server'])).toEqual({ status: 0, findings: [] });
    const { status, headers } = await fetch(nginx.url.slice(0, -1), { redirect: 'manual' });
    expect([status, new URL(headers.get('location') ?? '', nginx.url).href]).toEqual([301, nginx.url]);
  });

  it.runIf(nginxWanted())('takes the server name and TLS from the URL', async () => {
    const [port, plain] = await Promise.all([freePort(), freePort()]);
    const { server, trustFile = '' } = await certificate('good');
    const { files } = await printed(['nginx', '--url', `https://localhost:${port}/docs/`]);
    const { root, site } = writeSite('/', HEALTHY_SITE);
    onTestFinished(() => {
      rmSync(root, { recursive: true });
      rmSync(dirname(trustFile), { recursive: true });
    });
    writeFileSync(join(root, 'key.pem'), server.key as string);
    writeFileSync(join(root, 'cert.pem'), server.cert as string);
    const block = (files[0]?.text ?? '')
      .replace(`listen ${port} ssl;`, `listen 127.0.0.1:${port} ssl;`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replace('/etc/letsencrypt/live/localhost/fullchain.pem', join(root, 'cert.pem'))
      .replace('/etc/letsencrypt/live/localhost/privkey.pem', join(root, 'key.pem'));
    expect(block.match(/server_name localhost;/g)).toHaveLength(2);
    expect(block).toContain('--url http://localhost/docs/ instead');
    const nginx = await startNginx(site, { base: '/docs/', block, port });
    onTestFinished(() => nginx.stop());
    const url = `https://localhost:${port}/docs/`;
    const trusting = { env: { NODE_EXTRA_CA_CERTS: trustFile } };
    const result = await reported([url, '--host', 'server'], (args) => runCli(args, trusting));
    expect(result).toEqual({ status: 0, findings: [] });
    const redirect = await fetch(`http://127.0.0.1:${plain}/docs/index.md`, {
      redirect: 'manual',
      headers: { host: 'localhost' },
    });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      301,
      `https://127.0.0.1:${port}/docs/index.md`,
    ]);
  });
});

describe('docvitals serve', () => {
  it('passes as a host like Cloudflare', () => expectServed('cloudflare', 'improved'));

  it('has the findings of nginx with the documented rules', () => expectServed('nginx', 'documented'));
});
