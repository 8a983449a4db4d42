/** Alert routes without mistakes, normalised. */
import type { AlertRoute, Channel } from '../../monitor/settings.ts';
import type { Language } from '../../texts.ts';
import type { Environment } from '../environment.ts';
import { expanded, headersOf, milliseconds } from '../values.ts';
import { DEFAULT_ROUTE } from './defaults.ts';
import { BOUNDS } from './durations.ts';
import type { RouteFile } from './file.ts';

/** A route; `language` is that of the file. */
export function routeOf(file: RouteFile, language: Language, env: Environment): AlertRoute {
  return {
    id: file.id,
    channel: channelOf(file, env),
    language: file.language ?? language,
    afterMs: milliseconds(file.after, BOUNDS.escalation) ?? 0,
    reminderMs: milliseconds(file.reminder, BOUNDS.reminder) ?? null,
    verdicts: file.verdicts ?? [],
    tags: file.tags ?? [],
  };
}

/** Exactly one of the channels is there. */
function channelOf({ webhook, email, alertmanager, githubIssue, command }: RouteFile, env: Environment): Channel {
  if (webhook !== undefined) return webhookOf(webhook, env);
  if (email !== undefined) return emailOf(email, env);
  if (alertmanager !== undefined) return alertmanagerOf(alertmanager, env);
  if (githubIssue !== undefined) return githubIssueOf(githubIssue, env);
  return commandOf(command ?? { run: [] }, env);
}

/** What a channel is in the file, and what it comes to. */
type Written<Name extends keyof RouteFile> = NonNullable<RouteFile[Name]>;
type Read<Kind extends Channel['kind']> = Extract<Channel, { readonly kind: Kind }>;

function webhookOf({ url, template, secret, headers }: Written<'webhook'>, env: Environment): Read<'webhook'> {
  return {
    kind: 'webhook',
    url: expanded(url, env),
    template: template ?? 'json',
    secret: secret === undefined ? null : expanded(secret, env),
    headers: headersOf(headers ?? {}, env),
  };
}

function emailOf({ server, from, to }: Written<'email'>, env: Environment): Read<'email'> {
  const receivers = typeof to === 'string' ? [to] : to;
  return {
    kind: 'email',
    server: expanded(server, env),
    from: expanded(from, env),
    to: receivers.map((address) => expanded(address, env)),
  };
}

function alertmanagerOf({ url, headers }: Written<'alertmanager'>, env: Environment): Read<'alertmanager'> {
  const base = withoutSlash(expanded(url, env)).replace(/\/api\/v2(?:\/alerts)?$/, '');
  return { kind: 'alertmanager', url: base, headers: headersOf(headers ?? {}, env) };
}

function githubIssueOf(file: Written<'githubIssue'>, env: Environment): Read<'github-issue'> {
  return {
    kind: 'github-issue',
    repository: expanded(file.repository, env),
    token: expanded(file.token, env),
    label: file.label ?? DEFAULT_ROUTE.label,
    api: withoutSlash(expanded(file.api ?? DEFAULT_ROUTE.api, env)),
  };
}

function commandOf({ run, timeout }: Written<'command'>, env: Environment): Read<'command'> {
  return {
    kind: 'command',
    run: run.map((word) => expanded(word, env)),
    timeoutMs: milliseconds(timeout, BOUNDS.command) ?? DEFAULT_ROUTE.commandTimeoutMs,
  };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
