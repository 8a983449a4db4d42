import { hash, randomUUID } from 'node:crypto';
import type { Answer, Get, GetRequest, Reply } from '../core/answer.ts';

/** In milliseconds. */
const WHOLE_MS = 10 * 60_000;
/** A `Last-Modified` less than this before `Date` is a weak validator (RFC 9110, section 8.8.2.2). In milliseconds. */
const SETTLED_MS = 60_000;
const MOST_FILES = 20;
/** Bytes of bodies that all sites together may keep. */
const MOST_BYTES = 96 * 1024 * 1024;

/** Shared by all sites of a monitor: many sites have the same engine. */
export class KeptBodies {
  readonly #bodies = new Map<string, { readonly body: Uint8Array; users: number }>();
  #bytes = 0;

  /** `null`: there is no room for it. */
  keep(sha256: string, body: Uint8Array): Uint8Array | null {
    const known = this.#bodies.get(sha256);
    if (known === undefined && this.#bytes + body.length > MOST_BYTES) return null;
    if (known === undefined) this.#bytes += body.length;
    const kept = known ?? { body, users: 0 };
    kept.users += 1;
    this.#bodies.set(sha256, kept);
    return kept.body;
  }

  release(sha256: string): void {
    const known = this.#bodies.get(sha256);
    if (known === undefined) return;
    known.users -= 1;
    if (known.users > 0) return;
    this.#bodies.delete(sha256);
    this.#bytes -= known.body.length;
  }
}

interface KeptFile {
  readonly reply: Reply;
  readonly sha256: string;
  readonly validators: Readonly<Record<string, string>>;
  readonly wholeAt: number;
  /** It sent the body for a validator that no file has: it does not answer 304 to everything. */
  readonly validatorsReliable: boolean;
}

/**
 * Conditional requests (RFC 9110, section 13) for the files of a site that is checked again and again: status 304 for a
 * body that was received before counts as status 200 with that body. A body is received whole for the first time, for the
 * second time to test the host, after ten minutes, after any change, and whenever `bypassCache` asks for it. A host that
 * answers 304 to everything, or whose validators stay while its bytes change, is asked without conditions from then on.
 */
export class Revalidation {
  readonly #bodies: KeptBodies;
  readonly #clock: () => number;
  readonly #files = new Map<string, KeptFile>();
  #validatorsReliable = true;
  #hasChanged = false;

  constructor(bodies: KeptBodies, clock: () => number) {
    this.#bodies = bodies;
    this.#clock = clock;
  }

  /** `bypassCache`: all bodies are received again. */
  run(get: Get, bypassCache: boolean): Get {
    const takesAll = bypassCache || this.#hasChanged || !this.#validatorsReliable;
    this.#hasChanged = false;
    return async (request) => {
      if (!isPlain(request)) return get(request);
      const key = `${request.accept} ${request.url.href}`;
      const file = this.#files.get(key);
      if (file === undefined || takesAll || !this.#validatorsReliable)
        return this.#received(key, file, await get(request), false);
      const isDue = !file.validatorsReliable || this.#clock() - file.wholeAt >= WHOLE_MS;
      return isDue ? this.#whole(key, file, request, get) : this.#conditional(key, file, request, get);
    };
  }

  forget(): void {
    for (const key of this.#files.keys()) this.#drop(key);
  }

  async #conditional(key: string, file: KeptFile, request: GetRequest, get: Get): Promise<Answer> {
    const answer = await get({ ...request, headers: file.validators });
    if (!isNotModified(answer)) return this.#received(key, file, answer, file.validatorsReliable);
    if (!isConsistent(answer, file)) return this.#received(key, file, await get(request), false);
    const { attempts, timings, address, tls } = answer;
    return { ...file.reply, attempts, timings, address, tls, encodedBytes: 0, isRevalidated: true };
  }

  /** Receives the body with a validator that no file has: an honest host sends all of it. */
  async #whole(key: string, file: KeptFile, request: GetRequest, get: Get): Promise<Answer> {
    const unknown: Record<string, string> =
      file.validators['if-none-match'] === undefined
        ? { 'if-modified-since': new Date(0).toUTCString() }
        : { 'if-none-match': `"docvitals-${randomUUID()}"` };
    const answer = await get({ ...request, headers: unknown });
    if (!isNotModified(answer)) return this.#received(key, file, answer, true);
    this.#distrust();
    return get(request);
  }

  #received(key: string, before: KeptFile | undefined, answer: Answer, validatorsReliable: boolean): Answer {
    const validators = validatorsOf(answer);
    if (answer.kind !== 'reply' || validators === null) {
      this.#hasChanged ||= before !== undefined;
      this.#drop(key);
      return answer;
    }
    const sha256 = hash('sha256', answer.body);
    const hasChanged = before !== undefined && before.sha256 !== sha256;
    if (hasChanged && hasSame(before.validators, validators)) {
      this.#distrust();
      return answer;
    }
    this.#hasChanged ||= hasChanged;
    this.#drop(key);
    if (!this.#validatorsReliable || this.#files.size === MOST_FILES) return answer;
    const body = this.#bodies.keep(sha256, answer.body);
    if (body === null) return answer;
    const reply = { ...answer, body };
    const stays = before !== undefined && !hasChanged && before.validatorsReliable;
    this.#files.set(key, {
      reply,
      sha256,
      validators,
      wholeAt: this.#clock(),
      validatorsReliable: validatorsReliable || stays,
    });
    return reply;
  }

  #drop(key: string): void {
    const file = this.#files.get(key);
    if (file === undefined) return;
    this.#bodies.release(file.sha256);
    this.#files.delete(key);
  }

  #distrust(): void {
    this.#validatorsReliable = false;
    this.forget();
  }
}

const isPlain = ({ method = 'GET', headers, follow = true }: GetRequest): boolean =>
  method === 'GET' && headers === undefined && follow;

const isNotModified = (answer: Answer): answer is Reply => answer.kind === 'reply' && answer.status === 304;

function isConsistent({ headers, redirects }: Reply, { reply }: KeptFile): boolean {
  const etag = headers.get('etag');
  const modified = headers.get('last-modified');
  if (redirects.length > 0 || (etag !== null && opaque(etag) !== opaque(reply.headers.get('etag') ?? ''))) return false;
  return modified === null || modified === reply.headers.get('last-modified');
}

/** Without the sign of a weak validator: the comparison of `If-None-Match` ignores it (RFC 9110, section 8.8.3.2). */
const opaque = (etag: string): string => etag.replace(/^W\//, '');

/** `null`: the body has to be received each time. */
function validatorsOf(answer: Answer): Readonly<Record<string, string>> | null {
  if (answer.kind !== 'reply' || answer.status !== 200 || answer.redirects.length > 0) return null;
  const { headers } = answer;
  const etag = headers.get('etag');
  if (etag !== null && /^(?:W\/)?"[^"]{1,200}"$/.test(etag)) return { 'if-none-match': etag };
  const modified = headers.get('last-modified');
  const age = Date.parse(headers.get('date') ?? '') - Date.parse(modified ?? '');
  return modified !== null && age >= SETTLED_MS ? { 'if-modified-since': modified } : null;
}

const hasSame = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean =>
  Object.entries(one).every(([name, value]) => other[name] === value);
