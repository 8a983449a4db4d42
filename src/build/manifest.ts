/**
 * npm's `prepack` and `postpack`: the packed package.json has no scripts, since npm warns about an install of a package
 * with a life-cycle script, and none of them works without the sources. Between the two, the original is beside it.
 */
import { constants, copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './output.ts';

const MANIFEST = path.join(ROOT, 'package.json');
const ORIGINAL = `${MANIFEST}.original`;

function withoutScripts(): void {
  try {
    copyFileSync(MANIFEST, ORIGINAL, constants.COPYFILE_EXCL);
  } catch {
    console.error('pack: package.json.original exists: a pack is running, or was stopped.');
    console.error('pack: If none is running, restore package.json with `node src/build/manifest.ts postpack`.');
    process.exit(1);
  }
  const manifest = JSON.parse(readFileSync(ORIGINAL, 'utf8')) as object;
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, scripts: undefined }, undefined, 2)}\n`);
}

if (process.argv[2] === 'prepack') withoutScripts();
else renameSync(ORIGINAL, MANIFEST);
