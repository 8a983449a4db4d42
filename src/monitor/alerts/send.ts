/** Sends one alert through one route: in the words of its language, by its channel. */
import { lazy } from '../../core/concurrency.ts';
import { textsFor } from '../../options/settings.ts';
import type { MonitorSettings } from '../settings.ts';
import type { Send } from './alert.ts';
import { failed, type Delivery } from './channels/channel.ts';
import { CHANNELS, loadChannel } from './channels/index.ts';
import { alertDocument, messageOf } from './message.ts';
import { alertsWords } from '../../generated/locales/alerts.ts';

interface SendOptions extends Pick<Delivery, 'env'> {
  /** Called each time, because the configuration may change. */
  readonly settings: () => Pick<MonitorSettings, 'sites' | 'page'>;
  readonly now: () => number;
}

/** Sends through the channels of the routes, each loaded when it is first used. */
export function createSend({ settings, env, now }: SendOptions): Send {
  // Each kind of channel has one sender for as long as this.
  const senders = new Map(
    CHANNELS.map((row) => [row.kind, lazy(async () => (await loadChannel(row)).open())] as const),
  );
  return async (route, alert, signal) => {
    try {
      const { sites, page } = settings();
      const { channel, language } = route;
      const site = sites.find(({ id }) => id === alert.incident.site) ?? null;
      // With the texts of the site's own checks.
      const named = new Set(alert.newFindings?.map((one) => one.site.id));
      const own = sites.filter((one) => one === site || named.has(one.id)).flatMap(({ checking }) => checking.checks);
      const texts = await textsFor({ config: { checks: own }, language });
      const message = messageOf(alert, { site, words: alertsWords(language), texts, now: now(), page: page.url });
      const send = await senders.get(channel.kind)?.();
      if (send === undefined) throw new Error(`unknown channel ${channel.kind}`);
      return await send(channel, { message, document: alertDocument(message, texts), now: now(), env, signal });
    } catch (error) {
      // A bug must neither lose the alert nor stop the monitor.
      return failed(`internal ${error instanceof Error ? error.name : 'failed'}`);
    }
  };
}
