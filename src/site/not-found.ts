import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Reply } from '../core/answer.ts';
import type { Site } from './types.ts';
import { isBundleRequested, isFallback, fingerprint, fits, learn } from '../expect/fallback.ts';
import type { Fingerprint, Template } from '../expect/fallback.ts';
import type { Settings } from '../engines/engine.ts';
import { candidates } from './settings.ts';

/** Extensions under which a file that is not there is requested; `none`: a name without one. */
const KINDS = ['md', 'json', 'js', 'txt', 'none'] as const;
const LONGEST_WAIT_MS = 1_000;

/** The kinds of missing files that are requested to see what the host returns. */
export type MissingKind = (typeof KINDS)[number];

/** A request for a missing file, with its answer. */
export interface MissingProbe {
  readonly kind: MissingKind;
  readonly answer: Answer;
}

/** What a host returns for missing files. */
export interface NotFound {
  readonly probes: readonly MissingProbe[];
  /** Whether a reply is that: its status says so, or its body is the bundle's or that of a probe, whatever its status. */
  isMissing(reply: Reply): boolean;
}

/** Requests files that cannot exist: two of each kind to learn what varies, and one more below a folder. */
export async function requestMissing(site: Site, random: () => string = randomUUID): Promise<NotFound> {
  const name = (): string => `docvitals-${random()}`;
  const ask = async (kind: MissingKind, url: URL): Promise<MissingProbe> => ({
    kind,
    answer: await site.pooled({ url, accept: '*/*' }),
  });
  const inBase = (kind: MissingKind): Promise<MissingProbe> =>
    ask(kind, new URL(kind === 'none' ? name() : `${name()}.${kind}`, site.base));
  const below = async (): Promise<MissingProbe> => {
    const folder = folderOf(await site.settings(), site.base) ?? new URL(`${name()}/`, site.base);
    return ask('md', new URL(`${name()}.md`, folder));
  };
  const bundle = site.bundle();
  // Once the bundle is known, it need not be received again for every probe.
  await Promise.race([bundle, sleep(LONGEST_WAIT_MS, undefined, { ref: false })]);
  const probes = await Promise.all([...KINDS.flatMap((kind) => [inBase(kind), inBase(kind)]), below()]);
  return { probes, isMissing: recogniser(await bundle, probes) };
}

function folderOf({ homePage, navigationFile }: Settings, base: URL): URL | null {
  const folders = [homePage, navigationFile]
    .flatMap((value) => (typeof value !== 'string' ? [] : candidates(value, base).slice(0, 1)))
    .map((url) => new URL('./', url));
  return folders.find(({ href }) => href.startsWith(base.href) && href !== base.href) ?? null;
}

/** Recognises replies for missing files, by the replies for files that cannot exist. */
export function recogniser(bundle: Answer, probes: readonly MissingProbe[]): NotFound['isMissing'] {
  // Where redirects of missing files lead: a file requested there by its own name exists.
  const redirected = probes.filter(({ answer }) => answer.redirects.length > 0);
  const landings = new Set(redirected.map(({ answer }) => answer.url));
  const templates = templatesOf(bundle, probes);
  const honest = probes.length > 0 && probes.every(({ answer }) => answer.kind === 'reply' && isGone(answer));
  return (reply) => {
    if (isGone(reply)) return true;
    if (saysNothing(reply) || isBundleRequested(reply, bundle) || landings.has(reply.requestUrl)) return false;
    if (honest && isPagePath(reply.requestUrl)) return false;
    if (isFallback(reply, bundle)) return true;
    if (reply.body.length === 0 || isNotFoundPage(reply.requestUrl)) return false;
    const body = fingerprint(reply.requestUrl, reply.body);
    return templates.some(({ template, refused }) => refused === isRefused(reply) && fits(template, body));
  };
}

/** `refused`: came with a refusal, as of an object store that may not list its files. */
function templatesOf(bundle: Answer, probes: readonly MissingProbe[]) {
  const learnt: { readonly template: Template; readonly refused: boolean }[] = [];
  const fingerprintOf = ({ requestUrl, body }: Reply): Fingerprint => fingerprint(requestUrl, body);
  const add = (bodies: readonly Fingerprint[], refused: boolean): void => {
    const known = learnt.some(
      (other) => other.refused === refused && bodies.every((body) => fits(other.template, body)),
    );
    const template = known ? null : learn(bodies);
    if (template !== null) learnt.push({ template, refused });
  };
  const open = bundle.kind === 'reply' && bundle.status === 200;
  const replies = probes.flatMap(({ kind, answer }) => (answer.kind === 'reply' ? [{ kind, answer }] : []));
  const keyOf = ({ kind, answer }: (typeof replies)[number]): string =>
    `${kind} ${answer.status} ${new URL('./', answer.requestUrl).href}`;
  for (const group of Map.groupBy(replies, keyOf).values()) {
    const answers = group.map(({ answer }) => answer);
    const refused = answers.some(isRefused);
    if (answers.some(saysNothing) || (refused && !open)) continue;
    const bodies = answers.map(fingerprintOf);
    add(bodies, refused);
    // Two servers behind one name may each have a page of their own.
    for (const body of bodies) add([body], refused);
  }
  if (open && bundle.body.length > 0) add([fingerprintOf(bundle)], false);
  return learnt;
}

const isGone = ({ status }: Reply): boolean => status === 404 || status === 410;
const isRefused = ({ status }: Reply): boolean => status === 403;

/** Statuses that do not show whether a file exists: the host wants credentials, is overloaded, or failed. */
const saysNothing = ({ status }: Reply): boolean => status === 401 || status === 429 || status >= 500;

/** A copy of the bundle in a folder of its own (`docs/index.html`) exists, on a host that returns 404 for missing files. */
const isPagePath = (url: string): boolean => /^[^?#]*(?:\/|\.html?)(?:[?#]|$)/.test(url);

/** Hosts keep the page for missing files as a file of its own, which exists. */
const isNotFoundPage = (url: string): boolean =>
  /^[a-z]+:\/\/[^/]*(?:\/[^?#]*)?\/404(?:\.html?)?\/?(?:[?#]|$)/.test(url);
