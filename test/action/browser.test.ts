/** The built Action in a folder of its own, as a release has it: it brings what drives the runner's browser. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReportDocument } from '../../src/report/document.ts';
import { chromiumWanted } from '../hosts/chromium.ts';
import { startHost, type Host } from '../site/host.ts';
import { startArtifacts, unzip, type ArtifactService } from './artifacts.ts';
import { ROOT, startAction } from './run.ts';
import { temporary } from './workspace.ts';

const DOCSIFY = readFileSync(createRequire(import.meta.url).resolve('docsify/dist/docsify.min.js'), 'utf8');

const SITE = {
  'index.html':
    '<!doctype html><html lang="en"><title>Docs</title><body><div id="app"></div><script>window.$docsify = { loadSidebar: true }</script><script src="docsify.min.js"></script></body></html>',
  'docsify.min.js': DOCSIFY,
  'README.md': '# Home\n\nWelcome.\n',
  '_sidebar.md': '- [Home](/)\n- [Setup](setup.md)\n',
  'setup.md': '# Setup\n\nSteps.\n',
  'llms.txt': '# Docs\n\n> Steps.\n\n## Docs\n\n- [Setup](setup.md)\n',
};

let host: Host | undefined;
let service: ArtifactService | undefined;
afterEach(() => Promise.all([host?.close(), service?.close()]));

describe.runIf(chromiumWanted())('the Action with browser: true', () => {
  it('opens pages and keeps their screenshots, also as an artifact', { timeout: 120_000 }, async () => {
    const action = temporary('action');
    cpSync(path.join(ROOT, 'action.yml'), path.join(action, 'action.yml'));
    cpSync(path.join(ROOT, 'dist/action'), path.join(action, 'dist/action'), { recursive: true });
    host = await startHost(new Map(Object.entries(SITE)), { fallback: false });
    // A checkout may contain a link under the name of the folder of screenshots.
    const [workspace, elsewhere] = [temporary('links'), temporary('elsewhere')];
    mkdirSync(path.join(workspace, 'out'));
    symlinkSync(elsewhere, path.join(workspace, 'out/screenshots'));
    const inputs = { url: host.url, browser: 'true', routes: '1', 'report-dir': 'out' };
    service = await startArtifacts();
    const env = { PATH: process.env['PATH'] ?? '', ...service.env };
    const { status, outputs, warnings } = await startAction({ action, workspace, inputs, env });
    const refused = warnings.filter(({ data }) => data.startsWith('artifact'));
    expect([status, refused]).toEqual([0, []]);
    const folder = outputs['report-dir'] ?? '';
    expect(readdirSync(path.join(folder, 'screenshots')).toSorted()).toEqual(['home.jpg', 'setup.jpg']);
    expect(readdirSync(elsewhere)).toEqual([]);
    const files = unzip(service.artifacts.get('docvitals'));
    for (const name of ['report.html', 'screenshots/home.jpg', 'screenshots/setup.jpg']) {
      expect(readFileSync(path.join(files, name)).equals(readFileSync(path.join(folder, name)))).toBe(true);
    }
    const { checks } = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as ReportDocument;
    const { pages = [] } = checks.find(({ id }) => id === 'rendered') ?? {};
    expect(pages).toMatchObject([
      { route: '', ok: true },
      { route: '#/setup', ok: true },
    ]);
  });
});
