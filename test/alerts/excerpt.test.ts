/** The lines around a fault with a caret, wherever the built monitor reports the fault: notifications and pages. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../cli/run.ts';
import { listen } from '../site/host.ts';
import { startReceiver } from './receiver.ts';

const CONFIG_JSON = '{\n  "title": "Docs",\n}\n';
const PAGES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/index.html': ['text/html', '<!doctype html><title>Docs</title>'],
  '/config.json': ['application/json', CONFIG_JSON],
  '/navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  '/index.md': ['text/markdown', '# Docs\n'],
  '/llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
};
const CHATS = ['slack', 'discord', 'teams'];

it('is in each notification and on each page that names the position', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'docvitals-excerpt-'));
  const [receiver, host] = await Promise.all([
    startReceiver(),
    listen((request, response) => {
      const [type, body] = PAGES[request.url ?? ''] ?? [];
      if (type === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': type }).end(body);
    }),
  ]);
  onTestFinished(async () => {
    await Promise.all([receiver.stop(), host.close(), rm(folder, { recursive: true })]);
  });
  const routes = CHATS.map(
    (name) => `  - { id: ${name}, webhook: { url: "${receiver.url}/${name}", template: ${name} } }\n`,
  );
  await writeFile(
    path.join(folder, 'docvitals.yaml'),
    `url: ${host.url}\nmonitor: { every: 10s, confirm: { times: 1 }, page: { language: fr } }\nalerts:\n  - { id: raw, webhook: { url: "${receiver.url}/raw" } }\n${routes.join('')}`,
  );
  const run = await runCli(['monitor', '--once'], { cwd: folder });
  expect([run.status, receiver.received.length]).toEqual([1, 4]);
  const frame = ['> 2 |   "title": "Docs",', '    |                  ^'];
  const spaced = (text: string): string =>
    text.replaceAll('\u00a0', ' ').replaceAll('&quot;', '"').replaceAll('&gt;', '>');
  for (const { path: at, body } of receiver.received) {
    const sent = spaced((JSON.stringify(JSON.parse(body)) ?? '').replaceAll(String.raw`\"`, '"'));
    for (const line of frame) expect(sent).toContain(line.trim());
    if (at !== '/raw') continue;
    expect(JSON.parse(body)).toMatchObject({
      findings: [{ rule: 'config/trailing-comma', location: { path: 'config.json', line: 2, column: 18 } }],
    });
  }
  await runCli(['status', 'export', 'public'], { cwd: folder });
  const pages = (await readdir(path.join(folder, 'public'), { recursive: true })).filter((name) =>
    name.endsWith('.html'),
  );
  const texts = await Promise.all(pages.map((name) => readFile(path.join(folder, 'public', name), 'utf8')));
  const about = texts.map(spaced).filter((text) => text.includes('config.json:2:18'));
  expect(about.length).toBeGreaterThan(1);
  for (const text of about) for (const line of frame) expect(text).toContain(`${line}\n`);
});
