/** Hosts that cannot be reached, and a way out that does not lead there. */
import { all, fail, healthy, row, unknown } from './fault.ts';
import type { Fault } from './fault.ts';

/** A label longer than DNS allows (RFC 1035, section 2.3.4): known not to exist even where no name server answers. */
const NO_SUCH_NAME = `http://${'nosuch'.repeat(11)}.invalid/`;

export const connecting: readonly Fault[] = [
  row('nothing listens', { gone: true }, all(fail('refused'))),
  row('the name does not exist', { address: () => NO_SUCH_NAME }, all(fail('dns-not-found'))),
  row('the proxy does not listen', {}, all(unknown('proxy-failed')), {
    env: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '' },
  }),
  healthy(
    'a proxy that is not for this host',
    {},
    {},
    { env: { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '127.0.0.1' } },
  ),
];
