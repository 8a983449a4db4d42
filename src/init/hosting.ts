/** The configuration of the detected host: whether docvitals has one, and where its files belong. Pure. */
import path from 'node:path';
import type { HostKind } from '../check.ts';
import { fill, hostConfiguration } from '../hosting/configuration.ts';
import { KIND_OF_PRODUCT, type HostProduct } from '../hosting/rules.ts';
import { shellWord } from '../shell-word.ts';
import type { DetectedHost } from './detect.ts';
import type { PlannedFile } from './plan.ts';

const PRODUCTS: Readonly<Record<string, HostProduct>> = {
  Vercel: 'vercel',
  Netlify: 'netlify',
  nginx: 'nginx',
  'Cloudflare Workers': 'cloudflare',
};

/** The product of a kind, unless another one was detected or named. */
const USUAL: Readonly<Record<HostKind, HostProduct>> = { server: 'nginx', platform: 'vercel', worker: 'cloudflare' };

interface Settings {
  /** The file that the host reads. */
  readonly file: string;
  /** Names of files that the host reads instead of it, or before it. */
  readonly rivals?: RegExp;
  /** Whether it has to name the deployed folder; `below`: only if the site is in a folder of that one. Default: it has not. */
  readonly namesFolder?: 'always' | 'below';
  /** Whether the host reads the other files only if this one names them. */
  readonly namesFiles?: boolean;
}

const SETTINGS: Readonly<Record<HostProduct, Settings>> = {
  nginx: { file: 'docs.conf' },
  vercel: { file: 'vercel.json', rivals: /^vercel\.(?:json|toml|[cm]?[jt]s)$/, namesFolder: 'below' },
  netlify: { file: 'netlify.toml', namesFolder: 'always' },
  cloudflare: {
    file: 'wrangler.jsonc',
    rivals: /^wrangler\.(?:toml|jsonc?)$/,
    namesFolder: 'always',
    namesFiles: true,
  },
};

export type HostingOffer =
  | { readonly ok: true; readonly product: HostProduct; readonly folder: string }
  | { readonly ok: false; readonly provider: string };

/**
 * Uses the named `product`, else the most certain host of that kind, else the most certain of all, even if it is of
 * another kind. `null`: nothing is known.
 */
export function hostingOffer(
  host: HostKind | null,
  hosts: readonly DetectedHost[],
  product: HostProduct | null = null,
): HostingOffer | null {
  if (product !== null) {
    const own = hosts.find(({ provider }) => PRODUCTS[provider] === product);
    return { ok: true, product, folder: own === undefined ? '.' : folderOf(own) };
  }
  const detected = hosts.find(({ kind }) => kind === host) ?? hosts[0];
  if (detected === undefined) return host === null ? null : { ok: true, product: USUAL[host], folder: '.' };
  const found = PRODUCTS[detected.provider];
  if (found === undefined || KIND_OF_PRODUCT[found] !== host) return { ok: false, provider: detected.provider };
  return { ok: true, product: found, folder: folderOf(detected) };
}

/** Settings belong beside the file that shows the host, unless it is deployed with the site. */
const folderOf = ({ file }: DetectedHost): string =>
  path.posix.basename(file) === '_redirects' ? '.' : path.posix.dirname(file);

/**
 * `source`: the folder of the site, relative to that of the project; `null`: not known. `unnamed`: the file in which the
 * user has to name the deployed folder, because it is not known; otherwise `null`.
 */
export function hostingFiles(offer: Extract<HostingOffer, { ok: true }>, url: URL, source: string | null) {
  const { product, folder } = offer;
  const { pathname: base } = url;
  const deployed = deployedFolder(base, source);
  const named = deployed === null ? null : namedFrom(folder, deployed);
  const { file, rivals, namesFolder, namesFiles = false } = SETTINGS[product];
  const settings = path.posix.join(folder, file);
  const explanation = `docvitals hosting ${product} --url ${shellWord(url.href)}`;
  const kind = KIND_OF_PRODUCT[product];
  const configuration = hostConfiguration({ kind, product, base, url, improved: true, folder: named });
  const files = configuration.files.map(({ name, text }): PlannedFile => {
    if (name !== file) return { file: path.posix.join(folder, name), text, ...(namesFiles ? { needs: settings } : {}) };
    return { file: settings, text, explanation, ...(rivals === undefined ? {} : { rivals }) };
  });
  const isUnnamed = named === null && (namesFolder === 'always' || (namesFolder === 'below' && base !== '/'));
  return {
    files: product === 'cloudflare' && named !== null ? [...files, ...ignoring(settings, deployed, source)] : files,
    unnamed: isUnnamed ? settings : null,
  };
}

/** The deployed folder: with a base path, it is above the folder of the site. `null`: not known. */
function deployedFolder(base: string, source: string | null): string | null {
  if (source === null || !`/${source}/`.endsWith(base)) return null;
  const depth = base.split('/').filter((segment) => segment !== '').length;
  return path.posix.join(source, '../'.repeat(depth)).replace(/(?<=.)\/$/, '');
}

/** A folder relative to another one; `null`: it is outside of that one. */
function namedFrom(folder: string, deployed: string): string | null {
  const named = path.posix.relative(folder, deployed);
  return /^\.\.(?:\/|$)/.test(named) ? null : named;
}

/** Keeps other files in the deployed folder from being deployed with the site. */
function ignoring(settings: string, deployed: string | null, source: string | null): readonly PlannedFile[] {
  if (deployed === null || source === null) return [];
  const inside = path.posix.relative(deployed, source);
  const holdsSettings = path.posix.dirname(settings) === deployed;
  if (inside === '' && !holdsSettings) return [];
  const file = path.posix.join(deployed, '.assetsignore');
  return [{ file, text: fill('assetsignore', { inside: inside && onlyInside(inside) }), needs: settings }];
}

/** Ignores everything beside each folder on the way to this one. */
function onlyInside(folder: string): string {
  const names = folder.split('/').map((name) => name.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`));
  const lines = names.flatMap((_, index) => {
    const above = names.slice(0, index).map((name) => `${name}/`);
    return [`/${above.join('')}*\n`, `!/${above.join('')}${names[index]}/\n`];
  });
  return lines.join('');
}
