import type { Words } from './words.ts';

export const words: Words = {
  titles: {
    400: 'Bad request',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    414: 'URI too long',
    421: 'Misdirected request',
    500: 'Internal error',
    503: 'Service unavailable',
  },
  details: {
    'bad-request': () => 'The request cannot be read.',
    'bad-parameter': (parameter) => `The parameter "${parameter}" does not hold what it may hold.`,
    'bad-target': () =>
      'The parameter "target" has to be the id of a site, or an http or https URL without user name, password, query and fragment.',
    'unknown-module': () =>
      'There is no such module: "five" and "full" are there always, others are declared under monitor.probe.modules.',
    'target-not-allowed': () =>
      'This target is not on the list: only what monitor.probe.targets names may be probed, a site of the monitor by its id or URL.',
    'not-found': () => 'There is nothing at this path.',
    'unknown-site': () => 'The monitor does not know this site.',
    'unknown-incident': () => 'There is no such incident.',
    'method-not-allowed': () => 'Everything here can only be read: with GET or HEAD.',
    'uri-too-long': () => 'The path with its query is too long.',
    'host-not-known': () =>
      'The server listens on this machine only and does not answer for this host name. Behind a proxy, set monitor.page.url to the address that people use.',
    internal: () => 'Something went wrong here. The log of the monitor says what.',
    'store-failed': () => 'The database cannot be read now. The log of the monitor says why.',
    'too-many-probes': () => 'Too many probes go on already. Try again later.',
  },
  api: {
    title: 'docvitals monitor',
    description: 'What the monitor knows, to read: sites, incidents, history, maintenance. Times are ISO 8601 in UTC.',
    problem: 'What is wrong with the request, or here.',
    operations: {
      incidents: 'The incidents, the newest first. Where there are more, the header Link leads to them.',
      incident: 'One incident, with what failed when it was looked at last.',
      sites: 'The sites, as they are now.',
      site: 'One site with its checks.',
      history: 'What happened at a site, the oldest first.',
      maintenance: 'Maintenance that goes on, and what comes next.',
      openapi: 'This description.',
    },
    parameters: {
      site: 'Only this site, by its id.',
      open: 'true: only those that are open; false: only those that are over.',
      since: 'Only what was detected at this time or later.',
      before: 'Only what was detected before this time.',
      limit: 'How many at most.',
      lang: 'The language of problem and fix.',
      resolution: 'Each round, or what rounds came to in a minute, an hour, a day (UTC).',
      from: 'From this time on.',
      to: 'Until before this time.',
    },
  },
};
