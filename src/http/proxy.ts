import { BlockList, isIP, isIPv6 } from 'node:net';

/** An environment variable holds no usable proxy URL. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** Its name; what it holds may be secret. */
  readonly variable: string;

  constructor(variable: string) {
    super(`${variable} holds no usable proxy URL`);
    this.variable = variable;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy for a URL by `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in lower or upper case, or `null`.
 * Follows curl, but for the upper case of `HTTP_PROXY`, which curl leaves out and Node does not: a proxy without a scheme is an HTTP proxy; an entry of `NO_PROXY` is a host name (it and its
 * subdomains, with or without a leading dot), an address, a CIDR block or `*`, each optionally with `:port`.
 * Throws a `ProxyError` when the variable holds no usable proxy URL.
 */
export function proxyFor(url: URL, environment: Environment): URL | null {
  const scheme = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  for (const name of [scheme, 'all_proxy']) {
    const variable = environment[name] ? name : name.toUpperCase();
    const value = environment[variable];
    if (value === undefined || value === '') continue;
    if (bypasses(url, environment['no_proxy'] ?? environment['NO_PROXY'] ?? '')) return null;
    return proxyUrl(variable, value);
  }
  return null;
}

function proxyUrl(variable: string, value: string): URL {
  const text = value.includes('://') ? value : `http://${value}`;
  const proxy = URL.canParse(text) ? new URL(text) : null;
  if (proxy === null || !['http:', 'https:'].includes(proxy.protocol)) throw new ProxyError(variable);
  return proxy;
}

function bypasses(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => entry === '*' || entryMatches(entry, host, port));
}

function entryMatches(entry: string, host: string, port: string): boolean {
  const parts = /^(?:\[(?<v6>[^\]]+)\]|(?<name>[^:]+|.*:.*:.*?))(?::(?<port>\d+))?$/.exec(entry)?.groups;
  const wanted = isIPv6(entry) ? entry : (parts?.['v6'] ?? parts?.['name'] ?? entry);
  if (!isIPv6(entry) && parts?.['port'] !== undefined && parts['port'] !== port) return false;
  if (isIP(host) !== 0) return wanted === host || inBlock(wanted, host);
  const name = wanted.replace(/^\*?\./, '');
  return host === name || host.endsWith(`.${name}`);
}

function inBlock(block: string, address: string): boolean {
  const [network, prefix] = block.split('/');
  if (network === undefined || prefix === undefined || !/^\d{1,3}$/.test(prefix)) return false;
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const bits = Number(prefix);
  if (isIP(network) === 0 || isIP(network) !== isIP(address) || bits > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(address, family);
}
