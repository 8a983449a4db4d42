/** Carries one alert to one route: puts it into words, and hands it to the channel. */
import { lazy } from '../../lazy.ts';
import { textsFor } from '../../project/settings.ts';
import type { Language, Texts } from '../../texts.ts';
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, IncidentVerdict, MonitoredSite, MonitorSettings } from '../settings.ts';
import type { ChannelType, Delivery } from './channels/channel.ts';
import { CHANNELS, type Channel } from './channels/index.ts';
import { alertDocument } from './document.ts';
import { messageOf } from './message.ts';
import type { DatabaseNotice } from './notice.ts';
import type { AlertEvent } from './outbox.ts';
import { loadAlertWords } from './words/load.ts';

/** What is told. */
export interface Alert {
  /** Stable: whoever receives it twice can tell by it. */
  readonly key: string;
  readonly event: AlertEvent;
  readonly incident: Incident;
  /** Ids of other sites that it stands for. */
  readonly alsoSites: readonly string[];
  /** Of an end: what the site is all the same; absent: nothing. */
  readonly goesOn?: IncidentVerdict;
  /** Sent by `docvitals alert test`: marked as such. */
  readonly test?: true;
  /** About the monitor itself instead of a site. */
  readonly notice?: DatabaseNotice;
}

/** What came of sending. */
export type SendResult =
  /** `status`: of HTTP or of a command; `null` where there is none. */
  | { readonly ok: true; readonly status: number | null }
  | {
      readonly ok: false;
      /** Why, in a few words for people who operate: `http 503`, `timeout`, `ECONNREFUSED`. Holds no secret. */
      readonly error: string;
      /** It will hardly be another time. */
      readonly permanent: boolean;
      /** How long the receiver wants to be left alone; `null`: it does not say. */
      readonly retryAfterMs: number | null;
    };

/** Sends an alert through a route. Never rejects; bounded in time; ends when the signal is aborted. */
export type Send = (route: AlertRoute, alert: Alert, signal: AbortSignal) => Promise<SendResult>;

/** What sending needs. */
export interface SendOptions {
  /** Asked each time: they change when the configuration is read again. */
  readonly settings: () => Pick<MonitorSettings, 'sites' | 'page'>;
  /** Proxies; what a command inherits of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** ms since 1970. */
  readonly now: () => number;
}

/** Sends by the routes' own channels, each loaded when it is used first. */
export function createSend({ settings, env, now }: SendOptions): Send {
  const sendThrough = createChannelSend();
  return async (route, alert, signal) => {
    try {
      const { sites, page } = settings();
      const site = sites.find(({ id }) => id === alert.incident.site) ?? null;
      const [words, texts] = await Promise.all([loadAlertWords(route.language), siteTexts(site, route.language)]);
      const message = messageOf(alert, { site, words, texts, now: now(), page: page.url });
      return await sendThrough(route.channel, {
        message,
        document: alertDocument(message, texts),
        now: now(),
        env,
        signal,
      });
    } catch (error) {
      // A fault of ours; an alert is not lost for it, and the monitor goes on.
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
