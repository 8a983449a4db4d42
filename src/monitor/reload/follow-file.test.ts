import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followFile } from './watch-config.ts';

let folder: string;
let file: string;
let unfollow: () => void = () => {};
const onStir = vi.fn<() => void>();

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docvitals-follow-'));
  file = path.join(folder, 'docvitals.yaml');
  onStir.mockReset();
});

afterEach(async () => {
  unfollow();
  await rm(folder, { recursive: true, force: true });
});

/** `events`: only what the file system tells; `looks`: only what is seen by looking. */
const TIMES = { events: { pollMs: 3_600_000, settleMs: 20 }, looks: { pollMs: 20, settleMs: 20 } };

async function follow(times: keyof typeof TIMES): Promise<void> {
  unfollow = followFile(file, onStir, TIMES[times]);
  // It has seen the file once by then.
  await pause(100);
}

const expectStirred = (times: number) => vi.waitFor(() => expect(onStir).toHaveBeenCalledTimes(times), 10_000);

async function replace(text: string): Promise<void> {
  await writeFile(path.join(folder, '.docvitals.yaml.swp'), text);
  await rename(path.join(folder, '.docvitals.yaml.swp'), file);
}

describe.each(['events', 'looks'] as const)('a file that is followed by %s', (times) => {
  it('stirs when it is written', async () => {
    await writeFile(file, 'a');
    await follow(times);
    await writeFile(file, 'b');
    await expectStirred(1);
  });

  it('stirs when another takes its place, again and again', async () => {
    await writeFile(file, 'a');
    await follow(times);
    await replace('bb');
    await expectStirred(1);
    await replace('ccc');
    await expectStirred(2);
  });

  it('stirs when the file that a link leads to is written', async () => {
    await mkdir(path.join(folder, 'elsewhere'));
    await writeFile(path.join(folder, 'elsewhere', 'real.yaml'), 'a');
    await symlink(path.join('elsewhere', 'real.yaml'), file);
    await follow(times);
    await writeFile(path.join(folder, 'elsewhere', 'real.yaml'), 'b');
    await expectStirred(1);
  });

  it('stirs after the last of many writes, and for none before', async () => {
    await writeFile(file, 'a');
    await follow(times);
    const observed: number[] = [];
    onStir.mockImplementation(() => void observed.push(statSync(file).size));
    // In one breath: nobody looks in between, however busy the machine is.
    for (let length = 1; length <= 20; length++) writeFileSync(file, 'x'.repeat(length));
    await vi.waitFor(() => expect(observed).toContain(20), 10_000);
    await pause(100);
    expect(new Set(observed)).toEqual(new Set([20]));
  });
});

describe('a file that is followed', () => {
  it('stirs when it goes, and when it comes back', async () => {
    await writeFile(file, 'a');
    await follow('looks');
    await rm(file);
    await expectStirred(1);
    await writeFile(file, 'a');
    await expectStirred(2);
  });

  it('stirs when the folder behind the link beside it is another one, as in Kubernetes', async () => {
    const location = async (name: string, text: string): Promise<void> => {
      await mkdir(path.join(folder, name));
      await writeFile(path.join(folder, name, 'docvitals.yaml'), text);
      await symlink(name, path.join(folder, '..data_tmp'));
      await rename(path.join(folder, '..data_tmp'), path.join(folder, '..data'));
    };
    await location('..2026_1', 'a');
    await symlink(path.join('..data', 'docvitals.yaml'), file);
    await follow('looks');
    await location('..2026_2', 'b');
    await expectStirred(1);
    await location('..2026_3', 'c');
    await expectStirred(2);
  });

  it('stirs for nobody once that is ended', async () => {
    await writeFile(file, 'a');
    await follow('looks');
    unfollow();
    await writeFile(file, 'b');
    await pause(100);
    expect(onStir).not.toHaveBeenCalled();
  });

  it('does not stir for its neighbours', async () => {
    await writeFile(file, 'a');
    await follow('events');
    for (let n = 0; n < 10; n++) await writeFile(path.join(folder, 'docvitals.db-wal'), String(n));
    await pause(100);
    expect(onStir).not.toHaveBeenCalled();
  });

  it('stirs when it is removed', async () => {
    await writeFile(file, 'a');
    await follow('events');
    await rm(file);
    await expectStirred(1);
  });

  it('stirs when what was moved away is written again, as editors do', async () => {
    await writeFile(file, 'a');
    await follow('events');
    await rename(file, `${file}~`);
    await writeFile(file, 'bb');
    await expectStirred(1);
  });

  it('may be in a folder that is not there yet', async () => {
    file = path.join(folder, 'later', 'docvitals.yaml');
    await follow('looks');
    await mkdir(path.join(folder, 'later'));
    await writeFile(file, 'a');
    await expectStirred(1);
  });

  it('stirs when only its time is another: what it holds is for others to look at', async () => {
    await writeFile(file, 'a');
    await follow('looks');
    await utimes(file, 1, 1);
    await expectStirred(1);
  });
});
