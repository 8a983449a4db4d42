import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { DetailedPeerCertificate, PeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import type { TlsFacts } from '../core/answer.ts';
import { Failure, REASON_BY_ERROR_CODE } from './failure.ts';
import { untilEvent } from './timing.ts';

export { createSecureContext } from 'node:tls';

/** The handshake is completed first, so that a bad certificate can be reported; nothing is sent unless it verified. */
export async function startTls(
  socket: Socket,
  /** An IPv6 literal is without brackets. */
  host: string,
  signal: AbortSignal,
  secureContext?: SecureContext,
): Promise<{ readonly socket: TLSSocket; readonly facts: TlsFacts }> {
  let certificate: PeerCertificate | undefined;
  const secured = connectTls({
    socket,
    host,
    // To ask for the certificate once more costs as much as some requests.
    checkServerIdentity: (wanted, shown) => checkServerIdentity(wanted, (certificate = shown)),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(secureContext === undefined ? {} : { secureContext }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  // For `checkServerIdentity` Node makes objects of the whole chain, of which it uses the first.
  const getPeerCertificate = secured.getPeerCertificate.bind(secured);
  secured.getPeerCertificate = () => getPeerCertificate(false) as DetailedPeerCertificate;
  await untilEvent(secured, 'secureConnect', signal);
  if (!secured.authorized) {
    const code = String(secured.authorizationError);
    const refused = secured.getPeerCertificate();
    const names = refused.subjectaltname?.slice(0, 300) ?? null;
    secured.on('error', () => {});
    secured.destroy();
    throw new Failure(REASON_BY_ERROR_CODE[code] ?? 'tls-untrusted', { error: code, ...factsOf(refused), names });
  }
  const facts = factsOf(certificate ?? secured.getPeerCertificate());
  return { socket: secured, facts: { protocol: secured.getProtocol() ?? '', ...facts } };
}

function factsOf(certificate: PeerCertificate): Omit<TlsFacts, 'protocol'> {
  return {
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    subject: name(certificate.subject),
    issuer: name(certificate.issuer),
  };
}

function isoDate(text: string | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

function name(of: PeerCertificate['subject'] | undefined): string | null {
  const value: unknown = of?.CN ?? of?.O ?? null;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first.slice(0, 200) : null;
}
