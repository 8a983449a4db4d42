import path from 'node:path';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectSettings } from '../options/settings.ts';
import type { LogFields } from '../monitor/log/write.ts';
import { watchConfig } from './service.ts';

type ConfigWatch = ReturnType<typeof watchConfig>;

const SECRET = 'c0rrect-h0rse';

let cwd: string;
let watching: ConfigWatch | undefined;
let events: { level: string; event: string; fields: LogFields | undefined }[];
let taken: string[][];

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-reload-'));
  events = [];
  taken = [];
});

afterEach(async () => {
  watching?.close();
  watching = undefined;
  await rm(cwd, { recursive: true, force: true });
});

const write = (file: string, text: string) => writeFile(path.join(cwd, file), text);
const sites = (...ids: string[]): string =>
  `sites:\n${ids.map((id) => `  - { id: ${id}, url: "https://${id}.example/" }\n`).join('')}`;

function start(
  file: string | null,
  onChange: (settings: ProjectSettings) => void = ({ config }) =>
    void taken.push(config.monitor.sites.map(({ id }) => id)),
  text: string | null = file === null ? null : readFileSync(path.join(cwd, file), 'utf8'),
): ConfigWatch {
  watching = watchConfig({
    file,
    text,
    cwd,
    env: { HOOK: `https://hooks.example/${SECRET}` },
    language: 'en',
    log: (level, event, fields) => void events.push({ level, event, fields }),
    onChange,
    pollMs: 20,
  });
  return watching;
}

const reported = () => events.map(({ level, event }) => `${level} ${event}`);
const heard = (...expected: string[]) => vi.waitFor(() => expect(reported()).toEqual(expected), 10_000);

describe('a configuration that is changed', () => {
  it('is taken up', async () => {
    await write('docvitals.yaml', sites('a'));
    await start('docvitals.yaml').reload();
    await write('docvitals.yaml', sites('a', 'b'));
    await heard('info config-unchanged', 'info config-reloaded');
    expect(taken).toEqual([['a', 'b']]);
    expect(events[1]?.fields).toEqual({ file: 'docvitals.yaml', sites: 2, routes: 0 });
  });

  it('is refused with all that is wrong, and taken up once it is fixed', async () => {
    await write('docvitals.yaml', sites('a'));
    await start('docvitals.yaml').reload();
    await write('docvitals.yaml', `${sites('B')}alerts:\n  - { id: ops, webhook: { url: "ftp://${SECRET}" } }\n`);
    await heard('info config-unchanged', 'error config-refused');
    expect(events[1]?.fields?.['mistakes']).toEqual([
      expect.stringMatching(/^docvitals\.yaml:2:11: sites\[0\]\.id: /),
      expect.stringMatching(/^docvitals\.yaml:4:32: alerts\[0\]\.webhook\.url: /),
    ]);
    expect(JSON.stringify(events)).not.toContain(SECRET);
    await write('docvitals.yaml', sites('b'));
    await heard('info config-unchanged', 'error config-refused', 'info config-reloaded');
    expect(taken).toEqual([['b']]);
  });

  it.each([
    ['nothing to watch', 'strict: true\n'],
    ['broken YAML', 'sites: [\n'],
    ['an empty file', ''],
    ['a variable that is not set', 'sites: [{ id: a, url: "https://${NO}/" }]'],
  ])('is refused with %s', async (_, text) => {
    await write('docvitals.yaml', sites('a'));
    const watch = start('docvitals.yaml');
    await watch.reload();
    await write('docvitals.yaml', text);
    await heard('info config-unchanged', 'error config-refused');
    expect(taken).toEqual([]);
  });

  it('is refused when it is gone, and no event when it comes back as it was', async () => {
    await write('docvitals.yaml', sites('a'));
    const watch = start('docvitals.yaml');
    await watch.reload();
    await rm(path.join(cwd, 'docvitals.yaml'));
    await heard('info config-unchanged', 'error config-refused');
    await write('docvitals.yaml', sites('a'));
    await watch.reload();
    await heard('info config-unchanged', 'error config-refused', 'info config-unchanged');
    expect(taken).toEqual([]);
  });

  it('is no event when it holds the same', async () => {
    await write('docvitals.yaml', sites('a'));
    await start('docvitals.yaml').reload();
    await write('other.yaml', sites('a'));
    await rename(path.join(cwd, 'other.yaml'), path.join(cwd, 'docvitals.yaml'));
    await pause(200);
    expect(reported()).toEqual(['info config-unchanged']);
  });

  it('is reported again when somebody asks', async () => {
    await write('docvitals.yaml', sites('a'));
    const watch = start('docvitals.yaml');
    await watch.reload();
    await write('docvitals.yaml', sites('A'));
    await heard('info config-unchanged', 'error config-refused');
    await watch.reload();
    expect(reported()).toEqual(['info config-unchanged', 'error config-refused', 'error config-refused']);
  });

  it('is refused when it cannot be taken up, and tried again when somebody asks', async () => {
    await write('docvitals.yaml', sites('a'));
    let isWilling = false;
    const watch = start('docvitals.yaml', () => {
      if (!isWilling) throw new Error('not now');
    });
    await watch.reload();
    await write('docvitals.yaml', sites('b'));
    await heard('info config-unchanged', 'error config-refused');
    isWilling = true;
    await watch.reload();
    expect(reported().at(-1)).toBe('info config-reloaded');
  });
});

describe('a configuration that is changed in another way than by writing it', () => {
  it('is taken up when another file takes its place, again and again', async () => {
    await write('docvitals.yaml', sites('a'));
    await start('docvitals.yaml').reload();
    for (const id of ['b', 'c']) {
      await write('.docvitals.yaml.swp', sites(id));
      await rename(path.join(cwd, '.docvitals.yaml.swp'), path.join(cwd, 'docvitals.yaml'));
      await vi.waitFor(() => expect(taken.at(-1)).toEqual([id]), 10_000);
    }
  });

  it('is taken up when the file that a link leads to is written', async () => {
    await mkdir(path.join(cwd, 'elsewhere'));
    await write('elsewhere/real.yaml', sites('a'));
    await symlink(path.join('elsewhere', 'real.yaml'), path.join(cwd, 'docvitals.yaml'));
    await start('docvitals.yaml').reload();
    await write('elsewhere/real.yaml', sites('b'));
    await heard('info config-unchanged', 'info config-reloaded');
    expect(taken).toEqual([['b']]);
  });

  it('is taken up when the folder behind the link beside it is another one, as in Kubernetes', async () => {
    const mount = async (name: string, text: string): Promise<void> => {
      await mkdir(path.join(cwd, name));
      await write(`${name}/docvitals.yaml`, text);
      await symlink(name, path.join(cwd, '..data_tmp'));
      await rename(path.join(cwd, '..data_tmp'), path.join(cwd, '..data'));
    };
    await mount('..2026_1', sites('a'));
    await symlink(path.join('..data', 'docvitals.yaml'), path.join(cwd, 'docvitals.yaml'));
    await start('docvitals.yaml').reload();
    await mount('..2026_2', sites('b'));
    await heard('info config-unchanged', 'info config-reloaded');
    await mount('..2026_3', sites('c'));
    await heard('info config-unchanged', 'info config-reloaded', 'info config-reloaded');
    expect(taken).toEqual([['b'], ['c']]);
  });

  it('is evaluated when it is whole', async () => {
    await write('docvitals.yaml', sites('a'));
    await start('docvitals.yaml').reload();
    const text = sites(...Array.from({ length: 20 }, (_, number) => `s${number}`));
    // In one breath: nobody reads in between, however busy the machine is.
    for (let length = 1; length <= text.length; length++)
      writeFileSync(path.join(cwd, 'docvitals.yaml'), text.slice(0, length));
    await heard('info config-unchanged', 'info config-reloaded');
    expect(taken[0]).toHaveLength(20);
  });
});

describe('a configuration that is changed while the monitor starts', () => {
  it.each([
    ['is taken up', sites('a'), sites('a', 'b'), [['a', 'b']]],
    ['is no event when it is the same', sites('a'), sites('a'), []],
    ['is the same with a byte order mark', sites('a'), `\uFEFF${sites('a')}`, []],
  ])('%s', async (_, read, now, expected) => {
    await write('docvitals.yaml', now);
    await start('docvitals.yaml', undefined, read).reload();
    expect(taken).toEqual(expected);
  });
});

describe('a module', () => {
  it.each([
    ['docvitals.config.mjs', (text: string) => `export default ${text};`],
    ['docvitals.config.ts', (text: string) => `const config: object = ${text};\nexport default config;`],
    ['docvitals.config.js', (text: string) => `module.exports = ${text};`],
  ])('%s is run again', async (file, of) => {
    const config = (id: string): string => JSON.stringify({ sites: [{ id, url: 'https://x.example/' }] });
    await write(file, of(config('a')));
    const watch = start(file);
    await watch.reload();
    expect(taken).toEqual([['a']]);
    await write(file, of(config('b')));
    await vi.waitFor(() => expect(taken).toEqual([['a'], ['b']]), 10_000);
  });
});

describe('the watching', () => {
  it('has nothing to do without a file', async () => {
    await start(null).reload();
    expect(reported()).toEqual([]);
  });

  it('ends', async () => {
    await write('docvitals.yaml', sites('a'));
    const before = process.listenerCount('SIGHUP');
    const watch = start('docvitals.yaml');
    await watch.reload();
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
    watch.close();
    watch.close();
    expect(process.listenerCount('SIGHUP')).toBe(before);
    await write('docvitals.yaml', sites('b'));
    await watch.reload();
    await pause(100);
    expect(taken).toEqual([]);
  });
});
