import type { HostKind } from '../check.ts';

/** Media types by extension, where all kinds of host agree. */
const COMMON: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  txt: 'text/plain',
  json: 'application/json',
  xml: 'text/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  woff: 'font/woff',
  woff2: 'font/woff2',
  pdf: 'application/pdf',
  zip: 'application/zip',
  wasm: 'application/wasm',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** nginx knows no Markdown, no modules and no fonts but WOFF; its `ico` is not the registered type. */
const SERVER = { ...COMMON, js: 'application/javascript', ico: 'image/x-icon' };

const REGISTERED = {
  ...COMMON,
  md: 'text/markdown',
  mjs: 'text/javascript',
  js: 'text/javascript',
  ttf: 'font/ttf',
  otf: 'font/otf',
  csv: 'text/csv',
  yaml: 'text/yaml',
  yml: 'text/yaml',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  ico: 'image/vnd.microsoft.icon',
};

const TYPES: Readonly<Record<HostKind, Readonly<Record<string, string>>>> = {
  server: SERVER,
  platform: { ...REGISTERED, js: 'application/javascript', mjs: 'application/javascript' },
  worker: REGISTERED,
};

/** A file's `Content-Type` on a kind of host; `null` where an edge worker's assets have none. */
export function contentTypeOf(path: string, kind: HostKind): string | null {
  const extension = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const types = TYPES[kind];
  const type = Object.hasOwn(types, extension) ? types[extension] : undefined;
  if (type === undefined) return kind === 'worker' ? null : 'application/octet-stream';
  if (kind === 'server') return type;
  const isText = type.startsWith('text/') || (kind === 'platform' && /^application\/(?:json|javascript)$/.test(type));
  return isText ? `${type}; charset=utf-8` : type;
}
