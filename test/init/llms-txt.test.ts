/** `docvitals init --llms-txt`: the agent index that it writes lists the pages of the site, and nothing else changes. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startStaticServer } from '../../src/hosting/static-server.ts';
import type { ReportDocument } from '../../src/report/document.ts';
import { runCli, type RunResult } from '../cli/run.ts';
import { init, makeProject, snapshot } from './project.ts';

const DOCSIFY = {
  'docs/index.html':
    '<script>window.$docsify = { loadSidebar: true }</script><script src="docsify@5/dist/docsify.min.js"></script>',
  'docs/README.md': '# Harbour\n\nHow boats enter and leave the harbour, for pilots.\n',
  'docs/_sidebar.md':
    '- [Home](/)\n- [Entering](guide/entering)\n- [Tides](guide/)\n- [Gone](gone.md)\n- [Out](https://a.example/)\n',
  'docs/guide/entering.md': '# Entering [the] harbour\n',
  // With a byte order mark, as some editors write it.
  'docs/guide/README.md': '\uFEFF# Tides\n',
};
const INDEX = `# Harbour

> How boats enter and leave the harbour, for pilots.

## Pages

- [Harbour](README.md)
- [Entering \\[the\\] harbour](guide/entering.md)
- [Tides](guide/README.md)
`;

describe.concurrent('docvitals init --llms-txt', () => {
  it('writes the index from the navigation, and no other file', async () => {
    const folder = makeProject({ files: DOCSIFY });
    const { status, stdout } = await init(folder, '--llms-txt');
    expect(snapshot(folder)).toEqual({ ...DOCSIFY, 'docs/llms.txt': INDEX });
    expect(status).toBe(0);
    expect(stdout).toContain('1 file written.\n\nIt lists 3 pages.');
  });

  it('is the fix that a report of the site prints', async ({ onTestFinished }) => {
    const folder = makeProject({ files: DOCSIFY });
    const server = await startStaticServer(path.join(folder, 'docs'), { kind: 'server', base: '/', improved: true }, 0);
    onTestFinished(() => server.close());
    const check = (): Promise<RunResult> =>
      runCli(['check', server.url, '--only', 'llms-txt', '--format', 'json'], { cwd: folder });
    const before = JSON.parse((await check()).stdout) as ReportDocument;
    expect(before.checks[0]?.findings).toMatchObject([{ rule: 'llms-txt/absent', severity: 'info' }]);
    const command =
      /`docvitals (init --llms-txt)`/.exec(before.checks[0]?.findings[0]?.fix ?? '')?.[1]?.split(' ') ?? [];
    expect((await runCli(command, { cwd: folder })).status).toBe(0);
    const after = JSON.parse((await check()).stdout) as ReportDocument;
    // The navigation has a link to a page that is gone, which is not listed.
    expect([after.verdict, after.checks[0]?.findings]).toEqual(['healthy', []]);
  });

  it.each([
    ['its configuration', '{"title": "Boats"}'],
    ['a configuration with a syntax error', '{"title": "Boats",}'],
  ])('writes it from the wikilinks of a VertiWiki site, with the title of %s', async (_, configuration) => {
    const folder = makeProject({
      files: {
        'index.html': 'VertiWiki 0.5.1',
        'config.json': configuration,
        'index.md': '# Home\n',
        'navigation.md': '- [[guide/setup|Setup]]\n- [Tides](tides)\n',
        'guide/setup.md': 'No heading.\n',
        'tides/index.md': '# Tides\n',
      },
    });
    expect((await init(folder, '--llms-txt')).status).toBe(0);
    const expected = '# Boats\n\n> Boats\n\n## Pages\n\n- [Tides](tides/index.md)\n- [setup](guide/setup.md)\n';
    expect(readFileSync(path.join(folder, 'llms.txt'), 'utf8')).toBe(expected);
  });

  it('keeps an index that exists, unless it is to be replaced', async () => {
    const folder = makeProject({ files: { ...DOCSIFY, 'docs/llms.txt': 'my own\n' } });
    const kept = await init(folder, '--llms-txt');
    expect([kept.status, kept.stdout]).toEqual([0, expect.stringContaining('Nothing to write.')]);
    expect(readFileSync(path.join(folder, 'docs/llms.txt'), 'utf8')).toBe('my own\n');
    expect((await init(folder, '--llms-txt', '--force')).status).toBe(0);
    expect(readFileSync(path.join(folder, 'docs/llms.txt'), 'utf8')).toBe(INDEX);
  });

  it('prints it with --dry-run', async () => {
    const folder = makeProject({ files: DOCSIFY });
    const { stdout } = await init(folder, '--llms-txt', '--dry-run');
    expect(stdout).toContain(INDEX);
    expect(snapshot(folder)).toEqual(DOCSIFY);
  });

  it('says what is missing', async () => {
    const folder = makeProject({ files: { 'readme.md': '# x' } });
    const none = await init(folder, '--llms-txt');
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('--llms-txt: no site was found')]);
    writeFileSync(path.join(folder, 'index.html'), DOCSIFY['docs/index.html']);
    const empty = await init(folder, '--llms-txt');
    expect([empty.status, empty.stderr]).toEqual([2, expect.stringContaining('links to a page that exists')]);
  });
});
