/** `npm run docs`: writes the documentation site into `dist/site`, or into the folder that is named. */
import path from 'node:path';
import { ROOT } from '../output.ts';
import { buildSite } from './build.ts';

const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist/site'));
await buildSite(target);
console.log(`wrote the documentation to ${path.relative(process.cwd(), target) || '.'}`);
