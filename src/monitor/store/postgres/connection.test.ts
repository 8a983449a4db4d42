import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../store.ts';
import { recordset, storeErrorOf, time, withoutZero } from './connection.ts';

const NAME = 'postgres://db.example/monitor';

describe('an error of PostgreSQL', () => {
  const fromServer = (code: string): Error => Object.assign(new DatabaseError('refused', 7, 'error'), { code });
  const fromSystem = (code: string | undefined, message: string): Error => Object.assign(new Error(message), { code });

  it.each([
    ['25006', 'read-only'],
    ['3D000', 'unreadable'],
    ['3F000', 'missing'],
    ['40P01', 'busy'],
    ['42P07', 'foreign'],
    ['53100', 'full'],
    ['57014', 'busy'],
    ['57P03', 'unreadable'],
    ['08006', 'unreadable'],
    ['28P01', 'unreadable'],
  ] as const)('with the code %s means that the database is %s', (code, problem) => {
    const error = storeErrorOf(fromServer(code), NAME);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ problem, file: NAME, message: 'refused' });
  });

  it.each([
    'ECONNREFUSED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'ERR_SSL_WRONG_VERSION',
    'UNABLE_TO_GET_CRL',
    'CERT_HAS_EXPIRED',
  ])('of the system with the code %s means that the database is unreadable', (code) => {
    const error = storeErrorOf(fromSystem(code, 'why'), NAME);
    expect(error).toMatchObject({ name: 'StoreError', problem: 'unreadable', message: 'why' });
  });

  it('without a message has its code as the message', () => {
    expect(storeErrorOf(fromSystem('ECONNREFUSED', ''), NAME)).toMatchObject({ message: 'ECONNREFUSED' });
  });

  it('without a code is one of the connection if its message is about that', () => {
    const ended = fromSystem(undefined, 'Connection terminated unexpectedly');
    expect(storeErrorOf(ended, NAME)).toMatchObject({ problem: 'unreadable', message: ended.message });
  });

  it('stays as it is where it is a bug, or known already', () => {
    const known = new StoreError('full', NAME, 'no space');
    const others = [known, fromServer('42601'), fromSystem(undefined, 'x is not a function'), 'text', undefined];
    for (const error of [
      ...others,
      fromSystem('ERR_INVALID_ARG_TYPE', 'not a string'),
      new DatabaseError('', 0, 'error'),
    ])
      expect(storeErrorOf(error, NAME)).toBe(error);
  });
});

describe('a value for PostgreSQL', () => {
  it('is a time between the years 1 and 9999', () => {
    expect([0.6, -1e15, 1e15].map(time)).toEqual([
      '1970-01-01T00:00:00.001Z',
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ]);
  });

  it('has no character 0', () => {
    expect(withoutZero(['a\0b', ['\0'], 7, null])).toEqual(['a\u{FFFD}b', ['\u{FFFD}'], 7, null]);
    expect(JSON.parse(recordset([{ a: 'x\0', b: { c: ['\0'], d: 0 } }]))).toEqual([
      { a: 'x\u{FFFD}', b: { c: ['\u{FFFD}'], d: 0 } },
    ]);
  });
});
