import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fileProblem, shorten, type Expected, type ReadSource } from './problem.ts';

const SHOWN = 200;
const LONGEST_MS = 10_000;

/**
 * Imports a configuration module (Node strips the types of a `.ts` one) and takes its default export as plain data.
 * A module runs the user's own code; whatever it throws is one problem. With another `version` it is run again, but not
 * what it imports. Never rejects.
 */
export async function readModule(file: string, cwd: string, version?: string): Promise<ReadSource> {
  const problem = (expected: Expected): ReadSource => ({ ok: false, problems: [fileProblem(file, expected)] });
  try {
    const address = pathToFileURL(path.resolve(cwd, file));
    if (version !== undefined) {
      // ES modules are cached by their address, CommonJS ones by their path.
      delete createRequire(import.meta.url).cache[fileURLToPath(address)];
      address.searchParams.set('version', version);
    }
    const exported = await withinLimit(exportOf(address.href));
    if (typeof exported !== 'object' || exported === null) return problem({ kind: 'module-export' });
    return { ok: true, source: { file, value: plain(exported), locate: () => null } };
  } catch (error) {
    return problem({ kind: 'module', detail: detailOf(error) });
  }
}

async function exportOf(address: string): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ address)) as { readonly default?: unknown };
  return await module.default;
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

/** Plain data: everything else (functions, symbols, NaN) becomes `null`, which no key accepts. */
function plain(value: unknown): unknown {
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
