import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import EXAMPLES from '../../src/monitor/examples/examples.json' with { type: 'json' };
import { LANGUAGES } from '../../src/locales/language.ts';
import { runHere } from '../cli/run-here.ts';
import { files, textOf } from './files.ts';
import { examplesWords } from '../../src/generated/locales/examples.ts';

const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly (keyof typeof EXAMPLES)[];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docvitals-example-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const example = (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere(['example', ...args], { cwd: folder });

describe('the examples', () => {
  it('are the files that are there, but for their tests', () => {
    const declared: readonly string[] = Object.values(EXAMPLES).flat();
    expect(declared.toSorted()).toEqual(files.filter((file) => !/\.test\.ya?ml$/.test(file)));
  });

  it.each(EXAMPLE_NAMES)('%s has files of different names', (name) => {
    const names = EXAMPLES[name].map((file) => path.posix.basename(file));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(files)('%s ends with a newline, and has no white space at the ends of its lines', (file) => {
    expect(textOf(file)).toMatch(/[^\n]\n$/);
    expect(textOf(file)).not.toMatch(/[ \t\r]$/m);
  });
});

describe('docvitals example', () => {
  it.each(LANGUAGES)('lists each on one line, in %s', async (language) => {
    const { status, stdout } = await example('--lang', language);
    const lines = stdout.split('\n');
    const { about } = examplesWords(language);
    expect(status).toBe(0);
    expect(lines.slice(0, EXAMPLE_NAMES.length).map((line) => line.split(/ {2,}/))).toEqual(
      EXAMPLE_NAMES.map((name) => [name, about[name]]),
    );
  });

  it.each(EXAMPLE_NAMES)('%s is printed', async (name) => {
    const { status, stdout, stderr } = await example(name);
    const texts = EXAMPLES[name].map(textOf);
    expect([status, stderr]).toEqual([0, '']);
    for (const text of texts) expect(stdout).toContain(text);
    expect(stdout === texts[0]).toBe(texts.length === 1);
  });

  it.each(EXAMPLE_NAMES)('%s is written', async (name) => {
    const { status, stdout } = await example(name, '--out', 'deploy');
    const names = EXAMPLES[name].map((file) => path.posix.basename(file));
    expect([status, stdout]).toEqual([0, names.map((file) => `${path.join('deploy', file)}\n`).join('')]);
    const written = names.map((file) => readFileSync(path.join(folder, 'deploy', file), 'utf8'));
    expect(written).toEqual(EXAMPLES[name].map(textOf));
  });

  it('overwrites nothing, and writes nothing where one of several files is there', async () => {
    writeFileSync(path.join(folder, 'docvitals-once.timer'), 'mine\n');
    const { status } = await example('systemd-timer', '--out', '.');
    expect([status, readdirSync(folder)]).toEqual([2, ['docvitals-once.timer']]);
    expect((await example('systemd-timer', '--out', '.', '--force')).status).toBe(0);
    expect(readFileSync(path.join(folder, 'docvitals-once.timer'), 'utf8')).toBe(
      textOf('systemd/docvitals-once.timer'),
    );
  });

  it('says so where it cannot write', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    expect((await example('dockerfile', '--out', 'file/below')).status).toBe(3);
  });

  it.each([
    ['an unknown name', ['systemd']],
    ['a folder without a name', ['--out', 'deploy']],
    ['a folder that is empty', ['dockerfile', '--out', '']],
  ])('%s is a mistake', async (_, args) => {
    const { status, stdout, stderr } = await example(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^docvitals: \S.*\n$/);
  });
});

describe('its help', () => {
  it('fits into 80 columns, and shows what can be typed', async () => {
    const { stdout } = await example('--help');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const lines = [...stdout.matchAll(/^ {2}docvitals example ?(.*)$/gm)].map(([, args = '']) => args);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const { status } = await example(...line.split(' ').filter((word) => word !== ''));
      expect({ line, status }).toEqual({ line, status: 0 });
    }
  });
});

describe('what is said of examples', () => {
  it('is said in every language, in its own words and letters', () => {
    const [en, ro, fr] = LANGUAGES.map(examplesWords);
    for (const name of EXAMPLE_NAMES) expect(new Set([en, ro, fr].map((words) => words?.about[name])).size).toBe(3);
    expect(JSON.stringify(ro)).not.toMatch(/[şţŞŢ]/);
    expect(JSON.stringify(fr)).not.toMatch(/ [;?!»]|« |'/);
  });
});
