import type { Evidence } from '../core/answer.ts';
import type { Phase } from './timing.ts';
import type { Reason } from './reasons.ts';

/** Why a request or a run ended early. */
export class Ended extends Error {
  readonly by: 'timeout' | 'deadline' | 'interrupt';
  readonly limitMs: number | null;

  constructor(by: Ended['by'], limitMs: number | null = null) {
    super(by);
    this.by = by;
    this.limitMs = limitMs;
  }
}

/** Recognised by the transport itself. `get` turns it into a no-reply. */
export class Failure extends Error {
  readonly reason: Reason;
  readonly evidence: Evidence;

  constructor(reason: Reason, evidence: Evidence = {}) {
    super(reason);
    this.reason = reason;
    this.evidence = evidence;
  }
}

/** System and library error codes whose meaning does not depend on the phase. */
export const REASON_BY_ERROR_CODE: Readonly<Record<string, Reason>> = {
  EMFILE: 'out-of-descriptors',
  ENFILE: 'out-of-descriptors',
  ENETUNREACH: 'no-network',
  ENETDOWN: 'no-network',
  EADDRNOTAVAIL: 'no-network',
  EACCES: 'no-network',
  EPERM: 'no-network',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  HPE_INVALID_EOF_STATE: 'truncated',
  Z_BUF_ERROR: 'truncated',
  CERT_HAS_EXPIRED: 'tls-expired',
  CERT_NOT_YET_VALID: 'tls-expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls-hostname',
};

const BY_PHASE: Readonly<Partial<Record<Phase, Readonly<Record<string, Reason>>>>> = {
  dns: { ENOTFOUND: 'dns-not-found', ENODATA: 'dns-not-found', ETIMEOUT: 'dns-timeout' },
  connect: { ECONNREFUSED: 'refused' },
  // Contradicting lengths are seen in the headers already; a body that ends early only at its end.
  headers: { UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'bad-framing' },
};

const OTHERWISE: Readonly<Record<Phase, Reason>> = {
  dns: 'dns-temporary',
  connect: 'unreachable',
  tls: 'tls-protocol',
  headers: 'reset',
  body: 'truncated',
};

/** A TLS record begins so when a TLS server answers plain text with an alert (RFC 8446, section 5.1). */
const TLS_ALERT = '\u0015\u0003';
const RECEIVED_SHOWN = 64;

/** What an error of the network, of TLS, of undici or of zlib means. */
export function failureOf(error: unknown, phase: Phase): Failure {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (!isBadFraming(error)) return new Failure(reasonOf(code, phase), code === '' ? {} : { error: code });
  const { data = '' } = error;
  if (data.startsWith(TLS_ALERT)) return new Failure('tls-protocol', { error: 'TLS_ON_HTTP_PORT' });
  const received = data === '' ? {} : { received: data.slice(0, RECEIVED_SHOWN) };
  return new Failure(REASON_BY_ERROR_CODE[code] ?? 'bad-framing', { error: code, ...received });
}

/** Whether undici refused the received bytes, because they are not a response to the request. */
export function isBadFraming(error: unknown): error is Error & { readonly data?: string } {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return error.name === 'HTTPParserError' || (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '));
}

function reasonOf(code: string, phase: Phase): Reason {
  const known = REASON_BY_ERROR_CODE[code] ?? BY_PHASE[phase]?.[code];
  if (known !== undefined) return known;
  if (code === 'ETIMEDOUT') return `${phase}-timeout`;
  if (code.startsWith('HPE_')) return 'bad-framing';
  if (/^(ERR_SSL_|EPROTO$)/.test(code)) return 'tls-protocol';
  if (/^(Z_|ERR__ERROR_FORMAT|ERR_BROTLI|ERR__?ZSTD|ZSTD_)/.test(code)) return 'bad-encoding';
  return OTHERWISE[phase];
}

/** Connecting to several addresses fails with one error each: the first that is not merely "no such network". */
function codeOf(error: unknown): string {
  const all = (error instanceof AggregateError ? error.errors : [error]) as NodeJS.ErrnoException[];
  const own = all.find(({ code }) => code !== 'ENETUNREACH' && code !== 'EADDRNOTAVAIL') ?? all[0];
  return own?.code ?? '';
}
