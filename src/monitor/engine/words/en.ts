import type { EngineWords } from './words.ts';

export const words: EngineWords = {
  watching: (sites) => (sites === 1 ? 'Watching 1 site.' : `Watching ${sites} sites.`),
  page: (url) => `Status page, metrics and API: ${url}`,
  notListening: 'No status page: give --listen 127.0.0.1:9464 for one.',
  database: (file) => `Database: ${file}`,
  howToStop: 'Ctrl-C stops it.',

  inMaintenance: 'maintenance',
  unstable: 'unstable',
  notLookedAt: 'not looked at',
  openSince: (time) => `incident open since ${time}`,
  pendingAlerts: (count) =>
    count === 1
      ? '1 alert could not be sent; the next run tries again.'
      : `${count} alerts could not be sent; the next run tries again.`,
  notKept: 'What was found could not be written to the database.',

  maintenanceStarted: (site, until) => `${site}: in maintenance until ${until}.`,
  maintenanceEnded: (site, count) =>
    count === 0 ? `${site}: no maintenance was going on.` : `${site}: maintenance ended.`,
  maintenanceGoesOn: (site, until) => `${site}: still in maintenance until ${until}, as the configuration plans.`,
  noMaintenance: 'No maintenance goes on, and none is planned.',
  heads: ['site', 'from', 'to', 'reason'],
  now: 'now',
};
