import { describe, expect, it } from 'vitest';
import { isTemporary } from './reasons.ts';

describe('isTemporary', () => {
  it('is true for errors of servers, 408, 425 and 429', () => {
    expect([500, 502, 503, 599, 408, 425, 429].filter((status) => !isTemporary(status))).toEqual([]);
    expect([200, 304, 400, 404, 410, 426, 428, 451, 499].filter(isTemporary)).toEqual([]);
  });
});
