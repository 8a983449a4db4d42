/** Where a Git remote leads. Pure. */

/** What runs a repository. `github` has workflows; the others have a CI of their own. */
export type Forge = 'github' | 'gitlab' | 'other';

export interface Remote {
  readonly forge: Forge;
  /** As the remote has it, lower case; may be an alias of ssh's configuration. */
  readonly host: string;
  /** A user, an organisation, or groups (`a/b`). */
  readonly owner: string;
  readonly name: string;
}

const NAME = /^[\w.~-]+$/;

/**
 * Reads a remote's URL: `https://host/owner/name.git`, `ssh://git@host:22/owner/name`, `git@host:owner/name.git`.
 * `null` for a folder on this machine and for what names no repository. Userinfo is dropped.
 */
export function parseRemote(url: string): Remote | null {
  const place = placeOf(url.trim());
  if (place === null) return null;
  const segments = place.path
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((segment) => segment !== '');
  const name = segments.pop();
  if (name === undefined || segments.length === 0 || ![...segments, name].every((part) => NAME.test(part))) return null;
  const host = place.host.toLowerCase();
  return { forge: forgeOf(host), host, owner: segments.join('/'), name };
}

function placeOf(url: string): { host: string; path: string } | null {
  if (/^(?:https?|ssh|git|git\+ssh):\/\//i.test(url)) {
    if (!URL.canParse(url)) return null;
    const { hostname, pathname } = new URL(url);
    return { host: hostname, path: pathname };
  }
  // `host:path` as scp has it; one letter is a drive.
  const [, host, path] = /^(?:[^@/\\:]+@)?([^@/\\:]{2,}):(?!\/\/)([^]+)$/.exec(url) ?? [];
  return host === undefined || path === undefined ? null : { host, path };
}

function forgeOf(host: string): Forge {
  if (host.includes('github')) return 'github';
  return host.includes('gitlab') ? 'gitlab' : 'other';
}

/** Where the pages of a repository are unless they have a domain of their own; `null` where that cannot be known. */
export function pagesUrl({ forge, host, owner, name }: Remote): string | null {
  // An alias of ssh's configuration has no dot.
  const isPublic = /^(?:www\.|ssh\.|altssh\.)?git(?:hub|lab)\.com$/.test(host) || !host.includes('.');
  const [user = '', ...groups] = owner.toLowerCase().split('/');
  if (!isPublic || forge === 'other' || !/^[a-z\d-]+$/.test(user)) return null;
  const domain = `${user}.${forge}.io`;
  const path = [...groups, name];
  return path.length === 1 && name.toLowerCase() === domain
    ? `https://${domain}/`
    : `https://${domain}/${path.join('/')}/`;
}
