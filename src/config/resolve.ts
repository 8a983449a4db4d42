import { isIP } from 'node:net';

/** One `--resolve`: connections to `host` and `port` go to one of `addresses`. */
export interface ResolveEntry {
  /** Lower case; `*` for every host; an IPv6 literal without brackets. */
  readonly host: string;
  readonly port: number;
  /** IPv4 or IPv6, without brackets; at least one. */
  readonly addresses: readonly string[];
}

/**
 * Reads `host:port:address[,address]...` as curl's `--resolve` has it; IPv6 addresses may stand in brackets
 * (an IPv6 host must). `undefined` for anything else; never throws.
 */
export function parseResolve(text: string): ResolveEntry | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:[\]/@,]+):(\d{1,5}):([0-9a-f:.,[\]]+)$/i.exec(text.trim());
  if (match === null) return undefined;
  const [, literal = '', digits = '', list = ''] = match;
  const [host, port, addresses] = [bare(literal), Number(digits), list.split(',').map(bare)];
  if (port < 1 || port > 65_535 || addresses.some((address) => isIP(address) === 0)) return undefined;
  if (literal.startsWith('[') && isIP(host) !== 6) return undefined;
  return { host: host.toLowerCase(), port, addresses };
}

function bare(literal: string): string {
  return literal.startsWith('[') && literal.endsWith(']') ? literal.slice(1, -1) : literal;
}
