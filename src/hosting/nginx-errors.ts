import { gzipSync } from 'node:zlib';
import { takesGzip } from './accept.ts';
import type { HostRequest, HostResponse } from './exchange.ts';
import type { HostRules } from './rules.ts';

const REASONS = {
  301: 'Moved Permanently',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Not Allowed',
  412: 'Precondition Failed',
  416: 'Requested Range Not Satisfiable',
} as const;

/** The statuses of errors whose page nginx compresses, as it does those of files. */
const COMPRESSED = new Set([403, 404]);

/** nginx's own page for a status, as it looks with `server_tokens off`. */
export function errorPage(
  status: keyof typeof REASONS,
  request: HostRequest,
  { improved }: Pick<HostRules, 'improved'>,
): HostResponse {
  const title = `${status} ${REASONS[status]}`;
  const lines = [
    '<html>',
    `<head><title>${title}</title></head>`,
    '<body>',
    `<center><h1>${title}</h1></center>`,
    '<hr><center>nginx</center>',
    '</body>',
    '</html>',
    '',
  ];
  const page = Buffer.from(lines.join('\r\n'));
  const type = ['Content-Type', improved ? 'text/html; charset=utf-8' : 'text/html'] as const;
  const isCompressible = COMPRESSED.has(status);
  const vary = improved && isCompressible ? ([['Vary', 'Accept-Encoding']] as const) : [];
  const isGzip = isCompressible && takesGzip(request.headers['accept-encoding'] ?? '');
  const length = isGzip ? (['Content-Encoding', 'gzip'] as const) : (['Content-Length', String(page.length)] as const);
  const body = isGzip ? gzipSync(page) : page;
  return { status, headers: [type, length, ...vary], body: request.method === 'HEAD' ? new Uint8Array() : body };
}
