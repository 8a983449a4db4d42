/**
 * `npm run version`: makes the next version from the changesets, in package.json, package-lock.json and CHANGELOG.md of
 * the folder that it runs in. The release workflow runs it for the pull request "Version Packages".
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

interface Lock {
  version: string;
  packages: Record<string, { version?: string }>;
}

const bin = createRequire(path.resolve('package.json')).resolve('@changesets/cli/bin.js');
execFileSync(process.execPath, [bin, 'version'], { stdio: 'inherit' });

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
lock.version = version;
lock.packages[''] = { ...lock.packages[''], version };
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
