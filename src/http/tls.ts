import { isIP, type Socket } from 'node:net';
import {
  connect as connectTls,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import type { Evidence, TlsFacts } from '../check.ts';
import type { DialOptions } from './connect.ts';
import { Failure } from './failure.ts';
import type { Reason } from './reasons.ts';
import { untilEvent } from './waiting.ts';

/** What a failed verification means, by OpenSSL's code; everything else about the chain is `tls-untrusted`. */
const VERIFICATION: Readonly<Record<string, Reason>> = {
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-hostname',
};

const contexts = new WeakMap<object, SecureContext>();

/**
 * Whom this machine trusts; one for all connections of a run. To load TLS and read the roots takes about as long as to
 * reach a host: it may be done meanwhile.
 */
export function secureContext(run: object): SecureContext {
  const context = contexts.get(run) ?? createSecureContext();
  contexts.set(run, context);
  return context;
}

/**
 * Speaks TLS over a connected socket and verifies the certificate for `hostname`.
 * The handshake is let through first, so that a bad certificate can be told with its dates and names;
 * nothing is sent over a connection that did not verify.
 */
export async function startTls(
  socket: Socket,
  hostname: string,
  { run, signal }: Pick<DialOptions, 'run' | 'signal'>,
): Promise<TLSSocket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secured = connectTls({
    socket,
    host,
    secureContext: secureContext(run),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: false,
  });
  await untilEvent(secured, 'secureConnect', signal);
  if (!secured.authorized) {
    const code = String(secured.authorizationError);
    const evidence = certificateEvidence(secured, code);
    secured.on('error', () => {});
    secured.destroy();
    throw new Failure(VERIFICATION[code] ?? 'tls-untrusted', evidence);
  }
  return secured;
}

/** Facts of a finished handshake. */
export function tlsFacts(socket: TLSSocket): TlsFacts {
  const certificate = socket.getPeerCertificate();
  return {
    protocol: socket.getProtocol() ?? '',
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    subject: name(certificate.subject),
    issuer: name(certificate.issuer),
  };
}

function certificateEvidence(socket: TLSSocket, code: string): Evidence {
  const certificate = socket.getPeerCertificate();
  return {
    error: code,
    validFrom: isoDate(certificate.valid_from),
    validTo: isoDate(certificate.valid_to),
    subject: name(certificate.subject),
    issuer: name(certificate.issuer),
    names: certificate.subjectaltname?.slice(0, 300) ?? null,
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
