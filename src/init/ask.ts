/** The questions on a terminal. Loaded only where somebody can be asked. */
import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { parseBaseUrl } from '../base-url.ts';
import type { HostKind } from '../check.ts';
import { HOST_KINDS } from '../hosting/kinds.ts';
import type { UsageMessages } from '../messages/messages.ts';
import { printable } from '../printable.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { isReachable, type Answers, type Known } from './answers.ts';
import type { InitWords } from './words/words.ts';
import { WORKFLOW_KINDS } from './workflows/kinds.ts';

/** Where questions are asked, and until when. */
export interface Asking {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Aborted when whoever is asked wants to end. */
  readonly signal: AbortSignal;
}

/** Whoever was asked ended it. */
export class Cancelled extends Error {}

/** The names of the languages, each in itself. */
const NAMES: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română', fr: 'Français' };

/** Asks for the language of everything that follows. */
export async function askLanguage(asking: Asking, message: string, initialValue: Language): Promise<Language> {
  const options = LANGUAGES.map((value) => ({ value, label: NAMES[value] }));
  return put(asking, (place) => select({ ...place, message, options, initialValue, showInstructions: false }));
}

/** What is known before anything is asked. */
export interface Asked {
  readonly given: Known;
  readonly proposal: Known & Omit<Answers, 'url'>;
  /** Whether there is a configuration for the host, if it is of that kind. */
  readonly canHost: (host: HostKind) => boolean;
}

/** Asks for what the command line has not `given`. Rejects with a `Cancelled`. */
export async function ask(
  asking: Asking,
  { words, messages }: { readonly words: InitWords; readonly messages: UsageMessages },
  { given, proposal, canHost }: Asked,
): Promise<Answers> {
  const url = given.url ?? (await askUrl(asking, words, messages, proposal.url));
  const host = given.host ?? proposal.host ?? (await askHost(asking, words));
  const workflows = given.workflows ?? (await askWorkflows(asking, words, isReachable(url) ? proposal.workflows : []));
  const hosting = given.hosting ?? (host !== null && canHost(host) && (await askHosting(asking, words, host)));
  return {
    url,
    source: given.source ?? proposal.source,
    host,
    product: given.product ?? null,
    language: given.language ?? proposal.language,
    workflows,
    hosting,
    monitor: given.monitor ?? (await askYes(asking, words, words.askMonitor, proposal.monitor)),
  };
}

/** Whether the files may be written. */
export function askWrite(asking: Asking, words: InitWords): Promise<boolean> {
  return askYes(asking, words, words.askWrite, true);
}

async function askUrl(
  asking: Asking,
  words: InitWords,
  messages: UsageMessages,
  initialValue: string | undefined,
): Promise<string> {
  const validate = (value: string | undefined): string | undefined => urlProblem(value ?? '', messages);
  const told = await put(asking, (place) =>
    text({
      ...place,
      message: words.askUrl,
      placeholder: 'https://docs.example.com/',
      validate,
      ...(initialValue === undefined ? {} : { initialValue }),
    }),
  );
  const site = parseBaseUrl(told);
  return site.ok ? site.base.href : told;
}

/** What is wrong with a base URL that somebody typed; `undefined`: nothing. */
function urlProblem(value: string, messages: UsageMessages): string | undefined {
  const site = parseBaseUrl(value);
  if (!site.ok) return messages.baseUrl(site.problem, printable(site.given));
  return site.site.href === site.base.href ? undefined : messages.secretInUrl('URL');
}

async function askHost(asking: Asking, words: InitWords): Promise<HostKind | null> {
  const options = [
    { value: 'unknown', label: words.hostUnknown },
    ...HOST_KINDS.map((value) => ({ value, label: words.hosts[value] })),
  ];
  const told = await put(asking, (place) =>
    select({ ...place, message: words.askHost, options, showInstructions: false }),
  );
  return HOST_KINDS.find((kind) => kind === told) ?? null;
}

async function askWorkflows(
  asking: Asking,
  words: InitWords,
  initialValues: Answers['workflows'],
): Promise<Answers['workflows']> {
  const options = WORKFLOW_KINDS.map((value) => ({ value, label: words.workflows[value] }));
  const message = words.askWorkflows;
  return put(asking, (place) =>
    multiselect({ ...place, message, options, initialValues, required: false, showInstructions: false }),
  );
}

function askHosting(asking: Asking, words: InitWords, host: HostKind): Promise<boolean> {
  return askYes(asking, words, words.askHosting(words.hosts[host]), false);
}

async function askYes(asking: Asking, words: InitWords, message: string, initialValue: boolean): Promise<boolean> {
  return put(asking, (place) => confirm({ ...place, message, initialValue, active: words.yes, inactive: words.no }));
}

/** Puts one question; rejects with a `Cancelled` for Ctrl-C, Escape, Ctrl-D and an input that has ended. */
async function put<Value>(
  { input, output, signal }: Asking,
  question: (place: Asking) => Promise<Value>,
): Promise<Exclude<Value, symbol>> {
  // The prompts settle for neither Ctrl-D nor the end of the input: nothing would be left to wait for.
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const onKey = (_: unknown, key: { readonly ctrl?: boolean; readonly name?: string } | undefined): void => {
    // After everybody else who listens to the key has seen it.
    if (key?.ctrl === true && key.name === 'd') queueMicrotask(end);
  };
  input.once('end', end).once('close', end).once('error', end).on('keypress', onKey);
  signal.addEventListener('abort', end);
  try {
    if (signal.aborted || input.readableEnded || input.destroyed) end();
    const answer = await question({ input, output, signal: ended.signal });
    if (isCancel(answer)) throw new Cancelled();
    return answer as Exclude<Value, symbol>;
  } finally {
    input.off('end', end).off('close', end).off('error', end).off('keypress', onKey);
    signal.removeEventListener('abort', end);
  }
}
