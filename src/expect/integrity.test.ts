import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../../checks/assets/load.ts';

const BODY = Buffer.from('start()');
const digest = (name: string, body = BODY): string => `${name}-${createHash(name).update(body).digest('base64')}`;
const OTHER = Buffer.from('stop()');

describe('integrityOf', () => {
  it.each([
    { name: 'sha256', value: digest('sha256'), is: true },
    { name: 'sha384', value: digest('sha384'), is: true },
    { name: 'sha512', value: digest('sha512'), is: true },
    { name: 'options', value: `${digest('sha256')}?ct=x`, is: true },
    { name: 'one of two', value: `${digest('sha256', OTHER)}\n ${digest('sha256')}`, is: true },
    { name: 'the strongest counts', value: `${digest('sha512')} ${digest('sha256', OTHER)}`, is: true },
    { name: 'the strongest does not match', value: `${digest('sha512', OTHER)} ${digest('sha256')}`, is: false },
    { name: 'base64url', value: digest('sha256').replaceAll('+', '-').replaceAll('/', '_').replace('=', ''), is: true },
    { name: 'another body', value: digest('sha256', OTHER), is: false },
    { name: 'nothing', value: '', is: true },
    { name: 'an unknown function', value: 'md5-AAAA', is: true },
    { name: 'nonsense', value: 'sha256- sha384', is: true },
  ])('$name: $is', ({ value, is }) => {
    expect(integrityOf(value, BODY).ok).toBe(is);
  });

  it('reports both digests', () => {
    expect(integrityOf(digest('sha384', OTHER), BODY)).toEqual({
      ok: false,
      expected: [digest('sha384', OTHER)],
      actual: digest('sha384'),
    });
  });
});
