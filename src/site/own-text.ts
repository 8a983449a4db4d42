import { isOk } from '../expect/reply.ts';
import type { Site } from './types.ts';

/** Of a page, in bytes; and more than `Loading …`, in characters. */
const LONGEST_READ = 64 * 1024;
const SHORTEST_TEXT = 100;

/** Whether visitors can read the page of an unknown engine without its scripts and files: it is never down for lack of them. */
export async function hasOwnText(site: Site): Promise<boolean> {
  const [bundle, { assumed }] = await Promise.all([site.bundle(), site.engine()]);
  if (!assumed || !isOk(bundle)) return false;
  const { visibleLength } = await import('../parse/html-links.ts');
  return visibleLength(Buffer.from(bundle.body.subarray(0, LONGEST_READ)).toString('utf8')) >= SHORTEST_TEXT;
}
