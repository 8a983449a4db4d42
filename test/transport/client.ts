/** The transport as the command sets it up, with what a test wants otherwise. */
import type { Answer, NoReply, Reply } from '../../src/check.ts';
import { createGet, type HttpOptions } from '../../src/http/get.ts';

/** Asks for a URL once, without retries unless told. */
export function ask(url: string, options: Partial<HttpOptions> = {}): Promise<Answer> {
  const clock = options.clock ?? ((): number => performance.now());
  const get = createGet({
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
  });
  const target = new URL(url);
  target.username = target.password = '';
  return get({ url: target, accept: '*/*' });
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
