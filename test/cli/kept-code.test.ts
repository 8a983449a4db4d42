/** What is kept of a run's compiled code, for the next one: bin/docvitals.js. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from './run.ts';

const MORE = ['list'];

let home = '';

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'docvitals-home-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

/** What is in the cache, by its path from the folder: when it was written, and how long it is. */
function keptIn(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const { mtimeMs, size } = statSync(path.join(parentPath, name));
      return [path.relative(folder, path.join(parentPath, name)), `${mtimeMs} ${size}`];
    }),
  );
}

async function run(args: readonly string[], env: Readonly<Record<string, string>> = { HOME: home }): Promise<string> {
  const { status, stdout, stderr } = await runCli(args, { env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** The one file that `docvitals --version` keeps. */
async function keptFile(): Promise<string> {
  await run(['--version']);
  const [file = ''] = Object.keys(keptIn(home));
  return path.join(home, file);
}

describe('what was compiled', () => {
  it('is kept in the cache of the user, for this version of Node', async () => {
    await run(['--version']);
    const folder = path.join('.cache/docvitals', `${process.version}-${process.arch}`);
    expect(Object.keys(keptIn(home)).map((file) => path.dirname(file))).toEqual([folder]);
  });

  it('is used by the next run, which leaves it as it is', async () => {
    const said = await run(MORE);
    const before = keptIn(home);
    expect(await run(MORE)).toBe(said);
    expect(keptIn(home)).toEqual(before);
  });

  it('is kept anew where a run loads more than those before', async () => {
    await run(['--version']);
    const [[file, before] = ['', '']] = Object.entries(keptIn(home));
    await run(MORE);
    const after = keptIn(home);
    expect(Object.keys(after).length).toBeGreaterThan(1);
    expect(after[file]).not.toBe(before);
  });

  it.each<[string, (file: string) => void]>([
    ['cut off', (file) => truncateSync(file, 4_096)],
    ['empty', (file) => truncateSync(file, 0)],
    ['partly zeros', (file) => writeFileSync(file, readFileSync(file).fill(0, 8_192, 12_288))],
    ['of another V8', (file) => writeFileSync(file, readFileSync(file).fill(1))],
  ])('is made anew where it is %s', async (_, damage) => {
    const file = await keptFile();
    const { size } = statSync(file);
    damage(file);
    const damaged = readFileSync(file);
    const said = await run(['--help']);
    expect(said).toContain('Usage: docvitals');
    expect(readFileSync(file).equals(damaged)).toBe(false);
    expect(statSync(file).size).toBeGreaterThanOrEqual(size);
  });

  it('is not kept where it cannot be', async () => {
    const file = path.join(home, 'file');
    writeFileSync(file, '');
    expect(await run(['--version'], { XDG_CACHE_HOME: file })).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each(['XDG_CACHE_HOME', 'NODE_COMPILE_CACHE'])('%s says where it is kept', async (name) => {
    await run(['--version'], { [name]: home, HOME: path.join(home, 'nobody') });
    expect(readdirSync(home)).toContain('docvitals');
    expect(readdirSync(home)).not.toContain('nobody');
  });

  it('NODE_DISABLE_COMPILE_CACHE=1 keeps nothing', async () => {
    await run(['--version'], { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(readdirSync(home)).toEqual([]);
  });
});
