import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileError, shorten, type Source } from './problem.ts';

const SHOWN = 200;
const LONGEST_MS = 10_000;

/**
 * Imports a configuration module (Node strips the types of a `.ts` one) and takes its default export as plain data.
 * A module runs the user's own code; whatever it throws is one mistake. With another `version` it is run again, but not
 * what it imports. Rejects with a `ConfigError`.
 */
export async function readModule(file: string, cwd: string, version?: string): Promise<Source> {
  const address = pathToFileURL(path.resolve(cwd, file));
  if (version !== undefined) {
    // ES modules are cached by their address, CommonJS ones by their path.
    delete createRequire(import.meta.url).cache[fileURLToPath(address)];
    address.searchParams.set('version', version);
  }
  const value = await withinLimit(exportOf(address.href)).catch((error: unknown) => {
    throw fileError(file, { kind: 'module', detail: detailOf(error) });
  });
  if (value === undefined) throw fileError(file, { kind: 'module-export' });
  return { file, value, locate: () => null };
}

async function exportOf(address: string): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ address)) as { readonly default?: unknown };
  return plain(await module.default);
}

/** A module that never exports must not leave the command waiting, or end it in silence. */
async function withinLimit<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = setTimeout(LONGEST_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error(`no export after ${LONGEST_MS / 1000} s`);
  });
  // The timer itself is aborted once there is an export.
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => done.abort());
}

/** Plain data: everything else (functions, symbols, NaN) becomes `null`, which no key accepts. `undefined`: not an object. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'function' || typeof member === 'symbol' ? null : member,
  );
  return JSON.parse(text) as unknown;
}

/** The first line that says something: no stack, nothing of the code. */
function detailOf(error: unknown): string {
  let text: string;
  try {
    text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    text = 'Error';
  }
  return shorten(text.split(/[\r\n]/).find((line) => line.trim() !== '') ?? 'Error', SHOWN);
}
