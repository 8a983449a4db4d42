/** The command writes several reports of one run, each whole, and asks the site once. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fittingMetrics } from '../contracts.ts';
import { runHere } from '../cli/run-here.ts';
import { readExposition } from './exposition.ts';
import { nodesOf, readGfm } from './gfm.ts';
import { logOf } from './sarif-log.ts';
import { judgedBy, toolWanted } from './tools.ts';

const FILES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  '/index.html': ['text/html', '<!doctype html><title>Docs</title><div id="app"></div>'],
  '/config.json': ['application/json', '{"a": 1,}'],
  '/navigation.md': ['text/markdown', '- [Home](index.md)\n'],
  '/index.md': ['text/markdown', '# Docs\n'],
  '/llms.txt': ['text/plain', '# Docs\n\n- [Home](index.md)\n'],
};

const asked: string[] = [];
let server: Server;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-reports-'));
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const [type, body] = FILES[url] ?? ['text/plain', 'no'];
    response.writeHead(url in FILES ? 200 : 404, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const check = (...args: string[]): ReturnType<typeof runHere> =>
  runHere(['check', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, '--retries', '0', ...args]);

/** How the site was asked by what has run since the last time. */
const requests = (): readonly string[] => asked.splice(0).toSorted();

describe('several reports of one run', () => {
  it('cost one run, and are written whole', async () => {
    const formats = ['junit', 'prometheus', 'markdown', 'json', 'sarif'];
    await check('--quiet');
    const alone = requests();
    const targets = formats.flatMap((format) => ['--report', `${format}=${path.join(folder, format)}`]);
    const { status, stdout, stderr } = await check('--format', 'json', ...targets);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(requests()).toEqual(alone);
    expect(readdirSync(folder).toSorted()).toEqual(formats.toSorted());

    const text = (format: string): string => readFileSync(path.join(folder, format), 'utf8');
    expect(stdout).toBe(text('json'));
    const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly status: string }[] };
    expect(checks.map(({ status: outcome }) => outcome)).toEqual(['pass', 'fail', 'pass', 'pass', 'pass']);
    const failing = readExposition(fittingMetrics(text('prometheus'), ['site'])).filter(
      ({ name, labels, value }) => name === 'docvitals_check_status' && labels['status'] === 'fail' && value === 1,
    );
    expect(failing.map(({ labels }) => labels['check'])).toEqual(['config']);
    const headings = nodesOf(readGfm(text('markdown'))).filter((node) => node.type === 'heading');
    expect(headings.length).toBeGreaterThan(2);
    expect(text('junit').match(/<failure /g)).toHaveLength(1);
    expect(logOf(text('sarif')).runs[0].results.map(({ ruleId }) => ruleId)).toContain('config/trailing-comma');
  });

  it.runIf(toolWanted('xmllint', '--version'))('are what the tools read', async () => {
    const file = path.join(folder, 'junit.xml');
    await check('--quiet', '--lang', 'fr', '--report', `junit=${file}`);
    const shape = path.join(import.meta.dirname, 'junit-shape.xsd');
    expect(judgedBy('xmllint', ['--noout', '--schema', shape, file]).status).toBe(0);
  });
});
