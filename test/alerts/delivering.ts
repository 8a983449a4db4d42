/** Delivers the outbox of a database to a receiver until it is killed: `delivering.ts <database> <url>`. */
import { Deliverer } from '../../src/monitor/alerts/deliver.ts';
import { AlertBook } from '../../src/monitor/alerts/plan.ts';
import { createSend } from '../../src/monitor/alerts/send.ts';
import { REAL_TIMERS } from '../../src/monitor/clock/clock.ts';
import { openStore } from '../../src/monitor/store/open.ts';
import { routeOf, WEBHOOK } from './samples.ts';

const [database = '', url = ''] = process.argv.slice(2);

const store = await openStore(database, { mode: 'own' });
const deliverer = new Deliverer({
  store,
  book: await AlertBook.read(store, () => ({ sites: [], alerts: [] })),
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
setInterval(() => deliverer.wake(), 60_000);
