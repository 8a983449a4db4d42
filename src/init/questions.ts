/** The questions on a terminal. Loaded only if there is one. */
import { confirm, isCancel, multiselect, select, text } from '@clack/prompts';
import { parseBaseUrl } from '../base-url.ts';
import type { HostKind } from '../check.ts';
import { HOST_KINDS } from '../hosting/rules.ts';
import { printable } from '../printable.ts';
import { LANGUAGES, type Language } from '../texts.ts';
import { isReachable, type Answers, type Known, type Proposal } from './answers.ts';
import { WORKFLOW_KINDS } from './options.ts';
import type { Messages } from '../locales/messages.ts';
import type { InitWords } from '../generated/locales/init.ts';

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

export interface Prepared {
  readonly given: Known;
  readonly proposal: Proposal;
  /** Whether docvitals has a configuration for a host of that kind. */
  readonly canHost: (host: HostKind) => boolean;
}

export async function ask(
  terminal: Terminal,
  { words, messages }: { readonly words: InitWords; readonly messages: Messages },
  { given, proposal, canHost }: Prepared,
): Promise<Answers> {
  const { detected, ...proposed } = proposal;
  const url = given.url ?? (await askUrl(terminal, words, messages, detected?.url));
  const hosts: { value: HostKind | null; label: string }[] = [
    { value: null, label: words.hostUnknown },
    ...HOST_KINDS.map((value) => ({ value, label: words.hosts[value] })),
  ];
  const askHost = (on: Terminal) => select({ ...on, message: words.askHost, options: hosts, showInstructions: false });
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
  const askHosting = (kind: HostKind): Promise<boolean> =>
    askYes(terminal, words, words.askHosting(words.hosts[kind]), false);
  return {
    ...proposed,
    ...given,
    url,
    host,
    workflows,
    hosting: given.hosting ?? (host !== null && canHost(host) && (await askHosting(host))),
    monitor: given.monitor ?? (await askYes(terminal, words, words.askMonitor, proposal.monitor)),
  };
}

async function askUrl(
  terminal: Terminal,
  { askUrl: message }: InitWords,
  messages: Messages,
  proposed: string | undefined,
): Promise<string> {
  const validate = (value = ''): string | undefined => {
    const site = parseBaseUrl(value);
    if (!site.ok) return messages.baseUrl(site.problem, printable(site.given));
    return site.site.href === site.base.href ? undefined : messages.secretInUrl('URL');
  };
  const initial = proposed === undefined ? {} : { initialValue: proposed };
  const placeholder = 'https://docs.example.com/';
  const answer = await question(terminal, (on) => text({ ...on, message, placeholder, validate, ...initial }));
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
