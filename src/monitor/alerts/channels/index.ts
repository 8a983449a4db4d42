import type { ChannelType } from './channel.ts';

/**
 * The channels of notification routes. A new channel is one file in this folder and a row here. `key`: in the
 * configuration; `kind`: in logs and reports. A channel is loaded when a route uses it.
 */
export const CHANNELS = [
  { key: 'webhook', kind: 'webhook', load: async () => (await import('./webhook.ts')).webhook },
  { key: 'email', kind: 'email', load: async () => (await import('./email.ts')).email },
  { key: 'alertmanager', kind: 'alertmanager', load: async () => (await import('./alertmanager.ts')).alertmanager },
  { key: 'githubIssue', kind: 'github-issue', load: async () => (await import('./github-issue.ts')).githubIssue },
  { key: 'command', kind: 'command', load: async () => (await import('./command.ts')).command },
] as const;

/** The settings of any channel. URLs, headers and tokens are secret: never printed. */
export type Channel = ReturnType<Awaited<ReturnType<(typeof CHANNELS)[number]['load']>>['read']>;

/** The channel of a row. It takes the settings of its own key, which the type of a lookup cannot say. */
export async function loadChannel({ load }: (typeof CHANNELS)[number]) {
  return (await load()) as unknown as ChannelType<unknown, Channel>;
}
