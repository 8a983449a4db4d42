/**
 * `npm run docs`: writes the documentation site into `dist/site`, or into the folder that is named. For a deployment:
 * `npm run docs -- --url https://docvitals.github.io/docvitals/`.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../output.ts';
import { buildSite } from './build.ts';

const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true });
const target = path.resolve(positionals[0] ?? path.join(ROOT, 'dist/site'));
await buildSite(target, values.url === undefined ? null : new URL(values.url));
console.log(`wrote the documentation to ${path.relative(process.cwd(), target) || '.'}`);
