/**
 * An alert for Prometheus' Alertmanager, API v2. It takes an alert for resolved when `endsAt` has passed, so open ones are
 * sent again and again (`refresh.ts`), each time with an end that lies further off.
 */
import { mapping, ref, webUrl } from '../../../config/define.ts';
import type { RouteFile } from '../../../generated/config-file.ts';
import { VERSION } from '../../../version.ts';
import { iso } from '../../iso-time.ts';
import type { IncidentVerdict } from '../../settings.ts';
import type { Message } from '../message.ts';
import type { SendResult } from '../send.ts';
import { ANSWER_BYTES, REQUEST_MS, type ChannelType, type Delivery } from './channel.ts';
import { request } from './request.ts';
import { resultOf, secretsOf } from './verdict.ts';
import { lowerCase } from './webhook.ts';

/** How long an alert stands without being sent again: longer than a monitor takes to be restarted or moved. */
export const STANDS_MS = 15 * 60_000;

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
  open: createAlertmanager,
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
 * The alert, and what has to be ended beside it: labels are what Alertmanager knows an alert by, so that one which has
 * become graver is another one. `before`: the verdict that was sent last.
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
    alert(incident.verdict, isOver ? Math.min(now, incident.recoveredAt) : now + STANDS_MS),
    ...(before === null || before === incident.verdict ? [] : [alert(before, now)]),
  ];
}

/** Sends alerts, and remembers which verdict each incident was sent with last. */
function createAlertmanager(): (channel: Alertmanager, delivery: Delivery) => Promise<SendResult> {
  const sent = new Map<string, IncidentVerdict>();
  return async (channel, delivery) => {
    const { message, now, env, signal } = delivery;
    const base = channel.url.replace(/\/*$/, '');
    const address = `${base}/api/v2/alerts`;
    if (!URL.canParse(address)) return { ok: false, error: 'bad-address', permanent: true, retryAfterMs: null };
    const { incident } = message;
    const name = `${address} ${incident.id}`;
    const result = await request({
      method: 'POST',
      url: new URL(address),
      headers: {
        ...lowerCase(channel.headers),
        'content-type': 'application/json',
        'user-agent': `docvitals/${VERSION}`,
      },
      body: JSON.stringify(managedAlerts(message, now, sent.get(name) ?? null)),
      timeoutMs: REQUEST_MS,
      mostBytes: ANSWER_BYTES,
      env,
      signal,
    });
    const outcome = resultOf(result, now, secretsOf(new URL(address), channel.headers));
    if (outcome.ok && incident.recoveredAt !== null) sent.delete(name);
    else if (outcome.ok) sent.set(name, incident.verdict);
    return outcome;
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
  const told = findings.slice(0, MOST_PARTS);
  const annotations = {
    summary: subject,
    description: [...lines, ...told.map(({ title, problem }) => `${title}${words.colon}${problem}`)].join('\n'),
    fix: told
      .filter(({ fix }) => fix !== '')
      .map(({ title, fix }) => `${title}${words.colon}${fix}`)
      .join('\n'),
    runbook: told.map(({ check, code }) => `docvitals explain ${check}/${code}`).join('\n'),
    incident: incident.id,
    url: site.url ?? '',
    page: page ?? '',
  };
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== ''));
}
