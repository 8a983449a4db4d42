/** `docvitals status` and `docvitals status export`: beside a real database, with the real command. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Incident } from '../../src/monitor/incident/incident.ts';
import { currentIncident, type SiteState } from '../../src/monitor/incident/state.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { runCli } from '../cli/run.ts';
import { failing, incident, MINUTE, SECOND, state } from './sample.ts';
import { checkedAt, openState } from '../monitor/incident/state.ts';

const CONFIG = `sites:
  - id: docs
    url: https://user:secret@docs.example.com/
    title: Product docs
  - id: api
    url: https://api.example.com/
monitor: { page: { title: Example status, language: ro } }
`;

/** Writes a round of each site into the database of a folder. `agoMs`: how long ago by this machine's clock. */
async function write(folder: string, agoMs: number, sites: Readonly<Record<string, SiteState>>): Promise<void> {
  const store = await openStore(path.join(folder, 'docvitals.db'), { mode: 'own' });
  const at = Date.now() - agoMs;
  const rounds = Object.entries(sites).map(([site, known]) => {
    const moved = (one: Incident): Incident => ({
      ...one,
      startedAt: at - MINUTE,
      detectedAt: at - MINUTE + 14 * SECOND,
    });
    const before = currentIncident(known);
    const open = before === null ? null : moved(before);
    return {
      run: {
        site,
        scope: 'core' as const,
        startedAt: at - 200,
        durationMs: 200,
        verdict: known.verdict,
        maintenance: false,
        ticks: 1,
        checks: [{ id: 'config', status: 'pass' as const, rules: [], httpStatus: 200, durationMs: 87 }],
      },
      state: { ...known, ...checkedAt(at), ...openState(open) },
      incidents: open === null ? [] : [open],
      notifications: [],
    };
  });
  await store.append(rounds);
  await store.close();
}

const OPEN = incident('docs', MINUTE, null, { findings: [failing('config', 'syntax')], notifiedAt: null });
const DOWN = state('down', [failing('config', 'syntax')], openState(OPEN));

describe('docvitals status', () => {
  let folder: string;
  const cli = (...args: string[]) => runCli(['status', ...args], { cwd: folder });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docvitals status '));
    await writeFile(path.join(folder, 'docvitals.yaml'), CONFIG);
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(() => rm(path.join(folder, 'docvitals.db'), { force: true }).then(() => undefined));

  it('without a database is a mistake', async () => {
    const { status, stdout, stderr } = await cli();
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('docvitals.db');
  });

  it.each([
    ['all are well', 5 * SECOND, { docs: state('healthy'), api: state('healthy') }, 0, ['healthy', 'healthy']],
    ['one is down', 5 * SECOND, { docs: DOWN, api: state('healthy') }, 1, ['down', 'healthy']],
    ['one was never looked at', 5 * SECOND, { docs: state('healthy') }, 3, ['healthy', 'unknown']],
    ['the monitor stopped long ago', 60 * MINUTE, { docs: state('healthy'), api: DOWN }, 3, ['unknown', 'unknown']],
  ] as const)('%s', async (_name, ago, sites, expected, verdicts) => {
    await write(folder, ago, sites);
    const { status, stdout } = await cli('--format', 'json');
    const document = JSON.parse(stdout) as { sites: { verdict: string; url: string }[] };
    expect([status, document.sites.map(({ verdict }) => verdict)]).toEqual([expected, verdicts]);
    expect(stdout).not.toContain('secret');
  });

  it.each(['en', 'ro', 'fr'])('is a table in %s', async (language) => {
    await write(folder, 5 * SECOND, { docs: DOWN, api: state('healthy') });
    const { status, stdout, stderr } = await cli('--lang', language);
    expect([status, stderr]).toEqual([1, '']);
    expect(stdout.split('\n').filter((line) => /\b(?:docs|api)\b/.test(line)).length).toBe(2);
  });

  it.each([
    ['another word', ['expor', 'x'], 'export'],
    ['no folder', ['export'], 'dir'],
    ['a file', ['export', 'docvitals.yaml'], 'docvitals.yaml'],
    ['--force without export', ['--force'], '--force'],
    ['another format', ['--format', 'xml'], 'xml'],
  ])('%s is a mistake', async (_name, args, told) => {
    const { status, stderr } = await cli(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(told);
  });
});

describe('docvitals status export', () => {
  let folder: string;
  let out: string;
  const cli = (...args: string[]) => runCli(['status', 'export', out, ...args], { cwd: folder });
  const files = async (): Promise<readonly string[]> => {
    const found = await readdir(out, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => !entry.isDirectory())
      .map((entry) => path.relative(out, path.join(entry.parentPath, entry.name)));
  };

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'docvitals export '));
    out = path.join(folder, 'out', 'status');
    await writeFile(path.join(folder, 'docvitals.yaml'), CONFIG);
    await write(folder, 5 * SECOND, { docs: DOWN, api: state('healthy') });
    return () => rm(folder, { recursive: true });
  });

  it('writes all pages in all languages, and leaves the database as it is', async () => {
    const { status, stderr } = await cli();
    expect([status, stderr]).toEqual([0, '']);
    const written = await files();
    expect(written).toEqual(
      expect.arrayContaining([
        'index.html',
        'en/index.html',
        'fr/sites/docs/index.html',
        `incidents/${OPEN.id}/index.html`,
        'feed.atom',
        'badge/api.svg',
        'style.css',
      ]),
    );
    expect(written.filter((file) => file.startsWith('ro'))).toEqual([]);
    const texts = await Promise.all(written.map((file) => readFile(path.join(out, file), 'utf8')));
    expect(texts.filter((text) => text.includes('secret'))).toEqual([]);
    expect(await readFile(path.join(out, 'index.html'), 'utf8')).toContain('<html lang="ro">');
  });

  it('removes what it wrote before and nobody needs any more, and nothing else', async () => {
    await cli();
    const own = path.join(out, 'sites', 'docs', 'mine.txt');
    await writeFile(own, 'mine');
    await writeFile(path.join(out, 'CNAME'), 'status.example.com');
    await writeFile(
      path.join(folder, 'docvitals.yaml'),
      CONFIG.replace(/ {2}- id: api\n.*\n/, '').replace('docs\n', 'handbook\n'),
    );
    const { status } = await cli();
    expect(status).toBe(0);
    const left = await files();
    expect(left.filter((file) => file.includes('api') || file.includes(`sites${path.sep}docs`))).toEqual([
      path.relative(out, own),
    ]);
    expect(left).toEqual(expect.arrayContaining(['CNAME', path.join('sites', 'handbook', 'index.html')]));
  });

  it.each([
    ['something of somebody else’s', 'notes.txt'],
    ['a page of somebody else’s', 'index.html'],
  ])('leaves a folder with %s alone, unless it is forced', async (_name, file) => {
    await mkdir(out, { recursive: true });
    await writeFile(path.join(out, file), 'mine');
    const refused = await cli();
    expect([refused.status, await files()]).toEqual([2, [file]]);
    expect((await cli('--force')).status).toBe(0);
    const kept = await readFile(path.join(out, file), 'utf8');
    expect(kept === 'mine').toBe(file === 'notes.txt');
  });

  it('leaves a page that came into its own folder alone', async () => {
    await cli();
    await rm(path.join(out, '.docvitals-status.json'));
    expect((await cli()).status).toBe(2);
  });

  it('never follows a list out of its folder', async () => {
    await cli();
    const victim = path.join(folder, 'docvitals.yaml');
    const list = { form: 1, files: ['../../docvitals.yaml', '/etc/hostname', 'sites/gone/index.html', 7] };
    await writeFile(path.join(out, '.docvitals-status.json'), JSON.stringify(list));
    const { status } = await cli('--force');
    expect([status, await readFile(victim, 'utf8')]).toEqual([0, CONFIG]);
  });

  it('replaces a link instead of writing through it', async () => {
    const victim = path.join(folder, 'victim');
    await writeFile(victim, 'mine');
    await mkdir(out, { recursive: true });
    await symlink(victim, path.join(out, 'index.html'));
    expect((await cli('--force')).status).toBe(0);
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('reports what cannot be written', async () => {
    await writeFile(path.join(folder, 'out'), 'a file where a folder has to be');
    const { status, stderr } = await cli();
    expect(status).toBe(3);
    expect(stderr).toContain('status');
  });

  it('gives the same files from the same database, but for the time', async () => {
    await cli();
    const style = await readFile(path.join(out, 'style.css'), 'utf8');
    const feed = await readFile(path.join(out, 'feed.atom'), 'utf8');
    await cli();
    expect([
      await readFile(path.join(out, 'style.css'), 'utf8'),
      await readFile(path.join(out, 'feed.atom'), 'utf8'),
    ]).toEqual([style, feed]);
  });
});
