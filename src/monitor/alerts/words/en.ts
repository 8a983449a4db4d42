import type { AlertWords } from './words.ts';

const VERDICTS = { down: 'down', degraded: 'degraded', stale: 'not up to date' } as const;

export const words: AlertWords = {
  units: { day: 'd', hour: 'h', minute: 'min', second: 's' },
  decimal: '.',
  colon: ': ',
  subject(event, verdict, site, lasting) {
    if (event === 'opened') return `${site} is ${VERDICTS[verdict]}`;
    return event === 'reminder'
      ? `${site} is still ${VERDICTS[verdict]}, for ${lasting} now`
      : `${site} has recovered after ${lasting}`;
  },
  upAgain: (verdict, site, lasting) => `${site} is up again after ${lasting}, but ${VERDICTS[verdict]}`,
  test: '[TEST]',
  testNote: 'This is a test of the alert route. Nothing is wrong with the site.',
  meaning: {
    down: 'Visitors see a blank page.',
    degraded: 'The site opens, but a part of it does not work.',
    stale: 'The site works, but what is live is not the version that was expected.',
  },
  notices: {
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
  },
  recovered: (duration, objective, isMet) =>
    `recovered in ${duration}, objective ${objective}: ${isMet ? 'met' : 'missed'}`,
  objective: (objective, isPassed) =>
    isPassed ? `objective ${objective}: missed already` : `objective: recovered within ${objective}`,
  fromDetection: (duration) => `${duration} (since detection)`,
  labels: {
    site: 'Site',
    checks: 'Checks',
    codes: 'Findings',
    started: 'Last seen well',
    maintained: 'Maintenance ended',
    seenFirst: 'Seen first',
    seenUp: 'Last seen up',
    outageEnded: 'Outage ended',
    detected: 'Detected',
    notified: 'First alert',
    recovered: 'Recovered',
    incident: 'Incident',
    fix: 'What to do',
    seen: 'What was seen',
    statusPage: 'Status page',
    openSite: 'Open the site',
  },
  also: (sites) => `The same cause affects: ${sites.join(', ')}.`,
  deploy: (version, before, seenAt) =>
    `Suspected deploy: ${version}${before === null ? '' : ` in place of ${before}`}, first seen ${seenAt}.`,
  flapping: 'The site goes up and down again and again; it counts as recovered once it stays well for a while.',
  more: (count) => (count === 1 ? '… and 1 finding more' : `… and ${count} findings more`),
  sentBy: 'Sent by the docvitals monitor.',
  command: {
    sent: (route, channel, took) => `${route} (${channel}): sent in ${took}`,
    notSent: (route, channel, took, error) => `${route} (${channel}): not sent after ${took}: ${error}`,
    noneWaits: 'No alert waits to be sent.',
    others: (count) => (count === 1 ? '1 alert more waits behind these.' : `${count} alerts more wait behind these.`),
    soon: 'as soon as possible',
    heads: ['Route', 'Alert', 'Site', 'Next attempt', 'Attempts', 'Error'],
  },
  issueChanged(added, gone) {
    const parts = [
      ...(added.length === 0 ? [] : [`New: ${added.join(', ')}.`]),
      ...(gone.length === 0 ? [] : [`Gone: ${gone.join(', ')}.`]),
    ];
    return parts.join(' ');
  },
  issueReopened: 'Opened again: the site is not well yet.',
  issueRecovered: 'The site has recovered, so this issue is closed.',
};
