import { readFile } from 'node:fs/promises';
import { readFolder } from './folder.ts';
import { readable, SourceError } from './content.ts';
import type { Source, SourceFile } from './types.ts';

const LARGEST = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;

/**
 * The manifest of a folder as text, its files by path, sorted, `except` one; the same files give the same bytes. Rejects with a
 * `SourceError` for a folder that cannot be read or holds nothing to deploy.
 */
export async function writeManifest(folder: string, except: string | null = null): Promise<string> {
  const files = [...(await readFolder(folder)).files].filter(([path]) => path !== except);
  if (files.length === 0) throw new SourceError('no files to deploy');
  const manifest = { schemaVersion: 1, algorithm: 'sha256', files: Object.fromEntries(files) };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

export async function manifestSource(name: string, file: string): Promise<Source> {
  const files = await readManifest(file);
  const nothing = (): Promise<null> => Promise.resolve(null);
  return {
    name,
    kind: 'manifest',
    files: () => Promise.resolve(files),
    skipped: () => Promise.resolve([]),
    repositoryFolder: nothing,
    read: nothing,
    history: nothing,
  };
}

async function readManifest(file: string): Promise<ReadonlyMap<string, SourceFile>> {
  const value = await readable(async (): Promise<unknown> => {
    const text = await readFile(file, 'utf8');
    if (text.length > LARGEST) throw new SourceError(`larger than ${LARGEST} bytes`);
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  });
  const { schemaVersion, algorithm, files } = isRecord(value) ? value : {};
  if (schemaVersion !== 1 || algorithm !== 'sha256' || !isRecord(files)) {
    throw new SourceError('no manifest of docvitals: schemaVersion 1, algorithm sha256, files');
  }
  return new Map(Object.entries(files).map(([path, entry]) => [path, fileOf(path, entry)]));
}

function fileOf(path: string, entry: unknown): SourceFile {
  const isInside = path.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isRecord(entry) || !isInside) throw new SourceError(`files: ${path}`);
  const { bytes, sha256, textSha256 } = entry;
  const isHash = (hash: unknown): hash is string => typeof hash === 'string' && HASH.test(hash);
  if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new SourceError(`files: ${path}: bytes`);
  if (!isHash(sha256)) throw new SourceError(`files: ${path}: sha256`);
  if (textSha256 !== null && !isHash(textSha256)) throw new SourceError(`files: ${path}: textSha256`);
  return { bytes, sha256, textSha256 };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
