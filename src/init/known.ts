/** What is known without asking: from the command line, from a configuration that is there, from what was found. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseBaseUrl } from '../base-url.ts';
import type { Loaded } from '../config/load.ts';
import { hostKindOf, hostProductOf } from '../hosting/kinds.ts';
import { parseBase } from '../hosting/rules.ts';
import { echoed } from '../project/echoed.ts';
import { UsageError } from '../project/usage-error.ts';
import type { Language } from '../texts.ts';
import {
  canHaveWorkflows,
  isReachable,
  mayGuess,
  unanswered,
  type Answers,
  type Known,
  type propose,
} from './answers.ts';
import { below } from './files.ts';
import { hostingOffer } from './hosting.ts';
import type { FoundUrl, Seen } from './look.ts';
import type { WorkflowKind } from './workflows/kinds.ts';

/** The options of `docvitals init`, read. */
export interface InitFlags {
  readonly url?: string;
  readonly source?: string;
  /** The name of a kind or of a product. */
  readonly host?: string;
  readonly workflow?: readonly (WorkflowKind | 'none')[];
  readonly hosting?: boolean;
  readonly monitor?: boolean;
  readonly lang?: Language;
  readonly yes?: true;
  readonly dryRun?: true;
  readonly force?: true;
}

/** What the command line answers. Rejects with a `UsageError` for a source that is no folder below the one that is set up. */
export async function knownAnswers(flags: InitFlags, folder: string): Promise<Known> {
  const workflows = flags.workflow?.filter((kind) => kind !== 'none');
  return {
    url: flags.url,
    source: flags.source === undefined ? undefined : await sourceOf(flags.source, folder),
    host: flags.host === undefined ? undefined : (hostKindOf(flags.host) ?? undefined),
    product: flags.host === undefined ? undefined : hostProductOf(flags.host),
    language: flags.lang,
    workflows,
    hosting: flags.hosting,
    monitor: flags.monitor,
  };
}

/** A folder as the configuration names it: relative to the one that it stands in. */
async function sourceOf(given: string, folder: string): Promise<string> {
  const place = path.resolve(folder, given);
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory() !== true) throw new UsageError((messages) => messages.notAFolder(echoed(given)));
  const source = below(folder, await realpath(place));
  if (/^\.\.(?:\/|$)/.test(source) || path.isAbsolute(source)) {
    throw new UsageError((messages) => messages.outsideFolder('--source', echoed(given)));
  }
  return source;
}

/** What a configuration that is there already says, as far as it may be written down again. */
export function configured(loaded: Loaded): Known {
  if (!loaded.ok) return {};
  const { url, source, host } = loaded.config;
  const site = parseBaseUrl(url ?? '');
  return {
    url: site.ok && site.site.href === site.base.href ? site.base.href : undefined,
    // A Git ref or a manifest is nothing that a workflow could deploy.
    source: source === null || /:|\.json$/.test(source) ? undefined : source,
    host: host ?? undefined,
  };
}

/** The answers where nobody can be asked. Throws a `UsageError` that names what has to be given. */
export function settle(known: Known, proposal: ReturnType<typeof propose>, seen: Seen, { yes }: InitFlags): Answers {
  const missing = yes === true ? [] : unanswered(known);
  if (missing.length > 0) throw new UsageError((messages) => messages.nobodyToAsk(missing.join(', ')));
  const { url, ...rest } = { ...proposal, ...defined(known) };
  const isBareGuess =
    known.url === undefined &&
    foundUrl(url, seen)?.isGuess === true &&
    !mayGuess(seen, { source: known.source, host: rest.host });
  if (url === undefined || isBareGuess) throw new UsageError((messages) => messages.noSiteUrl());
  const workflows = known.workflows ?? (isReachable(url) ? rest.workflows : []);
  return { ...rest, workflows, url } as Answers;
}

/** What says that this is the address; `null`: whoever runs it. */
export function originOf(
  url: string,
  { loaded, seen, isTold }: { readonly loaded: Loaded; readonly seen: Seen; readonly isTold: boolean },
): Omit<FoundUrl, 'url'> | null {
  if (isTold) return null;
  if (loaded.ok && loaded.file !== null && configured(loaded).url === url) {
    return { origin: loaded.file, isGuess: false };
  }
  return foundUrl(url, seen);
}

function foundUrl(url: string | undefined, { urls }: Seen): FoundUrl | null {
  return urls.find((found) => found.url === url) ?? null;
}

/** What need not be asked. */
export const unasked = (seen: Seen): Known => (canHaveWorkflows(seen) ? {} : { workflows: [] });

/** What of it is known. */
export function defined(known: Known): Known {
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** The answers as they are; throws a `UsageError` where the configuration of a host cannot be made of them. */
export function makeable(answers: Answers, { hosts }: Seen): Answers {
  const offer = answers.hosting ? hostingOffer(answers.host, hosts, answers.product) : undefined;
  if (offer === null) throw new UsageError((messages) => messages.hostingNeedsHost());
  const { pathname } = new URL(answers.url);
  if (offer?.ok === true && parseBase(pathname) === null) {
    throw new UsageError((messages) => messages.hostingBase(echoed(pathname)));
  }
  return answers;
}
