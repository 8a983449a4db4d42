import { UsageError, type CheckFlags } from './arguments.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checks } from '../../checks/index.ts';
import { DEFAULT_CONFIG, type Config } from '../config/config.ts';
import { messagesIn } from '../locales/messages.ts';
import { runOptions, type RunPlan } from './run-options.ts';

const LOCATION = { path: 'build.json', pick: null };
const CORE = ['bundle', 'config', 'navigation', 'home', 'llms-txt'];

const planOf = (flags: Partial<CheckFlags>, config: Partial<Config> = {}): Promise<RunPlan> =>
  runOptions(
    'https://docs.example/',
    { format: 'pretty', color: true, ...flags },
    { config: { ...DEFAULT_CONFIG, ...config }, language: 'en', checks, file: null, text: null, isProposal: false },
    {},
  );
const idsOf = ({ checks: chosen }: RunPlan): string[] => chosen.map(({ id }) => id);
const SOURCE = import.meta.dirname;

describe('which checks know whether the site is fresh', () => {
  const rows: readonly {
    name: string;
    flags: Partial<CheckFlags>;
    config?: Partial<Config>;
    ids: readonly string[];
  }[] = [
    { name: 'nothing is expected', flags: {}, ids: CORE },
    { name: 'only waiting', flags: { wait: 1000 }, ids: CORE },
    { name: 'a version', flags: { expectVersion: 'abc1234' }, ids: [...CORE, 'deployed-version'] },
    { name: 'an ETag', flags: { since: { etag: '"a"' } }, ids: [...CORE, 'deployed-version'] },
    { name: 'now', flags: { since: 'now', wait: 1000 }, ids: [...CORE, 'deployed-version'] },
    { name: 'a source', flags: { source: SOURCE }, ids: [...CORE, 'source'] },
    {
      name: 'a source and a version',
      flags: { source: SOURCE, expectVersion: '1' },
      ids: [...CORE, 'source', 'deployed-version'],
    },
    {
      name: 'some checks and a version',
      flags: { only: ['home'], expectVersion: '1' },
      ids: ['home', 'deployed-version'],
    },
    { name: 'some checks and a source', flags: { only: ['home'], source: SOURCE }, ids: ['home'] },
    {
      name: 'some checks, waiting for a source',
      flags: { only: ['home'], source: SOURCE, wait: 1000 },
      ids: ['home', 'source'],
    },
    {
      name: 'some checks of the configuration, and a version',
      flags: { expectVersion: '1' },
      config: { only: ['home'] },
      ids: ['home', 'deployed-version'],
    },
    { name: 'a version that is left out', flags: { skip: ['deployed-version'], expectVersion: '1' }, ids: CORE },
    { name: 'a place without a version', flags: {}, config: { versionFrom: LOCATION }, ids: CORE },
  ];

  it.each(rows)('$name', async ({ flags, config = {}, ids }) => {
    expect(idsOf(await planOf(flags, config))).toEqual(ids);
  });
});

describe('what is waited for and left out', () => {
  it.each<[string, Partial<CheckFlags>, boolean]>([
    ['the source', { source: SOURCE, skip: ['source'], wait: 1000 }, true],
    ['the version', { expectVersion: '1', skip: ['deployed-version'], wait: 1000 }, true],
    ['the bundle', { since: 'now', skip: ['deployed-version'], wait: 1000 }, true],
    ['the source, without waiting', { source: SOURCE, skip: ['source'] }, false],
    [
      'a version that need not be told',
      { expectVersion: '1', versionOptional: true, skip: ['deployed-version'], wait: 1 },
      false,
    ],
    ['another check', { source: SOURCE, skip: ['home'], wait: 1000 }, false],
  ])('%s: %o', async (_, flags, isMistake) => {
    const plan = planOf(flags).then(
      () => false,
      (error: unknown) => error instanceof UsageError,
    );
    expect(await plan).toBe(isMistake);
  });
});

describe('what is expected', () => {
  const NONE = { version: null, from: null, optional: false, since: null };
  const rows: readonly { name: string; flags: Partial<CheckFlags>; config?: Partial<Config>; expected: unknown }[] = [
    { name: 'nothing', flags: {}, expected: null },
    { name: 'a version', flags: { expectVersion: '1' }, expected: { ...NONE, version: '1' } },
    {
      name: 'a version and others that are as good',
      flags: { expectVersion: '1', versionAlternatives: ['2'] },
      expected: { ...NONE, version: '1', alternatives: ['2'] },
    },
    {
      name: 'a version that need not be told',
      flags: { expectVersion: '1', versionOptional: true },
      expected: { ...NONE, version: '1', optional: true },
    },
    {
      name: 'a version at a place',
      flags: { expectVersion: '1', versionFrom: LOCATION },
      expected: { ...NONE, version: '1', from: LOCATION },
    },
    {
      name: 'a version at the place of the configuration',
      flags: { expectVersion: '1' },
      config: { versionFrom: LOCATION },
      expected: { ...NONE, version: '1', from: LOCATION },
    },
    {
      name: 'a date, with a place that says nothing of it',
      flags: { since: { modifiedMs: 5 } },
      config: { versionFrom: LOCATION },
      expected: { ...NONE, since: { modifiedMs: 5 } },
    },
    { name: 'what is not known yet', flags: { since: 'now', wait: 1000 }, expected: null },
    {
      name: 'a version and what is not known yet',
      flags: { since: 'now', wait: 1000, expectVersion: '1' },
      expected: { ...NONE, version: '1' },
    },
  ];

  it.each(rows)('$name', async ({ flags, config = {}, expected }) => {
    expect((await planOf(flags, config)).requested?.expected).toEqual(expected);
  });
});

describe('a manifest that cannot be read', () => {
  it('is reported without the control characters that it contains', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'docvitals-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = path.join(folder, 'manifest.json');
    const files = { 'a\u001b[2J.md': null };
    writeFileSync(source, JSON.stringify({ schemaVersion: 1, algorithm: 'sha256', files }));
    const error: unknown = await planOf({ source }).catch((reason: unknown) => reason);
    expect((error as UsageError).report(messagesIn('en'))).toContain('files: a␛[2J.md');
  });
});

describe('the waiting', () => {
  it.each([
    { name: 'none', flags: {}, wait: null },
    { name: 'two good rounds', flags: { wait: 5000 }, wait: { forMs: 5000, stable: 2 } },
    { name: 'more', flags: { wait: 5000, stable: 4 }, wait: { forMs: 5000, stable: 4 } },
    {
      name: 'for the bundle to change',
      flags: { wait: 5000, since: 'now' as const },
      wait: { forMs: 5000, stable: 2, sinceNow: true },
    },
  ])('$name', async ({ flags, wait }) => {
    expect((await planOf(flags)).wait).toEqual(wait);
  });
});

describe('what says nothing by itself is a mistake', () => {
  it.each([
    { name: '--stable', flags: { stable: 3 } },
    { name: '--since now', flags: { since: 'now' as const } },
    { name: '--version-from', flags: { versionFrom: LOCATION } },
    { name: '--version-from with another criterion', flags: { versionFrom: LOCATION, since: { etag: '"a"' } } },
    { name: '--only deployed-version', flags: { only: ['deployed-version'] } },
    { name: '--only source', flags: { only: ['source'] } },
  ])('$name', async ({ flags }) => {
    await expect(planOf(flags)).rejects.toBeInstanceOf(UsageError);
  });
});
