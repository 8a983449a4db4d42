/** The transport as the command sets it up, with what a test wants otherwise. */
import type { Answer, Get, GetRequest, NoReply, Reply } from '../../src/core/answer.ts';
import { Ended } from '../../src/http/failure.ts';
import { createGet, createSharedGet, type HttpOptions } from '../../src/http/get.ts';
import { createPooledGet } from '../../src/http/pool.ts';

function optionsFor(url: string, options: Partial<HttpOptions>): HttpOptions {
  const clock = options.clock ?? ((): number => performance.now());
  return {
    site: new URL(url),
    timeoutMs: 5_000,
    retries: 0,
    bodyCap: 1 << 20,
    userAgent: 'docvitals/test',
    headers: {},
    rules: [],
    family: 0,
    proxyFor: () => null,
    signal: new AbortController().signal,
    endsAt: clock() + 20_000,
    clock,
    ...options,
  };
}

type Asked = Partial<Omit<GetRequest, 'url'>>;

/** Asks for a URL once, without retries by default. */
export function ask(url: string, options: Partial<HttpOptions> = {}, request: Asked = {}): Promise<Answer> {
  const target = new URL(url);
  target.username = target.password = '';
  return createGet(optionsFor(url, options))({ accept: '*/*', ...request, url: target });
}

/** Many requests of one run. */
export interface Run {
  readonly get: Get;
  /** Asks for a path of the site, or a URL. */
  readonly ask: (target: string, request?: Asked) => Promise<Answer>;
  /** Ends the run as its deadline does. */
  readonly end: (reason?: Ended) => void;
}

/** A run over connections that are kept alive. */
export function pooled(
  site: string,
  options: Partial<HttpOptions> = {},
  { rate = 0, connectionsPerHost = 6 } = {},
): Run {
  return runOf(site, options, (all) => createPooledGet(all, rate, connectionsPerHost));
}

/** A run whose requests share a connection while all is well. A crowded machine may be slow: they are patient. */
export function shared(site: string, options: Partial<HttpOptions> = {}, patienceMs = 20_000): Run {
  return runOf(site, options, (all) => createSharedGet(all, patienceMs));
}

function runOf(site: string, options: Partial<HttpOptions>, create: (all: HttpOptions) => Get): Run {
  const running = new AbortController();
  const get = create(optionsFor(site, { signal: running.signal, ...options }));
  return {
    get,
    ask: (target, request = {}) => get({ accept: '*/*', ...request, url: new URL(target, site) }),
    end: (reason = new Ended('interrupt')) => running.abort(reason),
  };
}

/** The answer as a reply; fails the test when none came. */
export function replyOf(answer: Answer): Reply {
  if (answer.kind !== 'reply') throw new Error(`no reply: ${answer.reason} ${JSON.stringify(answer.evidence)}`);
  return answer;
}

/** The answer as a no-reply; fails the test when one came. */
export function noReplyOf(answer: Answer): NoReply {
  if (answer.kind !== 'no-reply') throw new Error(`a reply came: ${answer.status}`);
  return answer;
}

/** The body of the reply as text; fails the test when none came. */
export function textOf(answer: Answer): string {
  return Buffer.from(replyOf(answer).body).toString();
}
