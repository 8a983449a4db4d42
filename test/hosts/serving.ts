/** A few files of the sample site, deployed into a folder of their own. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILES } from '../faults/fault.ts';
import { sampleSite, writeSite } from '../site/sample.ts';

/** The files that a fault may change, and two folders of others. */
const FEW = new Map(
  [...sampleSite()].filter(
    ([path]) => [...Object.values(FILES), 'app.js'].includes(path) || /^(?:stations|start)\//.test(path),
  ),
);

/** Writes files into a new folder; returns it. */
export function deploy(files: ReadonlyMap<string, Uint8Array | string> = FEW): string {
  const dir = mkdtempSync(join(tmpdir(), 'docvitals-site-'));
  writeSite(files, dir);
  return dir;
}
