/** The configuration of the host: whether there is one for what was found, and where it belongs. Pure. */
import path from 'node:path';
import type { HostKind } from '../check.ts';
import { hostConfiguration } from '../hosting/configuration.ts';
import { KIND_OF_PRODUCT, type HostProduct } from '../hosting/kinds.ts';
import type { HostSign } from './hosts.ts';
import type { PlannedFile } from './plan.ts';
import { shellPath, shellWord } from '../shell-word.ts';
import { PACKAGE } from './workflows/actions.ts';

/** The hosts with a configuration, by the names in `HostSign`. The files of one product do not fit others of its kind. */
const PRODUCTS: Readonly<Record<string, HostProduct>> = {
  Vercel: 'vercel',
  Netlify: 'netlify',
  nginx: 'nginx',
  'Cloudflare Workers': 'cloudflare',
};

/** The product of a kind for which nothing else was found or named. */
const USUAL: Readonly<Record<HostKind, HostProduct>> = { server: 'nginx', platform: 'vercel', worker: 'cloudflare' };

interface Settings {
  /** The file that the host reads. */
  readonly file: string;
  /** Names of files that the host reads instead of it, or before it. */
  readonly rivals?: RegExp;
  /** Whether it has to name the folder that is deployed; `below`: only if the site is in a folder of that one. */
  readonly namesFolder: 'always' | 'below' | 'never';
  /** Whether the host reads the other files only if this one names them. */
  readonly namesFiles?: boolean;
  /** Names the deployed folder in the text. */
  readonly name: (text: string, folder: string, base: string) => string;
}

const SETTINGS: Readonly<Record<HostProduct, Settings>> = {
  nginx: { file: 'docs.conf', namesFolder: 'never', name: (text) => text },
  vercel: {
    file: 'vercel.json',
    rivals: /^vercel\.(?:json|toml|[cm]?[jt]s)$/,
    namesFolder: 'below',
    name: (text, folder) => {
      if (folder === '') return text;
      const { $schema, ...settings } = JSON.parse(text) as { $schema: string };
      return `${JSON.stringify({ $schema, outputDirectory: folder, ...settings }, null, 2)}\n`;
    },
  },
  netlify: {
    file: 'netlify.toml',
    namesFolder: 'always',
    name: (text, folder, base) =>
      text
        .replace('publish = "public"', () => `publish = ${JSON.stringify(folder === '' ? '.' : folder)}`)
        .replace(`, in public${base}.`, () => `, in ${JSON.stringify(path.posix.join(folder, base.slice(1)))}.`),
  },
  cloudflare: {
    file: 'wrangler.jsonc',
    rivals: /^wrangler\.(?:toml|jsonc?)$/,
    namesFolder: 'always',
    namesFiles: true,
    name: (text, folder, base) =>
      text
        .replace('"directory": "./public"', () => `"directory": ${JSON.stringify(`./${folder}`)}`)
        .replace(`, in public${base}.`, () => `, in ${JSON.stringify(path.posix.join(folder, base.slice(1)))}.`),
  },
};

/** Whether a host's configuration can be made. */
export type HostingOffer =
  | {
      readonly ok: true;
      readonly product: HostProduct;
      /** The folder of the host's own file, relative to the folder that was looked at. */
      readonly folder: string;
    }
  /** There is none for what was found. */
  | { readonly ok: false; readonly provider: string };

/**
 * Goes by the `product`, if one is named; else by the surest sign of that kind, else by the surest: one that is contrary
 * counts. `null`: nothing is known.
 */
export function hostingOffer(
  host: HostKind | null,
  hosts: readonly HostSign[],
  product: HostProduct | null = null,
): HostingOffer | null {
  if (product !== null) {
    const own = hosts.find(({ provider }) => PRODUCTS[provider] === product);
    return { ok: true, product, folder: own === undefined ? '.' : folderOf(own) };
  }
  const sign = hosts.find(({ kind }) => kind === host) ?? hosts[0];
  if (sign === undefined) return host === null ? null : { ok: true, product: USUAL[host], folder: '.' };
  const found = PRODUCTS[sign.provider];
  if (found === undefined || KIND_OF_PRODUCT[found] !== host) return { ok: false, provider: sign.provider };
  return { ok: true, product: found, folder: folderOf(sign) };
}

/** Where a host's settings belong: beside the file that names it, except one that is deployed with the site. */
const folderOf = ({ file }: HostSign): string =>
  path.posix.basename(file) === '_redirects' ? '.' : path.posix.dirname(file);

/** Where the site is. */
interface Place {
  readonly url: URL;
  /** Its folder, relative to the one that was looked at; `null`: not known. */
  readonly source: string | null;
}

export interface Hosting {
  readonly files: readonly PlannedFile[];
  /** The file in which the deployed folder has to be named by hand: it is not known. */
  readonly unnamed: string | null;
}

/** The files of a host, relative to the folder that was looked at. */
export function hostingFiles(
  { product, folder }: Extract<HostingOffer, { ok: true }>,
  { url, source }: Place,
): Hosting {
  const { pathname: base } = url;
  const deployed = deployedFolder(base, source);
  const named = deployed === null ? null : namedFrom(folder, deployed);
  const { file, rivals, namesFolder, namesFiles = false, name: nameFolder } = SETTINGS[product];
  const settings = path.posix.join(folder, file);
  const explanation = `docvitals hosting ${product} --url ${shellWord(url.href)}`;
  const configuration = hostConfiguration({ ...requestOf(product), base, url, improved: true });
  const files = configuration.files.map(({ name, text }): PlannedFile => {
    if (name !== file) return { file: path.posix.join(folder, name), text, ...(namesFiles ? { needs: settings } : {}) };
    const complete = named === null ? text : nameFolder(text, named, base);
    return { file: settings, text: complete, explanation, ...(rivals === undefined ? {} : { rivals }) };
  });
  const isUnnamed = named === null && (namesFolder === 'always' || (namesFolder === 'below' && base !== '/'));
  return {
    files: product === 'cloudflare' && named !== null ? [...files, ...ignoring(settings, deployed, source)] : files,
    unnamed: isUnnamed ? settings : null,
  };
}

/** The folder that is deployed whole: below a base path that is above the site's. `null`: not known. */
function deployedFolder(base: string, source: string | null): string | null {
  if (source === null || !`/${source}/`.endsWith(base)) return null;
  const depth = base.split('/').filter((segment) => segment !== '').length;
  return path.posix.join(source, '../'.repeat(depth)).replace(/(?<=.)\/$/, '');
}

/** A folder as a file in another one names it; `null`: it is outside of that one. */
function namedFrom(folder: string, deployed: string): string | null {
  const named = path.posix.relative(folder, deployed);
  return /^\.\.(?:\/|$)/.test(named) ? null : named;
}

const requestOf = (product: HostProduct): { kind: HostKind; product?: 'netlify' } => ({
  kind: KIND_OF_PRODUCT[product],
  ...(product === 'netlify' ? { product } : {}),
});

const IGNORED = `# What lies beside the site and is not to be deployed with it. Wrangler reads this as Git reads .gitignore.
.*
!/.well-known/
node_modules/
/package.json
/package-lock.json
/docvitals.*
/worker.js
/wrangler.*
`;

/** What keeps the rest of a folder from being deployed, where it is deployed for the site that is in it. */
function ignoring(settings: string, deployed: string | null, source: string | null): readonly PlannedFile[] {
  if (deployed === null || source === null) return [];
  const inside = path.posix.relative(deployed, source);
  const holdsSettings = path.posix.dirname(settings) === deployed;
  if (inside === '' && !holdsSettings) return [];
  const file = path.posix.join(deployed, '.assetsignore');
  return [{ file, text: inside === '' ? IGNORED : onlyInside(inside), needs: settings }];
}

/** Takes one folder and nothing beside it, nor beside those above it. */
function onlyInside(folder: string): string {
  const names = folder.split('/').map((name) => name.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`));
  const lines = names.flatMap((_, index) => {
    const above = names.slice(0, index).map((name) => `${name}/`);
    return [`/${above.join('')}*`, `!/${above.join('')}${names[index]}/`];
  });
  return `# Only the site is deployed. Wrangler reads this as Git reads .gitignore.\n.*\n!.well-known/\n${lines.join('\n')}\n`;
}

/** The command that checks from the root of the repository, wherever the configuration lies. */
export function checkCommand(url: string, source: string | null, config: string): string {
  const configured = config.includes('/') ? ` --config ${shellPath(config)}` : '';
  const compared = source === null ? '' : ` --source ${shellPath(source)}`;
  return `npx --yes ${PACKAGE} check ${shellWord(url)}${configured}${compared} --full --wait 10m`;
}
