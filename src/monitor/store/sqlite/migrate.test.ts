import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { migrate, versionOf } from '../open.ts';

const STEPS = [
  'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)',
  'ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1',
  'CREATE TABLE b AS SELECT x + y AS sum FROM a',
];

describe('migrations', () => {
  let folder = '';
  let connection: Connection;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvitals-migrate-'));
    connection = new Connection(path.join(folder, 'a.db'), { access: 'write', busyMs: 0 });
  });
  afterEach(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });

  it.each([0, 1, 2, 3])('go on from version %i', (version) => {
    migrate(connection, STEPS.slice(0, version));
    expect(versionOf(connection, 3)).toBe(version);
    migrate(connection, STEPS);
    migrate(connection, STEPS);
    expect(versionOf(connection, 3)).toBe(3);
    expect(connection.value('SELECT sum FROM b')).toBe(3);
  });

  it('are made wholly or not at all', () => {
    migrate(connection, STEPS.slice(0, 1));
    expect(() => migrate(connection, [...STEPS, 'INSERT INTO nowhere VALUES (1)'])).toThrow('nowhere');
    expect(versionOf(connection, 3)).toBe(1);
    expect(connection.all('SELECT * FROM a')).toEqual([{ x: 1 }]);
    migrate(connection, STEPS);
    expect(connection.value('SELECT sum FROM b')).toBe(3);
  });

  it('are not made over tables of no known form', () => {
    migrate(connection, STEPS);
    connection.exec('PRAGMA user_version = 0');
    expect(() => migrate(connection, STEPS)).toThrow(expect.objectContaining({ problem: 'foreign' }));
    expect(connection.value('SELECT sum FROM b')).toBe(3);
  });

  it('are not made backwards', () => {
    migrate(connection, STEPS);
    expect(() => migrate(connection, STEPS.slice(0, 2))).toThrow(expect.objectContaining({ problem: 'newer' }));
  });
});
