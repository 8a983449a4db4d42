import { describe, expect, it } from 'vitest';
import { withinTime } from './time-limit.ts';

function forever(): never {
  for (;;);
}

describe('withinTime', () => {
  it('gives the value', () => {
    expect(withinTime(1000, () => 3)).toEqual({ done: true, value: 3 });
  });

  it('interrupts an endless loop, past its catch and finally', () => {
    const seen: string[] = [];
    const limited = withinTime(20, () => {
      try {
        forever();
      } catch {
        seen.push('catch');
      } finally {
        seen.push('finally');
      }
    });
    expect([limited, seen]).toEqual([{ done: false }, []]);
  });

  it('passes errors through and works after them', () => {
    expect(() => withinTime(1000, () => JSON.parse('{') as unknown)).toThrow(SyntaxError);
    expect(withinTime(1000, () => 4)).toEqual({ done: true, value: 4 });
  });

  it('nests', () => {
    const outer = withinTime(20_000, () => [withinTime(20, forever), withinTime(1000, () => 5)]);
    expect(outer).toEqual({ done: true, value: [{ done: false }, { done: true, value: 5 }] });
  });

  it('interrupts what is nested with what is around it', () => {
    expect(withinTime(20, () => withinTime(20_000, forever))).toEqual({ done: false });
  });

  it('runs nothing without time', () => {
    expect(withinTime(0, forever)).toEqual({ done: false });
  });
});
