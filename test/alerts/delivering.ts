/** Sends what waits in a database to a receiver until it is killed: `delivering.ts <database> <url>`. */
import { Notifier } from '../../src/monitor/alerts/notifier.ts';
import { OpenAlerts } from '../../src/monitor/alerts/open-alerts.ts';
import { createSend } from '../../src/monitor/alerts/send.ts';
import { REAL_TIMERS } from '../../src/monitor/clock/clock.ts';
import { Journal, PATIENCE_MS } from '../../src/monitor/store/journal.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { routeOf, WEBHOOK } from './samples.ts';

const [database = '', url = ''] = process.argv.slice(2);

const store = await openStore(database, { mode: 'own' });
const journal = new Journal({ store, timers: REAL_TIMERS, log: () => {}, patienceMs: PATIENCE_MS });
const notifier = new Notifier({
  alerts: new OpenAlerts(await store.open(), () => ({ sites: [], alerts: [] })),
  append: (entry) => journal.append(entry),
  send: createSend({
    settings: () => ({ sites: [], page: { title: null, url: null, language: 'en' } }),
    env: {},
    now: () => Date.now(),
  }),
  timers: REAL_TIMERS,
  now: () => Date.now(),
  log: () => {},
  routes: () => [
    routeOf({ channel: { ...WEBHOOK, kind: 'webhook', url, template: 'json', secret: null, headers: {} } }),
  ],
});
notifier.wake();
