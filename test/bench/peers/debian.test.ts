import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDebian } from './debian.ts';

describe.skipIf(process.platform === 'win32')('a program', () => {
  let folder: string;
  const said: string[] = [];
  const options = () => ({ folder, progress: (text: string): void => void said.push(text) });

  beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), 'docvitals-peers-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('that the machine has is taken as it is', () => {
    expect(findDebian('sh', 'dash', options())).toMatchObject({ file: expect.stringMatching(/\/sh$/), env: {} });
    expect([said, readdirSync(folder)]).toEqual([[], []]);
  });

  it('that cannot be had is missing', () => {
    expect(findDebian('no-such-program', 'no-such-package', options())).toHaveProperty('missing');
  });
});
