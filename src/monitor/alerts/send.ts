/** Carries one alert to one route: puts it into words, and hands it to the channel. */
import { lazy } from '../../lazy.ts';
import { textsFor } from '../../project/settings.ts';
import type { Language, Texts } from '../../texts.ts';
import type { Incident } from '../incident/incident.ts';
import type { AlertRoute, Channel, IncidentVerdict, MonitoredSite, MonitorSettings } from '../settings.ts';
import type { Carried, ChannelOf } from './channels/carried.ts';
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
  const carry = createCarriers();
  return async (route, alert, signal) => {
    try {
      const { sites, page } = settings();
      const site = sites.find(({ id }) => id === alert.incident.site) ?? null;
      const [words, texts] = await Promise.all([loadAlertWords(route.language), siteTexts(site, route.language)]);
      const message = messageOf(alert, { site, words, texts, now: now(), page: page.url });
      return await carry(route.channel, { message, document: alertDocument(message, texts), now: now(), env, signal });
    } catch (error) {
      // A fault of ours; an alert is not lost for it, and the monitor goes on.
      const { name } = error instanceof Error ? error : { name: 'failed' };
      return { ok: false, error: `internal ${name}`, permanent: false, retryAfterMs: null };
    }
  };
}

type Carriers = {
  readonly [Kind in Channel['kind']]: (channel: ChannelOf<Kind>, carried: Carried) => Promise<SendResult>;
};

/** Channels with a memory have one for as long as this. */
function createCarriers(): (channel: Channel, carried: Carried) => Promise<SendResult> {
  const mailer = lazy(async () => (await import('./channels/email.ts')).createMailer());
  const manager = lazy(async () => (await import('./channels/alertmanager.ts')).createAlertmanager());
  const carriers: Carriers = {
    webhook: async (channel, carried) => (await import('./channels/webhook.ts')).webhook(channel, carried),
    email: async (channel, carried) => (await mailer())(channel, carried),
    alertmanager: async (channel, carried) => (await manager())(channel, carried),
    'github-issue': async (channel, carried) =>
      (await import('./channels/github-issue.ts')).githubIssue(channel, carried),
    command: async (channel, carried) => (await import('./channels/command.ts')).command(channel, carried),
  };
  return (channel, carried) =>
    (carriers[channel.kind] as (of: Channel, what: Carried) => Promise<SendResult>)(channel, carried);
}

/** The texts of a language, with those of the site's own checks. */
function siteTexts(site: MonitoredSite | null, language: Language): Promise<Texts> {
  return textsFor({ config: { checks: site?.checking.checks ?? [] }, language });
}
