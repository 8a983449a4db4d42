import type { PageWords } from './words.ts';

const number = (count: number): string => new Intl.NumberFormat('en').format(count);
const of = (count: number, total: number): string => `${number(count)} of ${number(total)} sites`;
const all = (total: number): string => (total === 2 ? 'Both sites' : `All ${number(total)} sites`);
const is = (count: number): string => (count === 1 ? 'is' : 'are');
const runs = (total: number): string => `${number(total)} ${total === 1 ? 'round' : 'rounds'}`;

export const words: PageWords = {
  status: 'Status',
  skip: 'Skip to the content',
  language: 'Language',
  headlines: {
    healthy: {
      one: (name) => `${name} works`,
      some: (count, total) => `${of(count, total)} ${count === 1 ? 'works' : 'work'}`,
      all: (total) => `${all(total)} work`,
    },
    down: {
      one: (name) => `${name} is down`,
      some: (count, total) => `${of(count, total)} ${is(count)} down`,
      all: (total) => `${all(total)} are down`,
    },
    unstable: {
      one: (name) => `${name} is unstable`,
      some: (count, total) => `${of(count, total)} ${is(count)} unstable`,
      all: (total) => `${all(total)} are unstable`,
    },
    degraded: {
      one: (name) => `${name} works only in part`,
      some: (count, total) => `${of(count, total)} ${count === 1 ? 'works' : 'work'} only in part`,
      all: (total) => `${all(total)} work only in part`,
    },
    stale: {
      one: (name) => `${name} is out of date`,
      some: (count, total) => `${of(count, total)} ${is(count)} out of date`,
      all: (total) => `${all(total)} are out of date`,
    },
    unknown: {
      one: (name) => `How ${name} is doing is unknown`,
      some: (count, total) => `How ${of(count, total)} ${is(count)} doing is unknown`,
      all: (total) => `How ${all(total).toLowerCase()} are doing is unknown`,
    },
    new: {
      one: (name) => `${name} has not been looked at yet`,
      some: (count, total) => `${of(count, total)} ${count === 1 ? 'has' : 'have'} not been looked at yet`,
      all: () => 'No site has been looked at yet',
    },
    maintenance: {
      one: (name) => `${name} is under maintenance`,
      some: (count, total) => `${of(count, total)} ${is(count)} under maintenance`,
      all: (total) => `${all(total)} are under maintenance`,
    },
  },
  kinds: { new: 'not checked yet', maintenance: 'maintenance', unstable: 'unstable' },
  counted: {
    healthy: (count) => `${number(count)} healthy`,
    down: (count) => `${number(count)} down`,
    unstable: (count) => `${number(count)} unstable`,
    degraded: (count) => `${number(count)} degraded`,
    stale: (count) => `${number(count)} stale`,
    unknown: (count) => `${number(count)} unknown`,
    new: (count) => `${number(count)} not looked at yet`,
    maintenance: (count) => `${number(count)} under maintenance`,
  },
  meanings: {
    new: 'The first look at the site has not ended yet.',
    unstable: 'The site works only at times, or has just come back. Its incident is not over yet.',
    maintenance: 'The site is being worked on, so that it may be out of order for now.',
  },
  noSites: 'No site is watched',
  asOf: 'As of',
  aged: 'This page has been open for more than two minutes and is out of date.',
  reload: 'Load it again',
  stopRefresh: 'Stop refreshing',
  refresh: 'Refresh automatically',
  silent: (time, verdict) => `Nothing has been heard since ${time}; it was ${verdict} then.`,
  suspected: 'A first look found a fault; it is being confirmed.',
  troubles: {
    'database-damaged':
      'The database of the monitor was damaged. A new one was created; part of the history is missing.',
    'database-replaced':
      'The database of the monitor was deleted or replaced. A new one was created; part of the history is missing.',
    'disk-full': 'The monitor’s disk is full: what it finds now may be missing here later.',
    'no-network': 'The monitor’s own network is gone, so it cannot tell how the sites are doing.',
    'store-unreadable': 'The monitor’s database cannot be read, so the past is missing here.',
    other: 'The monitor itself is not well:',
  },
  unreadable: 'This cannot be read at the moment.',

  sites: 'Sites',
  otherSites: 'Other sites',
  checks: 'Checks',
  check: 'Check',
  result: 'Result',
  lookedAt: 'Looked at',
  findings: 'Findings',
  noChecks: 'No check has been run yet.',

  uptime: 'Uptime',
  up: (percent) => `${percent} up`,
  noUptime: 'nothing known yet',
  barsLegend: 'Each bar is a period of time; its lower part shows for how much of it the site had a fault.',
  bars: {
    minute: {
      legend: 'Each bar is a minute; its lower part shows for how much of it the site had a fault.',
      unit: 'Minute',
      ago: (n) => `${number(n)} minutes ago`,
      now: 'now',
      label: (n, up, bad) =>
        `Last ${number(n)} minutes: ${up}. ${bad === 0 ? 'No minute with a fault.' : `${number(bad)} ${bad === 1 ? 'minute' : 'minutes'} with a fault.`}`,
      faults: 'Minutes with a fault',
      noFaults: 'No minute with a fault.',
    },
    hour: {
      legend: 'Each bar is an hour; its lower part shows for how much of it the site had a fault.',
      unit: 'Hour',
      ago: (n) => `${number(n)} hours ago`,
      now: 'now',
      label: (n, up, bad) =>
        `Last ${number(n)} hours: ${up}. ${bad === 0 ? 'No hour with a fault.' : `${number(bad)} ${bad === 1 ? 'hour' : 'hours'} with a fault.`}`,
      faults: 'Hours with a fault',
      noFaults: 'No hour with a fault.',
    },
    day: {
      legend: 'Each bar is a day in UTC; its lower part shows for how much of it the site had a fault.',
      unit: 'Day',
      ago: (n) => `${number(n)} days ago`,
      now: 'today',
      label: (n, up, bad) =>
        `Last ${number(n)} days: ${up}. ${bad === 0 ? 'No day with a fault.' : `${number(bad)} ${bad === 1 ? 'day' : 'days'} with a fault.`}`,
      faults: 'Days with a fault',
      noFaults: 'No day with a fault.',
    },
  },
  upLegend: 'Up means that visitors saw the site; maintenance, and times of which nothing is known, do not count.',
  periodKinds: {
    none: 'no check ran',
    maintenance: 'maintenance',
    unknown: 'state unknown',
    well: 'no fault',
  },
  badRounds: {
    down: (count, total) => `down in ${number(count)} of ${runs(total)}`,
    degraded: (count, total) => `degraded in ${number(count)} of ${runs(total)}`,
    stale: (count, total) => `stale in ${number(count)} of ${runs(total)}`,
  },

  response: { hour: 'Response time in the last hour', day: 'Response time in the last 24 hours' },
  noResponse: 'No response was received in this time.',
  lastChecks: 'Last checks',
  fullCheck: 'full check',
  responseTime: 'Response time',
  responseSummary: (mean, slowest, at) => `On average ${mean}; the slowest took ${slowest}, at ${at} UTC.`,
  responseKeys: { mean: 'average', p95: '95th percentile', bad: 'not well', maintenance: 'maintenance' },
  byHour: 'By hour',
  hour: 'Hour',
  slowest: 'slowest',

  incidentsNow: 'Going on now',
  pastIncidents: 'Past incidents',
  allIncidents: 'All incidents',
  noIncidents: (days) => `There was no incident in the last ${number(days)} days.`,
  leftOut: (count) => `… and ${number(count)} more`,
  mostTold: (count) => `The last ${number(count)} are shown.`,
  recovered: (title) => `${title}, recovered`,
  incidentTitles: {
    unstable: (site) => `${site}: unstable`,
    down: (site) => `${site}: down`,
    degraded: (site) => `${site}: degraded`,
    stale: (site) => `${site}: stale`,
  },
  clocks: { started: 'Started', detected: 'Detected', notified: 'Notified', recovered: 'Recovered' },
  startedNotes: {
    'good-round': 'last good look',
    'maintenance-end': 'end of maintenance',
    'first-bad-round': 'first look that found it',
    'up-round': 'last look that was not down',
    'outage-end': 'end of the outage',
  },
  notYet: 'not yet',
  nobodyNotified: 'nobody was',
  notifiedWith: 'with the incident of the same cause',
  later: (duration) => `after ${duration}`,
  fromDetection: (duration) => `${duration} (since detection)`,
  met: (duration, rto) => `recovered in ${duration}, objective ${rto}: met`,
  missed: (duration, rto) => `recovered in ${duration}, objective ${rto}: missed`,
  openWithin: (duration, rto) => `open for ${duration}, objective ${rto}: can still be met`,
  openBeyond: (duration, rto) => `open for ${duration}, objective ${rto}: missed`,
  whatFails: 'What fails, and what to do',
  whatFailed: 'What failed, and what was to be done',
  deploy: 'Suspected deploy:',
  deployBefore: 'before it',
  deploySeen: 'first seen',
  flapping: 'The site goes up and down again and again.',
  unsteady: 'flapping',
  said: (checks, what) => `${checks}: ${what}`,
  sameAs: 'The same cause as',

  maintenance: 'Maintenance',
  goesOn: 'Going on',

  allSites: 'All sites',
  notFound: 'This page does not exist',
  notFoundHint: 'The address may be wrong, the site is no longer monitored, or the incident is too old.',
  badge: 'Badge',
  follow: 'Follow',
  madeBy: 'Watched by docvitals. All times are UTC.',

  site: 'Site',
  until: 'until',
  exported: (files, folder) => `${number(files)} files written to ${folder}.`,
  removed: (files) => `${number(files)} ${files === 1 ? 'file' : 'files'} of before removed.`,

  badgeLabel: 'status',
  feedRecovered: (site) => `${site}: recovered`,
  feedDescription: 'Incidents and recoveries',
};
