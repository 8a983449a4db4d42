/** Uploads the report files as an artifact of the workflow run. What goes wrong is a value, never a throw. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { printable } from '../printable.ts';
import type { ArtifactAnswer, ArtifactRequest } from './artifact-worker.ts';

/** `problem`: why there is none; `detail`: in the words of the service, or empty. */
type Upload =
  | { readonly id: string; readonly url: string; readonly problem?: undefined }
  | { readonly problem: 'unavailable' | 'taken' | 'late' | 'failed'; readonly detail: string };

export type Artifact = Extract<Upload, { readonly id: string }>;

export const UPLOAD_SECONDS = 60;
export const MOST_MIB = 50;
const LONGEST_DETAIL = 300;

/** The files that there is room for, in the given order, and those that are left out. Paths are relative to the folder. */
export async function filesWithin(folder: string, files: readonly string[], mostBytes: number = MOST_MIB * 2 ** 20) {
  const taken: string[] = [];
  const left: string[] = [];
  let room = mostBytes;
  for (const file of files) {
    const size = (await stat(path.join(folder, file)).catch(() => null))?.size ?? Infinity;
    const fits = size <= room;
    if (fits) room -= size;
    (fits ? taken : left).push(file);
  }
  return { taken, left };
}

/** Uploads files of a folder. `runUrl`: the page of the workflow run. `null`: cancelled. */
export async function uploadArtifact(
  request: ArtifactRequest,
  runUrl: string,
  env: NodeJS.ProcessEnv,
  cancelled: AbortSignal,
): Promise<Upload | null> {
  // The runner sets them for actions only; other servers and emulators do not.
  if (!env['ACTIONS_RESULTS_URL'] || !env['ACTIONS_RUNTIME_TOKEN']) return { problem: 'unavailable', detail: '' };
  if (cancelled.aborted) return null;
  const late = AbortSignal.timeout(UPLOAD_SECONDS * 1000);
  const answer = await inThread(request, env, AbortSignal.any([cancelled, late]));
  if (answer === null) return cancelled.aborted ? null : { problem: 'late', detail: '' };
  if (answer.ok) return { id: String(answer.id), url: `${runUrl}/artifacts/${answer.id}` };
  if (answer.unsupported) return { problem: 'unavailable', detail: '' };
  // The first line; the query of an address may have a signature.
  const [line = ''] = answer.message.trim().split('\n');
  const detail = printable(line.replaceAll(/\?\S*/g, '')).slice(0, LONGEST_DETAIL);
  return { problem: answer.message.includes('(409)') ? 'taken' : 'failed', detail };
}

async function inThread(request: ArtifactRequest, env: NodeJS.ProcessEnv, signal: AbortSignal) {
  const worker = new Worker(new URL('./artifact.mjs', import.meta.url), {
    workerData: request,
    env,
    // The library writes its progress and, for debugging, signed addresses.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  try {
    return await new Promise<ArtifactAnswer | null>((resolve) => {
      const fail = (message: string): void => resolve({ ok: false, unsupported: false, message });
      worker.once('message', resolve);
      worker.once('error', (error) => fail(error instanceof Error ? error.message : String(error)));
      worker.once('exit', (code) => fail(`exit ${code}`));
      signal.addEventListener('abort', () => resolve(null), { once: true });
    });
  } finally {
    await worker.terminate();
  }
}
