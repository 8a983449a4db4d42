/**
 * An alert for Prometheus' Alertmanager, API v2. It considers an alert resolved when `endsAt` has passed, so open ones are
 * sent again and again (`deliver.ts`), each time with a later end.
 */
import { mapping, ref, webUrl } from '../../../config/define.ts';
import { iso } from '../../../core/time.ts';
import type { IncidentVerdict } from '../../settings.ts';
import type { SendResult } from '../alert.ts';
import type { Message } from '../message.ts';
import { BAD_ADDRESS, post, type ChannelType, type Delivery, type FileOf } from './channel.ts';

/** How long an alert is valid without being sent again: longer than a monitor takes to be restarted or moved. */
export const VALID_MS = 15 * 60_000;

const SEVERITIES: Readonly<Record<IncidentVerdict, string>> = { down: 'critical', degraded: 'warning', stale: 'info' };
/** Alertmanager has no limit; its receivers do. */
const MOST_FINDINGS = 5;

/** `isResent`: it considers an alert resolved that is not sent again. */
type Alertmanager = Required<FileOf<'alertmanager'>> & { readonly kind: 'alertmanager'; readonly isResent: true };

export const alertmanager: ChannelType<FileOf<'alertmanager'>, Alertmanager> = {
  settings: mapping(
    {
      url: webUrl('http://alertmanager:9093/'),
      headers: ref('headers', { Authorization: 'Bearer ${ALERTMANAGER_TOKEN}' }),
    },
    { required: ['url'] },
  ),
  read: ({ url, headers = {} }) => ({
    kind: 'alertmanager',
    url: url.replace(/\/+$/, '').replace(/\/api\/v2(?:\/alerts)?$/, ''),
    headers,
    isResent: true,
  }),
  open: createSender,
};

/**
 * The alert, and one that has to end: Alertmanager identifies an alert by its labels, so one whose verdict has changed is
 * another one. `before`: the verdict that was sent last.
 */
function managedAlerts(message: Message, now: number, before: IncidentVerdict | null) {
  const { incident, page, site, isTest } = message;
  const source = page ?? site.url;
  const alert = (verdict: IncidentVerdict, endsAt: number) => ({
    labels: {
      alertname: message.newFindings === null ? 'DocvitalsIncident' : 'DocvitalsFindings',
      site: site.id,
      severity: SEVERITIES[verdict],
      verdict,
      ...(isTest ? { test: 'true' } : {}),
    },
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
  return async (channel, delivery) => {
    const { message, now } = delivery;
    const { incident } = message;
    const url = URL.parse(`${channel.url.replace(/\/*$/, '')}/api/v2/alerts`);
    if (url === null) return BAD_ADDRESS;
    const name = `${url.href} ${incident.id}`;
    const body = managedAlerts(message, now, sent.get(name) ?? null);
    const result = await post({ ...channel, url: url.href }, delivery, { url, body });
    if (result.ok && incident.recoveredAt !== null) sent.delete(name);
    else if (result.ok) sent.set(name, incident.verdict);
    return result;
  };
}

function annotationsOf({ subject, lines, findings, incident, site, page, words }: Message): Record<string, string> {
  const shown = findings.slice(0, MOST_FINDINGS);
  const fixes = shown.filter(({ fix }) => fix !== '').map(({ title, fix }) => `${title}${words.colon}${fix}`);
  const annotations = {
    summary: subject,
    description: [...lines, ...shown.map(({ title, problem }) => `${title}${words.colon}${problem}`)].join('\n'),
    fix: fixes.join('\n'),
    runbook: shown.map(({ rule }) => `docvitals explain ${rule}`).join('\n'),
    incident: incident.id,
    url: site.url ?? '',
    page: page ?? '',
  };
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== ''));
}
