import type { Get } from '../check.ts';
import { attempts, type Hop, type HopResponse, type HttpOptions } from './attempt.ts';
import { failureOf } from './failure.ts';
import { retried } from './get.ts';
import { isUsable, keyOf, openLine, sendAlone, sendOver, waitForTurn, type OpenLine } from './open-line.ts';

/** How long requests wait for the one that has its turn, in milliseconds. */
const PATIENCE_MS = 250;
/** So many times as long they wait for the connection: a host that is slow to accept one is not helped by five. */
const WHILE_OPENING = 4;
/** A timer that is later than this, in milliseconds, tells that this machine is busy: more connections would be no help. */
const BUSY_MS = 20;
/** So often that is taken for the reason. */
const MOST_EXCUSES = 8;

/**
 * Makes the function for a few requests that come at once: those to the origin of the first go over one connection, one
 * after the other, as long as all is well and quick. As soon as anything is not, each has a connection of its own, as
 * with `createGet`: what is slow or broken is waited for by nobody else, and is told as it would be otherwise. The
 * connection is closed when `options.signal` is aborted.
 */
export function createSharedGet(options: HttpOptions, patienceMs = PATIENCE_MS): Get {
  const shared = new SharedConnection(options, patienceMs);
  return retried(
    attempts(options, (hop) => (isShareable(hop) ? shared.send(hop) : sendAlone(hop))),
    options,
  );
}

/** Whatever is tried again, or asked for in another way than files are, goes alone. */
function isShareable({ method, context: { request, count } }: Hop): boolean {
  return method === 'GET' && count === 1 && request.alone !== true;
}

class SharedConnection {
  readonly #options: HttpOptions;
  readonly #patienceMs: number;
  /** Which hops it is for; `null`: nobody has asked yet. */
  #key: string | null = null;
  #open: OpenLine | null = null;
  #isBusy = false;
  /** Nobody waits for it any more. */
  #isGivenUp = false;
  readonly #waiting: ((isOurTurn: boolean) => void)[] = [];
  /** Since when the one that has its turn has it. */
  #turnSince = 0;
  #patience: NodeJS.Timeout | undefined;
  #excuses = 0;

  constructor(options: HttpOptions, patienceMs: number) {
    this.#options = options;
    this.#patienceMs = patienceMs;
    options.signal.addEventListener('abort', () => this.#end(), { once: true });
  }

  async send(hop: Hop): Promise<HopResponse> {
    const key = keyOf(hop.url, hop.proxy);
    this.#key ??= key;
    const isOurTurn = key === this.#key && (await this.#take(hop));
    if (this.#options.signal.aborted) throw this.#options.signal.reason as Error;
    if (!isOurTurn) return sendAlone(hop);
    hop.context.sent += 1;
    const used = this.#open;
    try {
      const got = await this.#sendOver(used, hop);
      this.#give();
      return got;
    } catch (error) {
      this.#end();
      if (used === null || hop.context.limit.signal.aborted || !isOfTheOthers(used, error, hop)) throw error;
    }
    hop.context.phases.restart('headers');
    return sendAlone(hop);
  }

  /** Resolves with whether the connection is this hop's now. */
  async #take({ context }: Hop): Promise<boolean> {
    if (this.#isBusy && !this.#isGivenUp) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      this.#waiting.push(resolve);
      if (this.#patience === undefined) this.#wait();
      return waitForTurn(context, promise);
    }
    const isFree = !this.#isBusy && (this.#open === null ? !this.#isGivenUp : this.#isUsable(this.#open));
    this.#isBusy ||= isFree;
    if (isFree) this.#turnSince = this.#options.clock();
    return isFree;
  }

  #wait(): void {
    clearTimeout(this.#patience);
    // Where this machine is late, the response may be there without having been read.
    const look = (): void => void setImmediate(() => this.#lookAgain());
    this.#patience = setTimeout(look, Math.ceil(this.#leftMs()));
  }

  #lookAgain(): void {
    this.#patience = undefined;
    const leftMs = this.#leftMs();
    if (leftMs < -BUSY_MS && this.#excuses < MOST_EXCUSES) {
      this.#excuses += 1;
      this.#turnSince = this.#options.clock();
    }
    if (this.#leftMs() <= 0) this.#giveUp();
    else if (this.#waiting.length > 0) this.#wait();
  }

  /** How long the one that has its turn is still waited for. */
  #leftMs(): number {
    const patienceMs = this.#open === null ? this.#patienceMs * WHILE_OPENING : this.#patienceMs;
    return this.#turnSince + patienceMs - this.#options.clock();
  }

  #isUsable(open: OpenLine): boolean {
    return isUsable(open, this.#options.clock());
  }

  async #sendOver(used: OpenLine | null, hop: Hop): Promise<HopResponse> {
    if (used === null) await this.#openFor(hop);
    else hop.context.phases.restart('headers');
    return sendOver(this.#open as OpenLine, hop);
  }

  async #openFor(hop: Hop): Promise<void> {
    this.#open = await openLine(hop);
    this.#turnSince = this.#options.clock();
    if (this.#waiting.length > 0) this.#wait();
  }

  /** The response came as it should: the next one may go, if the connection is still there. */
  #give(): void {
    const open = this.#open as OpenLine;
    open.idleSince = this.#turnSince = this.#options.clock();
    if (this.#options.signal.aborted || !this.#isUsable(open)) return this.#end();
    const next = this.#waiting.shift();
    this.#isBusy = next !== undefined;
    next?.(true);
  }

  /** Whoever waits goes alone. */
  #giveUp(): void {
    this.#isGivenUp = true;
    clearTimeout(this.#patience);
    for (const next of this.#waiting.splice(0)) next(false);
  }

  #end(): void {
    this.#giveUp();
    this.#open?.line.close();
  }
}

/**
 * Whether an error may be due to what went over the connection before: it was closed while it was idle, or bytes came
 * that are no response, such as what a server sends beyond the length that it told.
 */
function isOfTheOthers({ line }: OpenLine, error: unknown, { context }: Hop): boolean {
  return line.wasClosedIdle(error) || failureOf(error, context.phases.current).reason === 'bad-framing';
}
