/** Certificates and handshakes. The certificates are trusted wherever trust is not the fault. */
import { all, fail, healthy, IMPATIENT, row } from './fault.ts';
import type { Fault } from './fault.ts';

const https = (url: string): string => url.replace('http:', 'https:');

export const tls: readonly Fault[] = [
  healthy('HTTPS with a good certificate', { tls: 'good' }),
  healthy('HTTPS by name, found at the address given', {
    tls: 'good',
    address: (url) => url.replace('127.0.0.1', 'localhost'),
  }),
  row('certificate has expired', { tls: 'expired' }, all(fail('tls-expired'))),
  row('certificate is not valid yet', { tls: 'not-yet-valid' }, all(fail('tls-expired'))),
  row("certificate is another host's", { tls: 'wrong-host' }, all(fail('tls-hostname'))),
  row('certificate is self-signed', { tls: 'self-signed' }, all(fail('tls-untrusted'))),
  row("certificate's issuer is unknown", { tls: 'no-intermediate' }, all(fail('tls-untrusted'))),
  row('only TLS 1.0 and 1.1', { tls: 'old-protocol' }, all(fail('tls-protocol'))),
  row('plain HTTP on a TLS port', { address: https }, all(fail('tls-protocol'))),
  row('silence instead of a handshake', { scripts: {}, address: https }, all(fail('tls-timeout')), { args: IMPATIENT }),
];
