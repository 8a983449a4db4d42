/**
 * A server that sends back what it was sent in confidence, wherever it can and however it is written. Whatever the built
 * command prints, writes, stores, serves or sends has no piece of it.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../src/report/formats.ts';
import { startReceiver, type Receiver } from '../alerts/receiver.ts';
import { runHere } from '../cli/run-here.ts';
import { runCli } from '../cli/run.ts';
import { makeProject, startProcess } from '../monitor/process.ts';
import { listen, type Host } from '../site/host.ts';
import { install } from './package.ts';

const TOKEN = 'Qx7vT-93kLm_Zw5RpYd8';
const PASSWORD = 'gH4$jN!cW6bE';

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As a server may write what it has received. */
const WRITTEN: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.slice(0, secret.length / 2),
  (secret) => secret.slice(secret.length / 2),
  (secret) => secret.slice(3, -3),
  (secret) => secret.toUpperCase(),
  (secret) => secret.toLowerCase(),
  encodeURIComponent,
  percent,
  (secret) => percent(secret.slice(2, -2)).toUpperCase(),
  base64,
  (secret) => base64(`user:${secret}`),
  (secret) => Buffer.from(secret).toString('base64url'),
];

/** Whether a text has a piece of a secret, in whatever way it is written. */
function leakIn(text: string): string | undefined {
  const plain = (given: string): string =>
    given.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))).toLowerCase();
  const shown = [text, plain(text), plain(plain(text))].join('\n').toLowerCase();
  return [TOKEN, PASSWORD, base64(TOKEN), base64(`me:${PASSWORD}`)]
    .flatMap((secret) => Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6).toLowerCase()))
    .find((piece) => shown.includes(piece));
}

let bin: string;
let host: Host;
let receiver: Receiver;
let folder: string;
/** How the server writes it now, and in which of its answers. */
let echo = (secret: string): string => secret;

/** Each file has it in another place: in what is wrong with it, in a link, in headers, in a redirect. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, told: string) => void>> = {
  'index.html': (response, told) =>
    response
      .writeHead(200, { 'content-type': `text/html; x=${encodeURIComponent(told)}`, etag: `"${told}"` })
      .end(`<!doctype html><title>${told}</title><script src="/${told}.js"></script>`),
  'config.json': (response, told) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{ "title": ${told}, "${told}": 1 }`),
  'navigation.md': (response, told) =>
    response
      .writeHead(200, { 'content-type': 'text/markdown' })
      .end(`- [${told}](guide/${told}.md)\n- [b](index.md)\n`),
  'index.md': (response, told) => response.writeHead(302, { location: `/login?back=${told}` }).end(),
  'llms.txt': (response, told) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>not for ${told}</p>`),
  'robots.txt': (response, told) => response.writeHead(200, { 'content-type': `text/${told}` }).end(`${told}: x\n`),
};

beforeAll(async () => {
  ({ bin } = await install('secrets'));
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-shipped-'));
  receiver = await startReceiver();
  host = await listen(({ url = '', headers }, response) => {
    const sent = `${String(headers['x-token'])} ${String(headers.authorization)}`;
    const told = [TOKEN, PASSWORD].map(echo).join('~');
    // It knows only what it was sent.
    const knows = sent.includes(TOKEN) && sent.includes(base64(`me:${PASSWORD}`));
    const answer = ANSWERS[url.split(/[?#]/, 1)[0]?.slice(1) ?? ''];
    if (!knows) response.writeHead(500).end();
    else if (answer === undefined) response.writeHead(404, told.replaceAll(/[^\w -]/g, '')).end(`no ${told} here`);
    else answer(response, told);
  });
}, 120_000);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([host.close(), receiver.stop()]);
});

const siteUrl = (): string => host.url.replace('//', `//me:${encodeURIComponent(PASSWORD)}@`);

/** Something that came out, and where. */
type Text = readonly [name: string, text: string];

/** Everything that was written below a folder, by file. */
function written(below: string): Text[] {
  return globSync('**/*', { cwd: below, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(path.join(parentPath, name), 'utf8')]);
}

it('is in no report, in no language and at no level of detail', async () => {
  for (const [at, as] of WRITTEN.entries()) {
    echo = as;
    const out = path.join(folder, `reports-${at}`);
    mkdirSync(out);
    const reports = FORMAT_NAMES.flatMap((format) => ['--report', `${format}=${path.join(out, format)}`]);
    const detail = [['--verbose'], [], ['--quiet']][at % 3] ?? [];
    const args = ['check', siteUrl(), '--header', `X-Token: ${TOKEN}`, '--full', '--retries', '0', '--lang'];
    const language = ['en', 'ro', 'fr'][at % 3] ?? 'en';
    const all = [...args, language, ...detail, ...reports];
    // The packed command once: the rest is the same code.
    const { status, stdout, stderr } = at === 0 ? await runCli(all, { bin }) : await runHere(all);
    expect([at, status, stderr]).toEqual([at, 1, '']);
    const texts: Text[] = [...written(out), ['stdout', stdout]];
    expect(texts).toHaveLength(FORMAT_NAMES.length + 1);
    expect(texts.filter(([, text]) => leakIn(text) !== undefined).map(([name]) => [at, name])).toEqual([]);
    expect(stdout).toContain('[hidden]');
  }
}, 120_000);

it('is in nothing that the monitor prints, stores, sends, publishes or serves', async () => {
  // Two ways to write it.
  echo = (secret) => [WRITTEN[1], WRITTEN[8]].map((as) => as?.(secret)).join('~');
  const project = makeProject({
    sites: [
      { id: 'docs', url: siteUrl(), headers: { 'X-Token': TOKEN }, confirm: { times: 2 }, full: { every: '1h' } },
    ],
    alerts: [{ id: 'hook', webhook: { url: `${receiver.url}/in` } }],
  });
  try {
    const monitor = await startProcess(project, ['--listen', '127.0.0.1:0'], { bin });
    const { url } = await monitor.told('monitor-started');
    await receiver.has(1);
    const paths = ['', 'sites/docs', 'api/v1/sites', 'api/v1/sites/docs', 'api/v1/incidents', 'metrics', 'feed.atom'];
    const served = paths.map(async (to): Promise<Text> => {
      const answer = await fetch(new URL(to, String(url)));
      expect([to, answer.status]).toEqual([to, 200]);
      return [to, await answer.text()];
    });
    const texts: Text[] = await Promise.all(served);
    monitor.child.kill('SIGTERM');
    const { stdout, stderr } = await monitor.ended;
    const exported = await project.run(['status', 'export', path.join(project.folder, 'page')], { bin });
    texts.push(...written(project.folder).filter(([file]) => file !== 'docvitals.json'));
    texts.push(['log', stdout + stderr], ['export', exported.stdout + exported.stderr]);
    texts.push(...receiver.received.splice(0).map((alert): Text => ['alert', JSON.stringify(alert)]));
    expect(texts.map(([name]) => name)).toEqual(expect.arrayContaining(['docvitals.db', 'index.html', 'alert']));
    expect(texts.filter(([, text]) => leakIn(text) !== undefined).map(([name]) => name)).toEqual([]);
  } finally {
    project.remove();
  }
}, 120_000);
