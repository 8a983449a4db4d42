import { existsSync, globSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');

it('each test beside the sources is named after the module that it tests', () => {
  const tests = globSync('{src,checks}/**/*.test.ts', { cwd: ROOT, exclude: ['src/monitor/**'] });
  expect(tests.length).toBeGreaterThan(100);
  const moduleOf = (test: string): string => path.join(ROOT, test.replace(/(?:\.long)?\.test\.ts$/, ''));
  expect(tests.filter((test) => !['.ts', '.cts'].some((ending) => existsSync(moduleOf(test) + ending)))).toEqual([]);
});
