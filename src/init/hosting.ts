/** The configuration of the host: whether there is one for what was found, and where it belongs. Pure. */
import path from 'node:path';
import type { HostKind } from '../check.ts';
import { hostConfiguration } from '../hosting/configuration.ts';
import type { HostSign } from './hosts.ts';
import type { PlannedFile } from './plan.ts';
import { shellPath, shellWord } from '../shell-word.ts';
import { PACKAGE } from './workflows/actions.ts';

/** The hosts that there are configurations for. The rules of a kind fit others too, but their files do not. */
const MADE_FOR: Readonly<Record<string, HostKind>> = {
  Vercel: 'platform',
  nginx: 'server',
  'Cloudflare Workers': 'worker',
};

/** The file that the host reads, and what it would read beside it, or before it. */
const SETTINGS: Readonly<Record<HostKind, { readonly file: string; readonly rivals?: RegExp }>> = {
  server: { file: 'docs.conf' },
  platform: { file: 'vercel.json', rivals: /^vercel\.(?:json|toml|[cm]?[jt]s)$/ },
  worker: { file: 'wrangler.jsonc', rivals: /^wrangler\.(?:toml|jsonc?)$/ },
};

/** Whether a host's configuration can be made. */
export type HostingOffer =
  | {
      readonly ok: true;
      readonly kind: HostKind;
      /** Where the host's own file lies, relative to the folder that was looked at. */
      readonly folder: string;
    }
  /** There is none for what was found. */
  | { readonly ok: false; readonly provider: string };

/** Goes by the surest sign of that kind, else by the surest: one that is contrary counts. `null`: nothing is known. */
export function hostingOffer(host: HostKind | null, hosts: readonly HostSign[]): HostingOffer | null {
  const sign = hosts.find(({ kind }) => kind === host) ?? hosts[0];
  if (sign === undefined) return host === null ? null : { ok: true, kind: host, folder: '.' };
  const kind = MADE_FOR[sign.provider];
  if (kind === undefined || kind !== host) return { ok: false, provider: sign.provider };
  return { ok: true, kind, folder: path.posix.dirname(sign.file) };
}

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
export function hostingFiles({ kind, folder }: Extract<HostingOffer, { ok: true }>, { url, source }: Place): Hosting {
  const { pathname: base } = url;
  const deployed = deployedFolder(base, source);
  const named = deployed === null ? null : namedFrom(folder, deployed);
  const { file, rivals } = SETTINGS[kind];
  const settings = path.posix.join(folder, file);
  const explanation = `docvitals hosting ${kind} --url ${shellWord(url.href)}`;
  const files = hostConfiguration({ kind, base, url, improved: true }).files.map(({ name, text }): PlannedFile => {
    if (name !== file) return { file: path.posix.join(folder, name), text, needs: settings };
    const mended = named === null ? text : NAMING[kind](text, named, base);
    return { file: settings, text: mended, explanation, ...(rivals === undefined ? {} : { rivals }) };
  });
  const isUnnamed = named === null && kind !== 'server' && (kind === 'worker' || base !== '/');
  return {
    files: kind === 'worker' && named !== null ? [...files, ...ignoring(settings, deployed, source)] : files,
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

/** Names the deployed folder in the settings. */
const NAMING: Readonly<Record<HostKind, (text: string, named: string, base: string) => string>> = {
  server: (text) => text,
  platform(text, named) {
    if (named === '') return text;
    const { $schema, ...settings } = JSON.parse(text) as { $schema: string };
    return `${JSON.stringify({ $schema, outputDirectory: named, ...settings }, null, 2)}\n`;
  },
  worker: (text, named, base) =>
    text
      .replace('"directory": "./public"', () => `"directory": ${JSON.stringify(`./${named}`)}`)
      .replace(`, in public${base}.`, () => `, in ${JSON.stringify(path.posix.join(named, base.slice(1)))}.`),
};

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
