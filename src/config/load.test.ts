import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MonitorPart } from './config.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { loadConfig } from './load.ts';
import { ConfigError, type ConfigProblem } from './problem.ts';
import { renderProblem } from './messages.ts';

const env = { TOKEN: 'c0rrect-h0rse', HOST: 'docs.example.org' };
const known = {
  builtIn: { bundle: [], config: [], navigation: ['no-links'], home: [], 'llms-txt': [] },
  own: [],
  full: [],
};

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'docvitals-config-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true, force: true });
});

const write = (name: string, text: string | Uint8Array) => writeFile(path.join(cwd, name), text);

/** The mistakes that loading a configuration rejects with. */
async function problemsOf(loading: Promise<unknown>): Promise<readonly ConfigProblem[]> {
  try {
    await loading;
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

const problems = (file?: string) => problemsOf(loadConfig({ cwd, file, env, known }));

describe('the file', () => {
  it('may be absent: all defaults', async () => {
    expect(await loadConfig({ cwd, env, known })).toEqual({
      config: DEFAULT_CONFIG,
      file: null,
      text: null,
      hints: [],
    });
  });

  it('may be in a folder that is not there', async () => {
    expect(await loadConfig({ cwd: path.join(cwd, 'none'), env, known })).toMatchObject({ file: null });
  });

  it('is not looked for in parents', async () => {
    await write('docvitals.yaml', 'strict: true');
    await mkdir(path.join(cwd, 'inner'));
    expect(await loadConfig({ cwd: path.join(cwd, 'inner'), env, known })).toMatchObject({ file: null });
  });

  it.each([
    ['docvitals.yaml', 'strict: true'],
    ['docvitals.yml', 'strict: true'],
    ['docvitals.json', '{\n\t"$schema": "https://x.example/s",\n\t"strict": true\n}'],
    ['docvitals.config.ts', 'const strict: boolean = true;\nexport default { strict, url: undefined };'],
    ['docvitals.config.mjs', 'export default { strict: true };'],
    ['docvitals.config.js', 'module.exports = { strict: true };'],
  ])('%s is found', async (name, text) => {
    await write(name, text);
    expect(await loadConfig({ cwd, env, known })).toMatchObject({ file: name, config: { strict: true } });
  });

  it('named first wins, in the documented order', async () => {
    await write('docvitals.json', '{"strict": false}');
    await write('docvitals.yaml', 'strict: true');
    expect(await loadConfig({ cwd, env, known })).toMatchObject({
      file: 'docvitals.yaml',
      config: { strict: true },
    });
  });

  it('named first wins even when it is empty', async () => {
    await write('docvitals.json', '{"strict": true}');
    await write('docvitals.yaml', '');
    expect(await loadConfig({ cwd, env, known })).toMatchObject({
      file: 'docvitals.yaml',
      config: { strict: false },
    });
  });

  it.each(['other.yaml', 'other', './other.json'])('given as %s is read instead of the one found', async (file) => {
    await write('docvitals.yaml', 'strict: false');
    await write(file, '{"strict": true}');
    expect(await loadConfig({ cwd, file, env, known })).toMatchObject({ file, config: { strict: true } });
  });

  it('given as an absolute path is read', async () => {
    await write('other.yml', 'strict: true');
    const file = path.join(cwd, 'other.yml');
    expect(await loadConfig({ cwd, file, env, known })).toMatchObject({ file, config: { strict: true } });
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['missing', 'none.yaml', { kind: 'not-found' }],
    ['a missing module', 'none.ts', { kind: 'not-found' }],
    ['a folder', 'folder.yaml', { kind: 'unreadable', code: expect.stringMatching(/^E[A-Z]+$/) as string }],
    ['of another type', 'docvitals.toml', { kind: 'file-type' }],
    ['too large', 'large.yaml', { kind: 'too-large', most: '1MiB' }],
    ['a module that throws', 'throws.mjs', { kind: 'module', detail: 'TypeError: first' }],
    ['a module that throws nothing', 'nothing.mjs', { kind: 'module', detail: 'undefined' }],
    ['a module without a default', 'bare.mjs', { kind: 'module-export' }],
    ['a module with a function', 'function.mjs', { kind: 'module-export' }],
  ])('%s is one problem of the file', async (_, file, expected) => {
    await mkdir(path.join(cwd, 'folder.yaml'));
    await write('large.yaml', `# ${'x'.repeat(1 << 20)}`);
    await write('throws.mjs', 'throw new TypeError("first\\nsecond")');
    await write('nothing.mjs', 'throw undefined');
    await write('bare.mjs', 'export const url = 1;');
    await write('function.mjs', 'export default () => ({});');
    expect(await problems(file)).toEqual([{ file, line: null, column: null, key: '', expected }]);
  });

  it.each([
    ['broken code', 'broken.mjs', 'export default {'],
    ['broken types', 'broken.ts', 'export default { url: as as };'],
    ['an import that is not there', 'import.mjs', 'import "./none.js";'],
    ['a value that leads into itself', 'cycle.mjs', 'const a = {}; a.limits = a; export default a;'],
  ])('a module with %s is one line', async (_, file, text) => {
    await write(file, text);
    const [problem, ...more] = await problems(file);
    expect(problem?.expected.kind).toBe('module');
    expect(more).toEqual([]);
    expect(problem && renderProblem(problem, 'en')).not.toMatch(/\n|\s+at /);
  });

  it('is reported by key where it is a module', async () => {
    await write(
      'docvitals.config.mjs',
      'export default { limits: { timeout: 5 }, only: [() => 1], headers: { A: Symbol() } };',
    );
    const found = await problems();
    expect(found.map(({ line, key, expected: { kind } }) => [line, key, kind])).toEqual([
      [null, 'only[0]', 'text'],
      [null, 'limits.timeout', 'duration-unit'],
      [null, 'headers.A', 'text'],
    ]);
  });

  it.each([
    ['a trailing comma', '{\n  "strict": true,\n}', '2:17  json-trailing-comma'],
    ['a comment', '{ // x\n}', '1:3  json-comment'],
    ['a key twice', '{\n  "strict": true,\n  "strict": true }', '3:3 strict duplicate-key'],
    ['an unknown key', '{\n\t"limits": { "tmeout": "1s" } }', '2:14 limits.tmeout unknown-key'],
    ['a key too long for YAML', `{ "${'x'.repeat(2000)}": 1 }`, `1:3 ${'x'.repeat(2000)} unknown-key`],
    ['a list', '[]', '1:1  mapping'],
    ['null', 'null', '1:1  mapping'],
    ['nesting beyond the stack', `{"checks": ${'['.repeat(50_000)}${']'.repeat(50_000)} }`, '1:13 checks[0] mapping'],
  ])('docvitals.json with %s', async (_, text, expected) => {
    await write('docvitals.json', text);
    const [problem] = await problems();
    expect(`${problem?.line}:${problem?.column} ${problem?.key} ${problem?.expected.kind}`).toBe(expected);
  });
});

const TEXT = `url: https://docs.example/
headers: { Authorization: "\${TOKEN}" }
sites: [{ id: docs, url: "https://\${HOST}/" }]
alerts: [{ id: ops, webhook: { url: "\${HOOK}" } }]
monitor:
  database: "\${STATE}/docvitals.db"
  heartbeat: { url: "\${BEAT}" }
`;

/** The keys whose variables are missed. */
async function missed(needed: readonly MonitorPart[] | undefined): Promise<readonly string[]> {
  await write('docvitals.yaml', TEXT);
  return (await problemsOf(loadConfig({ cwd, env: {}, known, needed }))).map(({ key }) => key);
}

describe('variables that are not set', () => {
  it.each<[string, readonly MonitorPart[] | undefined, readonly string[]]>([
    ['everything', undefined, ['sites[0].url', 'alerts[0].webhook.url', 'monitor.database', 'monitor.heartbeat.url']],
    ['nothing of the monitor', [], []],
    ['the sites', ['sites'], ['sites[0].url']],
    ['where the database is', ['monitor'], ['monitor.database']],
    ['the heartbeat', ['heartbeat'], ['monitor.heartbeat.url']],
    ['routes', ['alerts'], ['alerts[0].webhook.url']],
  ])('are mistakes where a command uses %s', async (_name, needed, keys) => {
    expect(await missed(needed)).toEqual(['headers.Authorization', ...keys]);
  });
});
