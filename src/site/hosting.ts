import type { Answer, Evidence, Reply } from '../core/answer.ts';
import type { HostKind } from './host-product.ts';
import type { Site } from './types.ts';
import { hostByAddress, hostByHeaders } from './host-product.ts';
import { hasOwnContent } from '../expect/fallback.ts';
import { isHtmlDocument } from '../parse/html.ts';
import { readMarkdown } from '../expect/page.ts';
import { isOk, mediaTypeOf } from '../expect/reply.ts';
import { textOf } from '../expect/text.ts';
import { candidates } from './settings.ts';

/** What kind of host serves a site, and how that is known. */
export interface Hosting {
  /** `null`: not known. */
  readonly kind: HostKind | null;
  readonly by: 'option' | 'address' | 'header' | 'behaviour' | null;
  /** E.g. `{ server: 'nginx/1.26.3' }`. */
  readonly evidence: Evidence;
}

/** How many of the navigation's folders are tried; one with its page is enough. */
const MOST_FOLDERS = 3;

/** What kind of host serves a site, by what the user says, its address, its headers, or how it behaves; `null`: not known. */
export async function findHosting(site: Site): Promise<Hosting> {
  if (site.requested.host !== null) return { kind: site.requested.host, by: 'option', evidence: {} };
  const byAddress = hostByAddress(site.base)?.kind ?? null;
  if (byAddress !== null) return { kind: byAddress, by: 'address', evidence: { host: site.base.hostname } };
  const bundle = await site.bundle();
  if (bundle.kind === 'no-reply') return { kind: null, by: null, evidence: { reason: bundle.reason } };
  const server = bundle.headers.get('server');
  const { kind = null, header = '' } = hostByHeaders(bundle) ?? {};
  if (kind !== null) return { kind, by: 'header', evidence: header === 'server' ? { server } : { header } };
  return hostingByBehaviour(site, bundle, server === null ? {} : { server });
}

/** What a host answers for a folder that has a page, with `Accept: text/markdown`, redirects not followed. */
type FolderAnswers = Awaited<ReturnType<typeof askFolder>>;

async function hostingByBehaviour(site: Site, bundle: Reply, observed: Evidence): Promise<Hosting> {
  const folders = await foldersOf(site);
  const asked = await Promise.all(folders.map((folder) => askFolder(site, folder)));
  for (const answers of asked) {
    const kind = kindOfFolder(answers, bundle);
    if (kind !== null) return { kind, by: 'behaviour', evidence: { ...observed, ...folderEvidence(answers) } };
  }
  const redirect = await slashRedirect(site);
  if (redirect?.status === 308) return { kind: 'platform', by: 'behaviour', evidence: { ...observed, ...redirect } };
  const [first] = asked;
  return { kind: null, by: null, evidence: { ...observed, ...(first === undefined ? {} : folderEvidence(first)) } };
}

/** The worker's rules map a folder with and without its slash; the platform's map one and redirect the other. */
function kindOfFolder({ folder, file, slash, noSlash }: FolderAnswers, bundle: Reply): HostKind | null {
  const redirect = noSlash.kind === 'reply' && leadsTo(noSlash, folder) ? noSlash.status : null;
  if (isSamePage(slash, file, bundle)) {
    if (isSamePage(noSlash, file, bundle)) return 'worker';
    if (redirect === 308) return 'platform';
    // A file server that was taught to negotiate redirects to its directories like this.
    return redirect === 301 ? 'server' : null;
  }
  // Only a file server knows a directory, and lists none that has no index.
  return redirect === 301 && slash.kind === 'reply' && slash.status === 403 ? 'server' : null;
}

/** Folders below the base that the navigation says have an `index.md`, the deepest first. */
async function foldersOf(site: Site): Promise<readonly URL[]> {
  const { answer } = await site.file('navigationFile');
  const text = textOf(answer);
  if (text === null || isHtmlDocument(text)) return [];
  const parsed = await readMarkdown(text, site.limits);
  if (!parsed.ok) return [];
  const from = new URL('./', answer.url);
  const { href: base } = site.base;
  const folders = parsed.links.flatMap((link): readonly string[] => {
    const [url] = candidates(link.url, from);
    const isIndex = url?.href.startsWith(base) === true && url.pathname.endsWith('/index.md');
    const folder = isIndex ? new URL('./', url).href : base;
    return folder === base ? [] : [folder];
  });
  const distinct = [...new Set(folders)].toSorted((a, b) => b.split('/').length - a.split('/').length);
  return distinct.slice(0, MOST_FOLDERS).map((href) => new URL(href));
}

async function askFolder(site: Site, folder: URL) {
  const ask = (url: URL, accept: string): Promise<Answer> => site.pooled({ url, accept, follow: false });
  const [file, slash, noSlash] = await Promise.all([
    ask(new URL('index.md', folder), '*/*'),
    ask(folder, 'text/markdown'),
    ask(new URL(folder.href.slice(0, -1)), 'text/markdown'),
  ]);
  return { folder, file, slash, noSlash };
}

/** A platform that keeps trailing slashes adds one to any name without an extension, there or not. */
async function slashRedirect(site: Site): Promise<Evidence | null> {
  const url = new URL(`docvitals-${crypto.randomUUID()}`, site.base);
  const answer = await site.pooled({ url, accept: '*/*', follow: false });
  if (answer.kind === 'no-reply' || !leadsTo(answer, new URL(`${url.href}/`))) return null;
  return { url: url.href, status: answer.status, location: answer.headers.get('location') };
}

function leadsTo(reply: Reply, target: URL): boolean {
  const location = reply.headers.get('location');
  if (location === null || !URL.canParse(location, reply.url)) return false;
  // Behind a proxy, scheme and port are often those of the server itself.
  return new URL(location, reply.url).pathname === target.pathname;
}

function isSamePage(answer: Answer, file: Answer, bundle: Reply): boolean {
  if (!isOk(answer) || !hasOwnContent(file, bundle) || file.body.length === 0) return false;
  return Buffer.compare(answer.body, file.body) === 0;
}

function folderEvidence({ folder, slash, noSlash }: FolderAnswers): Evidence {
  return { url: folder.href, slash: shortOf(slash), noSlash: shortOf(noSlash) };
}

function shortOf(answer: Answer): string {
  if (answer.kind === 'no-reply') return answer.reason;
  const type = mediaTypeOf(answer);
  return answer.status === 200 && type !== null ? `200 ${type}` : String(answer.status);
}
