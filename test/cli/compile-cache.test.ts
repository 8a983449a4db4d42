/** Where the built command keeps what Node has compiled of it: bin/docvitals.js. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from './run.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'docvitals-home-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The files in a folder, and when each was written. */
function filesIn(folder: string): Record<string, number> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [path.join(parentPath, name), statSync(path.join(parentPath, name)).mtimeMs]),
  );
}

async function list(env: Readonly<Record<string, string>>): Promise<string> {
  const { status, stdout, stderr } = await runCli(['explain'], { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('the compile cache', () => {
  it('is in the cache folder of the user; the next run uses it and leaves it unchanged', async () => {
    const printed = await list({ HOME: home });
    const before = filesIn(home);
    expect(Object.keys(before).length).toBeGreaterThan(0);
    expect(readdirSync(home)).toEqual(['.cache']);
    expect(readdirSync(path.join(home, '.cache'))).toEqual(['docvitals']);
    expect(await list({ HOME: home })).toBe(printed);
    expect(filesIn(home)).toEqual(before);
  });

  it('moves or is turned off by the variables of Node and of the system', async () => {
    const folders = ['home', 'xdg', 'node', 'off'].map((name) => path.join(home, name));
    for (const folder of folders) mkdirSync(folder);
    const [HOME = '', xdg = '', node = '', off = ''] = folders;
    await list({ HOME, XDG_CACHE_HOME: xdg });
    await list({ HOME, NODE_COMPILE_CACHE: node });
    await list({ HOME, NODE_COMPILE_CACHE: off, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(folders.filter((folder) => Object.keys(filesIn(folder)).length > 0)).toEqual([xdg, node]);
  });

  it('changes no result where it is damaged or cannot be written', async () => {
    const printed = await list({ HOME: home });
    const damages: readonly ((file: string) => void)[] = [
      (file) => truncateSync(file, statSync(file).size / 2),
      (file) => truncateSync(file, 0),
      (file) => writeFileSync(file, readFileSync(file).fill(0, statSync(file).size / 2)),
    ];
    for (const damage of damages) {
      for (const file of Object.keys(filesIn(home))) damage(file);
      expect(await list({ HOME: home })).toBe(printed);
    }
    const file = path.join(home, 'file');
    writeFileSync(file, '');
    expect(await list({ XDG_CACHE_HOME: file })).toBe(printed);
  });
});
