/** The build depends on the sources alone: not on the folder, not on what an earlier build has left. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INPUTS } from '../../src/build/digest.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'docvitals-rebuild-')));
const run = promisify(execFile);

type Digests = Readonly<Record<string, string>>;

/** Copies the sources from one folder to another. */
function copySources(from: string, name: string): string {
  const copy = path.join(folder, name);
  mkdirSync(copy, { recursive: true });
  for (const source of INPUTS.filter((file) => existsSync(path.join(from, file)))) {
    cpSync(path.join(from, source), path.join(copy, source), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'generated',
    });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  return copy;
}

const build = (copy: string): Promise<unknown> => run(process.execPath, ['src/build/index.ts'], { cwd: copy });

/** The files of `dist`, each with what it holds as one number. */
function digests(copy: string): Digests {
  const dist = path.join(copy, 'dist');
  const files = globSync('**/*', { cwd: dist, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(dist, file).replaceAll(path.sep, '/');
      return [name, createHash('sha256').update(readFileSync(file)).digest('hex')];
    }),
  );
}

let first = '';
let second = '';

beforeAll(async () => {
  // At different depths, and with a name that would be noticed.
  first = copySources(ROOT, 'one');
  second = copySources(first, 'another/place with spaces/of-this-machine');
  await build(first);
  await build(second);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a rebuild', () => {
  it('gives the same files with the same bytes', () => {
    expect(Object.keys(digests(first))).toEqual(expect.arrayContaining(['cli.cjs', 'action/index.mjs']));
    expect(digests(second)).toEqual(digests(first));
  });

  it('gives the same bytes on top of another build', async () => {
    const before = digests(first);
    rmSync(path.join(first, 'dist/.digest'));
    await build(first);
    expect(digests(first)).toEqual(before);
  }, 60_000);

  it('ends at once while the sources are the same, and builds again after a change', async () => {
    const built = (): number => statSync(path.join(second, 'dist/cli.cjs')).mtimeMs;
    const before = built();
    await build(second);
    expect(built()).toBe(before);
    appendFileSync(path.join(second, 'src/index.ts'), '\n');
    await build(second);
    expect(built()).toBeGreaterThan(before);
  }, 60_000);

  it('names no folder that it was built in', () => {
    const files = globSync('**/*.{js,cjs,mjs,json,txt,ts}', { cwd: path.join(second, 'dist') });
    expect(
      files.filter((file) => /of-this-machine/.test(readFileSync(path.join(second, 'dist', file), 'utf8'))),
    ).toEqual([]);
  });
});
