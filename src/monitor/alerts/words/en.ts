import type { IncidentVerdict } from '../../settings.ts';
import type { AlertEvent, DatabaseNotice } from '../alert.ts';

/** What an alert says, in one language. Texts that are put in are printable; durations and times are written out. */
export type AlertWords = typeof words;

const VERDICTS: Readonly<Record<IncidentVerdict, string>> = { down: 'down', degraded: 'degraded', stale: 'stale' };

const meaning: Readonly<Record<IncidentVerdict, string>> = {
  down: 'Visitors see a blank page.',
  degraded: 'The site opens, but a part of it does not work.',
  stale: 'The site works, but the live version is not the one that was expected.',
};

const notices: Readonly<
  Record<DatabaseNotice, { readonly subject: string; readonly problem: string; readonly fix: string }>
> = {
  damaged: {
    subject: 'docvitals: the database of the monitor was damaged',
    problem:
      'The database was renamed and a new one was created. What could be read of incidents and notifications was copied; the rest of the history is missing, and an open incident may be reported again.',
    fix: 'Check the disk of the monitor. The renamed file is beside the new one, with `.corrupt-` and the time in its name.',
  },
  replaced: {
    subject: 'docvitals: the database of the monitor was deleted or replaced',
    problem:
      'The database file was deleted or replaced while the monitor was running. A new one was created with all incidents and notifications; the history of response times before is missing.',
    fix: 'Stop the monitor before you move or restore its database. A file that was put in its place is kept beside it, with `.corrupt-` and the time in its name.',
  },
};

export const words = {
  /** Units of time, as they follow a number. */
  units: { day: 'd', hour: 'h', minute: 'min', second: 's' },
  decimal: '.',
  /** Between a label and its value, with its spaces. */
  colon: ': ',
  /** The first line: what happened to which site. `lasting`: how long the incident lasts or lasted. */
  subject(event: AlertEvent, verdict: IncidentVerdict, site: string, lasting: string): string {
    if (event === 'recovered') return `${site} has recovered after ${lasting}`;
    return event === 'opened'
      ? `${site} is ${VERDICTS[verdict]}`
      : `${site} is still ${VERDICTS[verdict]} after ${lasting}`;
  },
  /** The first line of an outage that is over while another incident of the site is open. */
  upAgain: (verdict: IncidentVerdict, site: string, lasting: string): string =>
    `${site} is up again after ${lasting}, but ${VERDICTS[verdict]}`,
  /** Before the subject of a test. */
  test: '[TEST]',
  testNote: 'This is a test of the notification route. Nothing is wrong with the site.',
  /** What visitors experience. */
  meaning,
  /** About the monitor itself. */
  notices,
  recovered: (duration: string, objective: string, isMet: boolean): string =>
    `recovered in ${duration}, recovery time objective ${objective}: ${isMet ? 'met' : 'missed'}`,
  /** Of an open incident. */
  objective: (objective: string, isPassed: boolean): string =>
    `recovery time objective ${objective}${isPassed ? ': already missed' : ''}`,
  fromDetection: (duration: string): string => `${duration} (since detection)`,
  /** Names of facts. The begin of an incident is one of `started` to `outageEnded`. */
  labels: {
    site: 'Site',
    checks: 'Checks',
    codes: 'Findings',
    started: 'Last healthy',
    maintained: 'Maintenance ended',
    /** The site was never healthy. */
    seenFirst: 'First failed run',
    /** The site was not healthy before, but not down. */
    seenUp: 'Last not down',
    /** The site was down before. */
    outageEnded: 'Outage ended',
    detected: 'Detected',
    notified: 'Notified',
    recovered: 'Recovered',
    incident: 'Incident',
    fix: 'Fix',
    statusPage: 'Status page',
    openSite: 'Open the site',
  },
  /** The same root cause at other sites. */
  also: (sites: readonly string[]): string => `The same cause affects: ${sites.join(', ')}.`,
  /** A version that went live shortly before. `before`: the version that it replaced. */
  deploy: (version: string, before: string | null, seenAt: string): string =>
    `Suspected deployment: ${version}${before === null ? '' : ` instead of ${before}`}, first seen ${seenAt}.`,
  flapping: 'The site goes down and recovers repeatedly; it counts as recovered once it stays healthy for a while.',
  /** Findings that are left out. */
  more: (count: number): string => (count === 1 ? '… and 1 more finding' : `… and ${count} more findings`),
  /** Under an alert. */
  sentBy: 'Sent by the docvitals monitor.',
  /** For `docvitals alert`. `channel`: its kind; `error`: as in the log. */
  command: {
    sent: (route: string, channel: string, took: string): string => `${route} (${channel}): sent in ${took}`,
    notSent: (route: string, channel: string, took: string, error: string): string =>
      `${route} (${channel}): not sent after ${took}: ${error}`,
    noneWaits: 'No notification waits to be sent.',
    /** More than are listed. */
    others: (count: number): string =>
      count === 1 ? '1 more notification waits.' : `${count} more notifications wait.`,
    /** Instead of the time of the next attempt: as soon as the monitor gets to it. */
    soon: 'as soon as possible',
    heads: ['Route', 'Event', 'Site', 'Next attempt', 'Attempts', 'Error'] as readonly string[],
  },
  /** A comment on the issue of an incident; in Markdown, with the names of findings as code. */
  issueChanged: (added: readonly string[], gone: readonly string[]): string =>
    [
      ...(added.length === 0 ? [] : [`New: ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Gone: ${gone.join(', ')}.`]),
    ].join(' '),
  issueReopened: 'Reopened: the site is not healthy yet.',
  issueRecovered: 'The site has recovered, so this issue is closed.',
};
