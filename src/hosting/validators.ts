import { createHash } from 'node:crypto';
import type { FileEntry, HostRequest } from './exchange.ts';

/** nginx's tag: the time of the last change in seconds and the size, in hexadecimal. */
export function serverTag({ modified, bytes }: FileEntry): string {
  return `"${seconds(modified).toString(16)}-${bytes.length.toString(16)}"`;
}

/** The tag of a host that knows a file by its content. */
export function contentTag({ bytes }: FileEntry): string {
  return `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
}

/** Whether a list of tags (`If-None-Match`) names a tag; weak and strong ones count alike (RFC 9110, section 13.1.2). */
export function names(list: string, tag: string): boolean {
  return list.trim() === '*' || list.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** As nginx has it: where both conditions are sent, both have to hold; the date has to be the very same. */
export function notModified({ headers }: HostRequest, { modified }: FileEntry, tag: string): boolean {
  const since = headers['if-modified-since'];
  const match = headers['if-none-match'];
  if (since === undefined && match === undefined) return false;
  if (since !== undefined && Math.floor(Date.parse(since) / 1000) !== seconds(modified)) return false;
  return match === undefined || names(match, tag);
}

/** Whether the client only wants a file that is still as it knows it, and it is not. */
export function preconditionFails({ headers }: HostRequest, { modified }: FileEntry, tag: string): boolean {
  const since = headers['if-unmodified-since'];
  // What is no date is long ago.
  if (since !== undefined && seconds(modified) > Math.floor((Date.parse(since) || 0) / 1000)) return true;
  const match = headers['if-match'];
  if (match === undefined || match.trim() === '*') return false;
  return !match.split(',').some((one) => one.trim() === tag);
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
