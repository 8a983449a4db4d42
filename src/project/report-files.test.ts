import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demandReportFiles } from './run-options.ts';
import { UsageError } from './arguments.ts';
import { messagesIn } from '../locales/messages.ts';

const messages = messagesIn('en');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'docvitals-'));
  mkdirSync(path.join(folder, 'out'));
  symlinkSync('out', path.join(folder, 'also-out'));
  writeFileSync(path.join(folder, 'old.json'), '{}');
  symlinkSync('old.json', path.join(folder, 'to-old'));
  symlinkSync('new.json', path.join(folder, 'to-new'));
  symlinkSync(path.join('gone', 'new.json'), path.join(folder, 'to-nowhere'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is wrong with the files; `null`: nothing. */
async function problem(files: readonly string[]): Promise<string | null> {
  const targets = files.map((file) => ({ format: 'json' as const, file }));
  try {
    await demandReportFiles(targets, folder);
    return null;
  } catch (error) {
    if (error instanceof UsageError) return error.report(messages);
    throw error;
  }
}

describe('the files of reports', () => {
  it.each([
    ['none', []],
    ['several', ['a.json', 'b.json', 'old.json', 'to-new']],
    ['the same name in two folders', ['a.json', 'out/a.json']],
    ['a device twice', ['/dev/null', '/dev/null']],
    ['where a link will lead', ['to-new', 'also-out/new.json']],
  ])('are fine: %s', async (_, files) => {
    expect(await problem(files)).toBeNull();
  });

  it.each([
    ['one name', 'same', 'same'],
    ['a dot before it', 'same', './same'],
    ['a way around', 'same', 'out/../same'],
    ['the whole path', 'out/same', 'WHOLE/out/same'],
  ])('may not be one: %s', async (_, one, written) => {
    const other = written.replace('WHOLE', folder);
    for (const [first, second] of [[one, other] as const, [other, one] as const]) {
      expect(await problem([first, 'b', second])).toBe(messages.sameReport(first, second));
    }
  });

  it.each([
    ['a missing folder', 'gone/a.json', 'gone'],
    ['a missing folder further up', 'gone/on/a.json', 'gone/on'],
    ['a file in its place', 'old.json/a.json', 'old.json'],
    ['a link into a missing folder', 'to-nowhere', 'WHOLE/gone'],
  ])('need a folder: %s', async (_, file, missing) => {
    expect(await problem(['b', file])).toBe(messages.noReportFolder(file, missing.replace('WHOLE', folder)));
  });

  it('may not be folders', async () => {
    expect(await problem(['out'])).toBe(messages.reportIsFolder('out'));
  });
});
