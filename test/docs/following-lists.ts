/** A contributor who follows the lists of `docs/contributing.md`, in a copy of the checkout. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../..');

/** What is written into a file: its new text, made of the present one, which is empty where there is no file yet. */
export type Changes = Readonly<Record<string, (text: string) => string>>;

/** The files that a section of the page lists, with `<id>` filled in, in their order. */
export function listed(heading: string, id: string): readonly string[] {
  const page = readFileSync(path.join(ROOT, 'docs/contributing.md'), 'utf8');
  const section = new RegExp(String.raw`^## ${heading}\n([^]*?)(?=^## )`, 'm').exec(page)?.[1] ?? '';
  // A list item goes on in indented lines.
  const items = section.match(/^\d\. .*(?:\n {3}.*)*/gm) ?? [];
  const named = items.join('\n').matchAll(/`([\w.<>-]+(?:\/[\w.<>-]+)*\.\w+)`/g);
  return [...named].map(([, file = '']) => file.replaceAll('<id>', id));
}

export interface Copy {
  /** Changes the files that are listed, and no others. Returns the listed ones that nothing is known to change. */
  readonly follow: (files: readonly string[], changes: Changes) => readonly string[];
  readonly read: (file: string) => string;
  /** Runs Node there. Status 0, or what was printed. */
  readonly node: (args: readonly string[], env?: Readonly<Record<string, string>>) => 0 | string;
  readonly vitest: (args: readonly string[], env?: Readonly<Record<string, string>>) => 0 | string;
  readonly remove: () => void;
}

const COPIED = ['bin', 'checks', 'dist', 'docs', 'src', 'test', 'README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'];
const SETTINGS = [
  'action.yml',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
];

export function copyOfCheckout(): Copy {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-contributing-'));
  const site = path.join(ROOT, 'dist/site');
  for (const name of [...COPIED, ...SETTINGS]) {
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: (from) => from !== site });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const at = (file: string): string => path.join(folder, file);
  const read = (file: string): string => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : '');
  const node: Copy['node'] = (args, env = {}) => {
    // Not the report that this run of the tests writes.
    const { TEST_REPORT: _report, ...inherited } = process.env;
    const ran = spawnSync(process.execPath, args, { cwd: folder, env: { ...inherited, ...env }, encoding: 'utf8' });
    return ran.status === 0 ? 0 : `${ran.stdout}${ran.stderr}`;
  };
  return {
    read,
    node,
    vitest: (args, env) => node(['node_modules/vitest/vitest.mjs', 'run', ...args], env),
    follow: (files, changes) => {
      for (const file of files) {
        const text = changes[file]?.(read(file));
        if (text === undefined) continue;
        mkdirSync(path.dirname(at(file)), { recursive: true });
        writeFileSync(at(file), text);
      }
      return files.filter((file) => changes[file] === undefined);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
