/**
 * An alert for Prometheus' Alertmanager, API v2. It takes an alert for resolved when `endsAt` has passed, so open ones are
 * sent again and again (`resend.ts`), each time with a later end.
 */
import { mapping, ref, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { iso } from '../../iso-time.ts';
import type { IncidentVerdict } from '../../settings.ts';
import type { SendResult } from '../alert.ts';
import type { Message } from '../message.ts';
import type { ChannelType, Delivery } from './channel.ts';
import { BAD_ADDRESS, post } from './http.ts';

/** How long an alert is valid without being sent again: longer than a monitor takes to be restarted or moved. */
export const VALID_MS = 15 * 60_000;

const SEVERITIES: Readonly<Record<IncidentVerdict, string>> = { down: 'critical', degraded: 'warning', stale: 'info' };
/** Alertmanager has no limit; its receivers do. */
const MOST_PARTS = 5;

type AlertmanagerFile = NonNullable<RouteFile['alertmanager']>;

interface Alertmanager {
  readonly kind: 'alertmanager';
  /** Base URL, without `/api/v2`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const alertmanager: ChannelType<AlertmanagerFile, Alertmanager> = {
  settings: mapping(
    'Send notifications to Prometheus Alertmanager (API v2).',
    {
      url: webUrl('Base URL, without /api/v2; never printed.', { examples: ['http://alertmanager:9093/'] }),
      headers: ref('headers', 'Request headers; never printed.', {
        examples: [{ Authorization: 'Bearer ${ALERTMANAGER_TOKEN}' }],
      }),
    },
    { required: ['url'] },
  ),
  read: ({ url, headers = {} }) => ({
    kind: 'alertmanager',
    url: url.replace(/\/+$/, '').replace(/\/api\/v2(?:\/alerts)?$/, ''),
    headers,
  }),
  open: createSender,
};

/** As the API wants it. */
export interface ManagedAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly generatorURL?: string;
}

/**
 * The alert, and one that has to end: Alertmanager identifies an alert by its labels, so one whose verdict has changed is
 * another one. `before`: the verdict that was sent last.
 */
export function managedAlerts(message: Message, now: number, before: IncidentVerdict | null): readonly ManagedAlert[] {
  const { incident, page, site } = message;
  const source = page ?? site.url;
  const alert = (verdict: IncidentVerdict, endsAt: number): ManagedAlert => ({
    labels: labelsOf(message, verdict),
    annotations: annotationsOf(message),
    startsAt: iso(incident.startedAt),
    endsAt: iso(Math.max(endsAt, incident.startedAt)),
    ...(source === null ? {} : { generatorURL: source }),
  });
  const isOver = incident.recoveredAt !== null;
  return [
    alert(incident.verdict, isOver ? Math.min(now, incident.recoveredAt) : now + VALID_MS),
    ...(before === null || before === incident.verdict ? [] : [alert(before, now)]),
  ];
}

/** Sends alerts, and remembers which verdict each incident was last sent with. */
function createSender(): (channel: Alertmanager, delivery: Delivery) => Promise<SendResult> {
  const sent = new Map<string, IncidentVerdict>();
  return async (channel, { message, now, env, signal }) => {
    const address = `${channel.url.replace(/\/*$/, '')}/api/v2/alerts`;
    if (!URL.canParse(address)) return BAD_ADDRESS;
    const { incident } = message;
    const name = `${address} ${incident.id}`;
    const body = JSON.stringify(managedAlerts(message, now, sent.get(name) ?? null));
    const headers = { 'content-type': 'application/json' };
    const result = await post({ ...channel, url: address }, { url: new URL(address), body, headers, now, env, signal });
    if (result.ok && incident.recoveredAt !== null) sent.delete(name);
    else if (result.ok) sent.set(name, incident.verdict);
    return result;
  };
}

function labelsOf({ site, isTest }: Message, verdict: IncidentVerdict): Record<string, string> {
  return {
    alertname: 'DocvitalsIncident',
    site: site.id,
    severity: SEVERITIES[verdict],
    verdict,
    ...(isTest ? { test: 'true' } : {}),
  };
}

function annotationsOf({ subject, lines, findings, incident, site, page, words }: Message): Record<string, string> {
  const shown = findings.slice(0, MOST_PARTS);
  const annotations = {
    summary: subject,
    description: [...lines, ...shown.map(({ title, problem }) => `${title}${words.colon}${problem}`)].join('\n'),
    fix: shown
      .filter(({ fix }) => fix !== '')
      .map(({ title, fix }) => `${title}${words.colon}${fix}`)
      .join('\n'),
    runbook: shown.map(({ check, code }) => `docvitals explain ${check}/${code}`).join('\n'),
    incident: incident.id,
    url: site.url ?? '',
    page: page ?? '',
  };
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== ''));
}
