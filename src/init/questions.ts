/** The questions on a terminal. Loaded only if there is one. */
import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { parseBaseUrl } from '../core/base-url.ts';
import type { HostKind } from '../site/host-product.ts';
import { HOST_KINDS } from '../hosting/rules.ts';
import { printable } from '../text/printable.ts';
import { LANGUAGES, type Language } from '../locales/language.ts';
import { isReachable, type Answers, type Known, type Proposal } from './answers.ts';
import type { Project } from './detect.ts';
import { WORKFLOW_KINDS } from './options.ts';
import { hostingOffer } from './plan.ts';
import { messagesIn } from '../locales/messages.ts';
import { initWords, type InitWords } from '../generated/locales/init.ts';

export interface Terminal {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

export class Cancelled extends Error {}

const NAMES: Readonly<Record<Language, string>> = { en: 'English', ro: 'Română', fr: 'Français' };

export async function askLanguage(terminal: Terminal, message: string, initialValue: Language): Promise<Language> {
  const options = LANGUAGES.map((value) => ({ value, label: NAMES[value] }));
  return question(terminal, (on) => select({ ...on, message, options, initialValue, showInstructions: false }));
}

/** Asks what is neither given nor clear from the project. */
export async function ask(
  terminal: Terminal,
  language: Language,
  known: Known,
  proposal: Proposal,
  { repository, hosts }: Project,
): Promise<Answers> {
  const words = initWords(language);
  // Only GitHub runs these workflows.
  const canHaveWorkflows = repository !== null && (repository.remote?.forge ?? 'github') === 'github';
  const given: Known = { ...(canHaveWorkflows ? {} : { workflows: [] }), ...known, language };
  const { detected, ...proposed } = proposal;
  const url = given.url ?? (await askUrl(terminal, language, detected?.url));
  const kinds: { value: HostKind | null; label: string }[] = [
    { value: null, label: words.hostUnknown },
    ...HOST_KINDS.map((value) => ({ value, label: words.hosts[value] })),
  ];
  const askHost = (on: Terminal) => select({ ...on, message: words.askHost, options: kinds, showInstructions: false });
  const host = given.host ?? proposal.host ?? (await question(terminal, askHost));
  const askWorkflows = (on: Terminal) =>
    multiselect({
      ...on,
      message: words.askWorkflows,
      options: WORKFLOW_KINDS.map((value) => ({ value, label: words.workflows[value] })),
      initialValues: [...(isReachable(url) ? proposal.workflows : [])],
      required: false,
      showInstructions: false,
    });
  const workflows = given.workflows ?? (await question(terminal, askWorkflows));
  const askHosting = async (kind: HostKind): Promise<boolean> =>
    hostingOffer({ host: kind, product: known.product ?? null, guided: known.guided ?? null }, hosts)?.ok === true &&
    askYes(terminal, words, words.askHosting(words.hosts[kind]), false);
  return {
    ...proposed,
    ...given,
    url,
    host,
    workflows,
    hosting: given.hosting ?? (host !== null && (await askHosting(host))),
    monitor: given.monitor ?? (await askYes(terminal, words, words.askMonitor, proposal.monitor)),
  };
}

async function askUrl(terminal: Terminal, language: Language, proposed: string | undefined): Promise<string> {
  const messages = messagesIn(language);
  const validate = (value = ''): string | undefined => {
    const site = parseBaseUrl(value);
    if (!site.ok) return messages.baseUrl(site.problem, printable(site.given));
    return site.site.href === site.base.href ? undefined : messages.secretInUrl('URL');
  };
  const initial = proposed === undefined ? {} : { initialValue: proposed };
  const placeholder = 'https://docs.example.com/';
  const answer = await question(terminal, (on) =>
    text({ ...on, message: initWords(language).askUrl, placeholder, validate, ...initial }),
  );
  const site = parseBaseUrl(answer);
  return site.ok ? site.base.href : answer;
}

export function askYes(terminal: Terminal, words: InitWords, message: string, initialValue: boolean): Promise<boolean> {
  return question(terminal, (on) => confirm({ ...on, message, initialValue, active: words.yes, inactive: words.no }));
}

/** Asks one question; rejects with a `Cancelled` for Ctrl-C, Escape, Ctrl-D and an ended input. */
async function question<Value>({ input, output, signal }: Terminal, prompt: (on: Terminal) => Promise<Value>) {
  // The prompts settle neither for Ctrl-D nor for the end of the input.
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const onKey = (_: unknown, key: { readonly ctrl?: boolean; readonly name?: string } | undefined): void => {
    // After all other listeners of the key.
    if (key?.ctrl === true && key.name === 'd') queueMicrotask(end);
  };
  input.once('end', end).once('close', end).once('error', end).on('keypress', onKey);
  try {
    if (input.readableEnded || input.destroyed) end();
    const answer = await prompt({ input, output, signal: AbortSignal.any([signal, ended.signal]) });
    if (isCancel(answer)) throw new Cancelled();
    return answer as Exclude<Value, symbol>;
  } finally {
    input.off('end', end).off('close', end).off('error', end).off('keypress', onKey);
  }
}
