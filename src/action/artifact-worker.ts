/**
 * The thread that uploads an artifact with GitHub's own client: a file of its own, which is read for an upload only. The
 * client writes to standard output and may throw where nothing catches it; a thread keeps both from the job.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { DefaultArtifactClient, GHESNotSupportedError } from '@actions/artifact';

export interface ArtifactRequest {
  readonly name: string;
  readonly folder: string;
  /** Relative to the folder. */
  readonly files: readonly string[];
}

export type ArtifactAnswer =
  | { readonly ok: true; readonly id: number }
  /** `unsupported`: this server has no such artifacts. */
  | { readonly ok: false; readonly unsupported: boolean; readonly message: string };

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(await upload(workerData as ArtifactRequest));

async function upload({ name, folder, files }: ArtifactRequest): Promise<ArtifactAnswer> {
  try {
    const paths = files.map((file) => `${folder}/${file}`);
    const { id } = await new DefaultArtifactClient().uploadArtifact(name, paths, folder);
    return id === undefined ? { ok: false, unsupported: false, message: 'no id' } : { ok: true, id };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, unsupported: error instanceof GHESNotSupportedError, message };
  }
}
