import {
  ASSET_CACHE_CONTROL,
  BUNDLE_CACHE_CONTROL,
  GZIP_TYPES,
  LONG_LIVED,
  type ConfigurationRequest,
} from './rules.ts';
import { fill } from './template.ts';

/** Folder of the deployed files. */
export const NGINX_ROOT = '/var/www/docs';

/** The server blocks of a plain web server, for a folder that nginx's `http` block includes. */
export function nginxConfiguration({ base, improved, url = null }: ConfigurationRequest): string {
  // Any other host would have to be escaped, and cannot be in a certificate.
  const named = url !== null && /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname) ? url : null;
  return fill(improved ? 'nginx.conf' : 'nginx-documented.conf', {
    base,
    assets: String.raw`\.(${LONG_LIVED.join('|')})$`,
    bundleCaching: BUNDLE_CACHE_CONTROL,
    assetCaching: ASSET_CACHE_CONTROL,
    tls: named?.protocol === 'https:',
    server: serverBlock(base, named),
  });
}

/** Addresses, files and compression: the part before the locations. */
function serverBlock(base: string, url: URL | null): string {
  const tls = url?.protocol === 'https:';
  return fill('nginx-server.conf', {
    base,
    tls,
    plain: url !== null && !tls,
    name: url?.hostname ?? null,
    address: url?.hostname.startsWith('[') ? '[::]:' : '',
    listen: url?.port || (tls ? '443' : '80'),
    port: url?.port ? `:${url.port}` : '',
    root: NGINX_ROOT,
    below: base === '/' ? '' : ` The site itself is below it, in ${NGINX_ROOT}${base.slice(0, -1)}.`,
    types: GZIP_TYPES.join(' '),
  });
}
