import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
const spans = [...text.matchAll(/`([^`\s]+)`/g)].map(([, span = '']) => span);

it('ARCHITECTURE.md names files and folders that exist', () => {
  const named = spans.filter((span) => /^(?:src|checks|test)\b/.test(span));
  expect(named.length).toBeGreaterThan(20);
  const exists = (file: string): boolean =>
    existsSync(path.join(ROOT, file.replace('<id>', 'navigation').replace('<language>', 'en')));
  expect(named.filter((file) => !exists(file))).toEqual([]);
});

it('ARCHITECTURE.md names each folder of src', () => {
  const folders = readdirSync(path.join(ROOT, 'src')).filter(
    (name) => name !== 'generated' && statSync(path.join(ROOT, 'src', name)).isDirectory(),
  );
  expect(folders.filter((name) => !text.includes(`src/${name}`))).toEqual([]);
});
