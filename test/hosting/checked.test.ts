/** What `docvitals hosting` prints, on a real host: `check --full --strict` passes, or the output names the findings. */
import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostFile } from '../../src/hosting/configuration.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli } from '../cli/run.ts';
import { certificate } from '../faults/certificates.ts';
import { nginxWanted, startNginx } from '../hosts/nginx.ts';
import { freePort } from '../hosts/port.ts';
import { HOSTS, KIND, printed, startPrinted, type HostName } from './printed.ts';
import { HEALTHY_SITE, writeSite } from './site.ts';

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Serves a small healthy site with the software of a host; gives its base URL. */
async function start(host: HostName, base: string, files: readonly HostFile[]): Promise<string> {
  const { root, site } = writeSite('/', HEALTHY_SITE);
  const running = await startPrinted(host, base, files, site).finally(() => rmSync(root, { recursive: true }));
  stops.unshift(() => running.stop());
  return running.url;
}

async function reported(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number | null; readonly findings: readonly string[] }> {
  const { stdout, status } = await runCli(['check', ...args, '--full', '--strict', '--format', 'json'], { env });
  const report = JSON.parse(stdout) as ReportDocument;
  const findings = report.checks.flatMap(({ id, findings: own }) =>
    own.filter(({ severity }) => severity !== 'info').map(({ code }) => `${id}/${code}`),
  );
  return { status, findings: [...new Set(findings)].toSorted() };
}

/** The rules that notes on documented rules name. */
const rulesIn = (notes: string): readonly string[] =>
  [...notes.matchAll(/\b([a-z]+(?:-[a-z]+)*\/[a-z]+(?:-[a-z]+)+)(?=[`:,])/g)].map(([, rule = '']) => rule).toSorted();

describe('what docvitals hosting prints', () => {
  it.each(HOSTS)('passes on %s', async (host) => {
    const base = host === 'cloudflare' ? '/' : '/docs/';
    const { files } = await printed([host === 'netlify' ? host : KIND[host], '--base', base]);
    const url = await start(host, base, files);
    expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 0, findings: [] });
  });

  it.each(HOSTS)('names what is reported of the documented rules on %s', async (host) => {
    const { files, all } = await printed([host, '--base', 'docs', '--documented']);
    const url = await start(host, '/docs/', files);
    expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 1, findings: rulesIn(all) });
  });

  it.runIf(nginxWanted())('takes the server name and TLS from the URL', async () => {
    const [port, plain] = await Promise.all([freePort(), freePort()]);
    const { server, trustFile = '' } = await certificate('good');
    const { files } = await printed(['nginx', '--url', `https://localhost:${port}/docs/`]);
    const { root, site } = writeSite('/', HEALTHY_SITE);
    stops.push(
      () => rmSync(root, { recursive: true }),
      () => rmSync(dirname(trustFile), { recursive: true }),
    );
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
    stops.unshift(() => nginx.stop());
    const url = `https://localhost:${port}/docs/`;
    const trusting = { NODE_EXTRA_CA_CERTS: trustFile };
    expect(await reported([url, '--host', 'server'], trusting)).toEqual({ status: 0, findings: [] });
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

/** Serves a folder with the command; gives its base URL. */
async function startServe(args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onStart = (child: ChildProcess): void => {
    stops.unshift(() => void child.kill('SIGTERM'));
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/\S*(?=\s)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  };
  runCli(['serve', ...args, '--port', '0'], { onStart }).then(({ stderr }) => reject(new Error(stderr)), reject);
  return promise;
}

describe('docvitals serve', () => {
  it.each(['nginx', 'vercel', 'cloudflare'] as const)('passes as a host like %s', async (host) => {
    const { root, site } = writeSite('/', HEALTHY_SITE);
    stops.push(() => rmSync(root, { recursive: true }));
    const url = await startServe([site, '--host', KIND[host], '--base', '/docs/']);
    expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 0, findings: [] });
  });

  it.each(['nginx', 'vercel', 'cloudflare'] as const)(
    'has the findings of %s with the documented rules',
    async (host) => {
      const { all } = await printed([host, '--documented']);
      const { root, site } = writeSite('/', HEALTHY_SITE);
      stops.push(() => rmSync(root, { recursive: true }));
      const url = await startServe([site, '--host', KIND[host], '--base', '/docs/', '--documented']);
      expect(await reported([url, '--host', KIND[host]])).toEqual({ status: 1, findings: rulesIn(all) });
    },
  );
});
