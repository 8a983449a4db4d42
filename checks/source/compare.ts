/** Tells how what is live differs from what it was deployed from. */
import type { Answer, Evidence, Location, Site } from '../../src/check.ts';
import { hrefOfPath } from '../../src/site/link-path.ts';
import { contentHash, normalText } from '../../src/source/content.ts';
import type { EarlierVersion, Source, SourceFile } from '../../src/source/types.ts';

/** How one file differs; `same` where it does not. */
export type Difference =
  | 'same'
  | 'line-endings'
  | 'injected'
  | 'injected-html'
  | 'stale'
  | 'differs'
  | 'alternates'
  | 'not-live'
  | 'unknown';

export interface Comparison {
  readonly path: string;
  readonly difference: Difference;
  readonly evidence: Evidence;
  readonly location?: Location;
  /** The commit that changed what is live still; only with `stale`. */
  readonly replacedBy?: string | null;
}

/** What is live of a file, as hashes; `missing`: the host has no such file; `unknown`: nobody answered. */
export type Live = Pick<SourceFile, 'sha256'> | 'missing' | 'unknown';

/** Where a file of the source is on the site. */
export function urlOf(path: string, base: URL): URL {
  return new URL(`./${hrefOfPath(path)}`, base);
}

/** What an answer says of a file. A host that sends its bundle for missing files sends the same where one is wanted. */
export function liveOf(answer: Answer, wanted: SourceFile, isMissing: (answer: Answer) => boolean): Live {
  if (answer.kind === 'no-reply') return 'unknown';
  const live = answer.status === 200 ? contentHash(answer.body) : 'unknown';
  if (live !== 'unknown' && live.sha256 === wanted.sha256) return live;
  return isMissing(answer) ? 'missing' : live;
}

/** Looks closer at a file that is not the same: asks for it again, and in the history for what is live. */
export async function difference(
  path: string,
  wanted: SourceFile,
  { site, source }: { readonly site: Site; readonly source: Source },
): Promise<Comparison> {
  const answer = await site.pooled({ url: urlOf(path, site.base), accept: '*/*' });
  if (answer.kind === 'no-reply' || answer.status !== 200) return { path, difference: 'unknown', evidence: {} };
  const live = contentHash(answer.body);
  const sizes = { bytes: live.bytes, sourceBytes: wanted.bytes };
  if (live.sha256 === wanted.sha256) return { path, difference: 'alternates', evidence: sizes };
  if (live.textSha256 !== null && live.textSha256 === wanted.textSha256) {
    return { path, difference: 'line-endings', evidence: { ...sizes, live: endings(answer.body) } };
  }
  const own = await source.read(path);
  const [now, then] = [normalText(answer.body), own === null ? null : normalText(own)];
  const place = now === null || then === null ? {} : { location: { path, ...firstDifference(then, now) } };
  if (now !== null && then !== null && then !== '' && isInjected(then, now)) {
    const kind = /\.html?$/i.test(path) ? 'injected-html' : 'injected';
    return { path, difference: kind, evidence: { ...sizes, addedBytes: now.length - then.length }, ...place };
  }
  const versions = await source.history(path);
  const at = versions.findIndex(({ content }) => isSame(content, live));
  const version = versions[at];
  if (version === undefined) return { path, difference: 'differs', evidence: sizes, ...place };
  const { commit, replacedBy } = version;
  return { path, difference: 'stale', evidence: { ...sizes, commit, behind: at }, replacedBy, ...place };
}

function isSame(one: EarlierVersion['content'], other: EarlierVersion['content']): boolean {
  return one.sha256 === other.sha256 || (one.textSha256 !== null && one.textSha256 === other.textSha256);
}

/** What a file's lines end with, and whether it begins with a byte-order mark. */
function endings(body: Uint8Array): string {
  const text = Buffer.from(body).toString('latin1');
  const mark = text.startsWith('\u00ef\u00bb\u00bf') ? 'BOM ' : '';
  if (text.includes('\r\n')) return `${mark}CRLF`;
  return mark + (text.includes('\r') ? 'CR' : 'LF');
}

/** Whether a text is all there, in order, with something added: within one place, or as lines of its own. Linear. */
export function isInjected(source: string, live: string): boolean {
  if (live.length <= source.length) return false;
  let head = 0;
  while (head < source.length && source[head] === live[head]) head++;
  let tail = 0;
  while (tail < source.length - head && source[source.length - 1 - tail] === live[live.length - 1 - tail]) tail++;
  if (head + tail === source.length) return true;
  const wanted = source.split('\n');
  let next = 0;
  for (const line of live.split('\n')) if (line === wanted[next]) next++;
  return next === wanted.length;
}

/** Where two texts begin to differ, in the first; counts from 1. */
function firstDifference(one: string, other: string): { readonly line: number; readonly column: number } {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const before = one.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
