/** Packages of npm in a folder of their own, with versions that do not change under the comparison. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Found, PeerOptions } from './peer.ts';

interface Manifest {
  readonly version: string;
  readonly bin: string | Readonly<Record<string, string>>;
}

/** Its command, run by the Node that runs this: what npx and the shebang line would add is not counted. */
export function findNpm(name: string, version: string, { folder, progress }: PeerOptions): Found {
  const root = path.join(folder, name);
  if (manifestOf(root, name)?.version !== version) {
    progress(`installing ${name} ${version}`);
    const args = ['install', '--prefix', root, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
    const { status, stderr, error } = spawnSync('npm', args, { encoding: 'utf8' });
    if (status !== 0) return { missing: error?.message ?? stderr.trim().split('\n')[0] ?? `npm: ${status}` };
  }
  const manifest = manifestOf(root, name);
  const bin = typeof manifest?.bin === 'string' ? manifest.bin : manifest?.bin[name];
  if (manifest === undefined || bin === undefined) return { missing: `the package ${name} has no command` };
  const file = path.join(root, 'node_modules', name, bin);
  return { argv: [process.execPath, file], env: {}, version: manifest.version };
}

function manifestOf(root: string, name: string): Manifest | undefined {
  const file = path.join(root, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
}
