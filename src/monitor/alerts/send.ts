/** Sends one alert through one route: in the words of its language, by its channel. */
import { lazy } from '../../lazy.ts';
import { textsFor } from '../../project/settings.ts';
import type { Language, Texts } from '../../texts.ts';
import type { MonitoredSite, MonitorSettings } from '../settings.ts';
import type { Send, SendResult } from './alert.ts';
import type { ChannelType, Delivery } from './channels/channel.ts';
import { CHANNELS, type Channel } from './channels/index.ts';
import { alertDocument, messageOf } from './message.ts';
import { alertsWords } from '../../generated/locales/alerts.ts';

/** What sending needs. */
export interface SendOptions {
  /** Called each time, because the configuration may change. */
  readonly settings: () => Pick<MonitorSettings, 'sites' | 'page'>;
  /** For proxies, and for what a command inherits. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** ms since 1970. */
  readonly now: () => number;
}

/** Sends through the channels of the routes, each loaded when it is first used. */
export function createSend({ settings, env, now }: SendOptions): Send {
  const sendThrough = createChannelSend();
  return async (route, alert, signal) => {
    try {
      const { sites, page } = settings();
      const site = sites.find(({ id }) => id === alert.incident.site) ?? null;
      const words = alertsWords(route.language);
      const texts = await siteTexts(site, route.language);
      const message = messageOf(alert, { site, words, texts, now: now(), page: page.url });
      return await sendThrough(route.channel, {
        message,
        document: alertDocument(message, texts),
        now: now(),
        env,
        signal,
      });
    } catch (error) {
      // A bug must neither lose the alert nor stop the monitor.
      const { name } = error instanceof Error ? error : { name: 'failed' };
      return { ok: false, error: `internal ${name}`, permanent: false, retryAfterMs: null };
    }
  };
}

/** Sends through a route's channel. Each kind of channel has one sender for as long as this. */
function createChannelSend(): (channel: Channel, delivery: Delivery) => Promise<SendResult> {
  const senders = new Map(
    CHANNELS.map(({ kind, load }) => [
      kind as string,
      // A row's sender takes the settings of its own kind, which the type of a lookup cannot say.
      lazy(async () => ((await load()) as unknown as ChannelType<never, Channel>).open()),
    ]),
  );
  return async (channel, delivery) => {
    const sender = await senders.get(channel.kind)?.();
    if (sender === undefined) throw new Error(`unknown channel ${channel.kind}`);
    return sender(channel, delivery);
  };
}

/** The texts of a language, with those of the site's own checks. */
function siteTexts(site: MonitoredSite | null, language: Language): Promise<Texts> {
  return textsFor({ config: { checks: site?.checking.checks ?? [] }, language });
}
