import { describe, expect, it } from 'vitest';
import type { Resolver } from '../../http/connect.ts';
import { fairResolver, lookupsAtOnce } from './concurrency.ts';

const FOUND = [{ address: '192.0.2.1', family: 4 }];

interface Asked {
  readonly host: string;
  readonly end: (error?: Error) => void;
}

/** Names that are requested and hang until they are ended by hand, on a clock that is set by hand. */
function names(most: number) {
  const asked: Asked[] = [];
  const time = { now: 0 };
  const resolver: Resolver = (host) =>
    new Promise((resolve, reject) => {
      asked.push({ host, end: (error) => (error === undefined ? resolve(FOUND) : reject(error)) });
    });
  const resolve = fairResolver(resolver, most, () => time.now);
  const going = (): string[] => asked.map(({ host }) => host);
  const end = async (host: string, error?: Error): Promise<void> => {
    const index = asked.findIndex((one) => one.host === host);
    asked.splice(index, 1)[0]?.end(error);
    await new Promise(setImmediate);
  };
  return { resolve, going, end, time };
}

/** The same after these names took too long. */
async function slowed(most: number, ...slow: readonly string[]) {
  const made = names(most);
  for (const host of slow) {
    const failing = made.resolve(host, 0).catch(() => null);
    made.time.now += 20_000;
    await made.end(host, new Error('EAI_AGAIN'));
    await failing;
  }
  return made;
}

describe('a fair resolver', () => {
  it('gives what the resolver gives', async () => {
    const { resolve, end } = names(2);
    const found = resolve('a.example', 4);
    await end('a.example');
    expect(await found).toBe(FOUND);
  });

  it('rejects as the resolver does, and asks again the next time', async () => {
    const { resolve, end, going } = names(2);
    const failed = resolve('a.example', 0).catch((error: Error) => error.message);
    await end('a.example', new Error('ENOTFOUND'));
    expect(await failed).toBe('ENOTFOUND');
    void resolve('a.example', 0);
    expect(going()).toEqual(['a.example']);
  });

  it('asks once for a name that is asked for several times at once, by family', () => {
    const { resolve, going } = names(4);
    for (const family of [0, 0, 4] as const) void resolve('a.example', family);
    expect(going()).toEqual(['a.example', 'a.example']);
  });

  it('has no more lookups at a time than it may', async () => {
    const { resolve, going, end } = names(2);
    for (const host of ['a', 'b', 'c', 'd']) void resolve(host, 0);
    expect(going()).toEqual(['a', 'b']);
    await end('a');
    expect(going()).toEqual(['b', 'c']);
  });

  it('keeps half of them free of names that were slow', async () => {
    const { resolve, going } = await slowed(4, 'slow-1', 'slow-2', 'slow-3');
    for (const host of ['slow-1', 'slow-2', 'slow-3', 'a', 'b']) void resolve(host, 0);
    expect(going()).toEqual(['slow-1', 'slow-2', 'a', 'b']);
  });

  it('lets the others go first', async () => {
    const { resolve, going, end } = await slowed(2, 'slow-1', 'slow-2');
    for (const host of ['a', 'b', 'slow-1', 'c']) void resolve(host, 0);
    await end('a');
    expect(going()).toEqual(['b', 'c']);
    await end('b');
    expect(going()).toEqual(['c', 'slow-1']);
  });

  it('counts a lookup that hangs as slow, whatever it was before', async () => {
    const { resolve, going, time } = await slowed(4, 'slow-1');
    for (const host of ['new-1', 'new-2']) void resolve(host, 0);
    time.now += 5_000;
    for (const host of ['slow-1', 'a']) void resolve(host, 0);
    expect(going()).toEqual(['new-1', 'new-2', 'a']);
  });

  it('takes a name that answers in time for a quick one again', async () => {
    const { resolve, going, end } = await slowed(2, 'was-slow', 'slow');
    void resolve('was-slow', 0);
    await end('was-slow');
    void resolve('slow', 0);
    void resolve('was-slow', 0);
    expect(going()).toEqual(['slow', 'was-slow']);
  });
});

describe('lookups at once', () => {
  it.each([
    ['nothing is said', {}, 2],
    ['many threads', { UV_THREADPOOL_SIZE: '128' }, 64],
    ['one thread', { UV_THREADPOOL_SIZE: '1' }, 1],
    ['nonsense', { UV_THREADPOOL_SIZE: 'many' }, 2],
  ])('where %s', (_, env, expected) => {
    expect(lookupsAtOnce(env)).toBe(expected);
  });
});
