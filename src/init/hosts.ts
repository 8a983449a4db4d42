/** What a folder's files say of the host that serves the site. */
import path from 'node:path';
import type { HostKind } from '../check.ts';
import { namesIn, readText } from './files.ts';

/** A sign of a host. */
export interface HostSign {
  /** Its name, as people know it. */
  readonly provider: string;
  /** The kind whose rules it follows; `null`: none of them for sure. */
  readonly kind: HostKind | null;
  /** The file that says so, as it was found. */
  readonly file: string;
  /** The folder that is deployed, if the file names it. */
  readonly folder?: string;
  /** The site's address, if the file names it. */
  readonly url?: string;
}

type Read = (text: string) => Omit<HostSign, 'file'> | null;

const platform =
  (provider: string): Read =>
  () => ({ provider, kind: 'platform' });
const server =
  (provider: string): Read =>
  () => ({ provider, kind: 'server' });

/** Lines that are comments, in JSON with comments, TOML and YAML alike. */
const COMMENTS = /^[ \t]*(?:#|\/\/)[^\n]*/gm;

/** The value of a key, in JSON, TOML or YAML alike; `undefined` where it is no plain text. */
function valueOf(key: string, text: string): string | undefined {
  const value = new RegExp(`(?<![\\w-])${key}["']?[ \\t]{0,20}[:=][ \\t]{0,20}["']?([^"'\\s,#{}[\\]]{1,500})`);
  return value.exec(text.replaceAll(COMMENTS, ''))?.[1];
}

const folderOf = (key: string, text: string): { folder?: string } => {
  const folder = valueOf(key, text);
  return folder === undefined ? {} : { folder };
};

/** Signs by the name of a file, the surest first. */
const SIGNS: readonly (readonly [name: RegExp, read: Read])[] = [
  [
    /^vercel\.(?:json|toml|ts)$/,
    (text) => ({ provider: 'Vercel', kind: 'platform', ...folderOf('outputDirectory', text) }),
  ],
  [/^netlify\.toml$/, (text) => ({ provider: 'Netlify', kind: 'platform', ...folderOf('publish', text) })],
  [/^wrangler\.(?:toml|jsonc?)$/, readWrangler],
  [/^firebase\.json$/, (text) => ({ provider: 'Firebase Hosting', kind: null, ...folderOf('public', text) })],
  [/^staticwebapp\.config\.json$/, () => ({ provider: 'Azure Static Web Apps', kind: null })],
  [/^CNAME$/, readCname],
  [/^\.nojekyll$/, server('GitHub Pages')],
  [/^\.gitlab-ci\.yml$/, (text) => (/^pages:/m.test(text) ? { provider: 'GitLab Pages', kind: 'server' } : null)],
  [/\.conf$/, readNginx],
  [
    /^(?:Dockerfile|Containerfile)$/,
    (text) => (/^FROM\s+\S*nginx/im.test(text) ? { provider: 'nginx', kind: 'server' } : null),
  ],
  [/^Caddyfile$/, server('Caddy')],
  [/^\.htaccess$/, server('Apache')],
  [/^_redirects$/, platform('Netlify')],
];

/** Folders of a project that hold the configuration of servers. */
const SERVER_FOLDERS = ['nginx', 'deploy', 'conf', 'docker'];

/** The signs in some folders and in those of servers below the first of them, the surest first. `root` begins their names. */
export async function findHosts(root: string, folders: readonly string[]): Promise<readonly HostSign[]> {
  const found: { rank: number; sign: HostSign }[] = [];
  for (const folder of new Set([...folders, ...SERVER_FOLDERS])) {
    for (const name of await namesIn(path.join(root, folder))) {
      const rank = SIGNS.findIndex(([pattern]) => pattern.test(name));
      const text = rank === -1 ? null : await readText(path.join(root, folder, name));
      const said = text === null ? null : SIGNS[rank]?.[1](text);
      if (said) found.push({ rank, sign: { ...said, file: path.posix.join(folder, name) } });
    }
  }
  return found.toSorted((a, b) => a.rank - b.rank).map(({ sign }) => sign);
}

function readWrangler(text: string): Omit<HostSign, 'file'> {
  const pages = valueOf('pages_build_output_dir', text);
  if (pages !== undefined) return { provider: 'Cloudflare Pages', kind: 'platform', folder: pages };
  const host = /custom_domain/.test(text) ? valueOf('pattern', text) : undefined;
  const url = host !== undefined && isHostName(host) ? { url: `https://${host}/` } : {};
  return { provider: 'Cloudflare Workers', kind: 'worker', ...folderOf('directory', text), ...url };
}

function readCname(text: string): Omit<HostSign, 'file'> | null {
  const host = text.trim();
  return isHostName(host) ? { provider: 'GitHub Pages', kind: 'server', url: `https://${host.toLowerCase()}/` } : null;
}

function readNginx(text: string): Omit<HostSign, 'file'> | null {
  const directives = text.replaceAll(/#[^\n]*/g, '');
  if (!/\bserver\s*\{/.test(directives)) return null;
  const names = /\bserver_name\s([^;]{1,2000});/.exec(directives)?.[1]?.trim().split(/\s+/) ?? [];
  const host = names.find(isHostName);
  return { provider: 'nginx', kind: 'server', ...(host === undefined ? {} : { url: `https://${host}/` }) };
}

function isHostName(text: string): boolean {
  return text.length < 254 && /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i.test(text);
}
