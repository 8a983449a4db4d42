import { describe, expect, it } from 'vitest';
import {
  SHARED_MS,
  createConnectivity,
  LEARN_MS,
  namesOf,
  type Connectivity,
  type ConnectivityOptions,
} from './connectivity.ts';

interface World {
  readonly connectivity: Connectivity;
  /** Targets that can be reached, and names that resolve. */
  readonly there: Set<string>;
  /** What was asked, in order. */
  readonly asked: string[];
  now: number;
}

function world(
  targets: readonly string[],
  there: readonly string[] = targets,
  rest: Partial<ConnectivityOptions> = {},
): World {
  const ask = (address: string): Promise<boolean> => {
    made.asked.push(address);
    return Promise.resolve(made.there.has(address));
  };
  const own: Omit<World, 'connectivity'> = { there: new Set(there), asked: [], now: 0 };
  const connectivity = createConnectivity({
    targets,
    known: [],
    onKnown: () => {},
    clock: () => made.now,
    connect: ask,
    resolveName: ask,
    ...rest,
  });
  const made: World = Object.assign(own, { connectivity });
  return made;
}

describe('isGone', () => {
  const rows: readonly (readonly [
    string,
    { readonly targets: string[]; readonly before: string[]; readonly now: string[] },
    boolean,
  ])[] = [
    ['both were there, and neither is', { targets: ['a:1', 'b:1'], before: ['a:1', 'b:1'], now: [] }, true],
    ['both were there, and one is', { targets: ['a:1', 'b:1'], before: ['a:1', 'b:1'], now: ['b:1'] }, false],
    ['one was there, and is not', { targets: ['a:1', 'b:1'], before: ['a:1'], now: [] }, true],
    ['one was there, and the other one is now', { targets: ['a:1', 'b:1'], before: ['a:1'], now: ['b:1'] }, false],
    ['none was ever there: no way to the internet', { targets: ['a:1', 'b:1'], before: [], now: [] }, false],
    ['none is asked for', { targets: [], before: [], now: [] }, false],
  ];
  it.each(rows)('%s', async (_, { targets, before, now }, expected) => {
    const timers = world(targets, before);
    await timers.connectivity.learn();
    timers.there.clear();
    for (const one of now) timers.there.add(one);
    expect(await timers.connectivity.isGone()).toBe(expected);
  });

  it('says nothing before anything was learnt', async () => {
    const timers = world(['a:1'], []);
    expect(await timers.connectivity.isGone()).toBe(false);
    expect(timers.asked).toEqual([]);
  });

  it('asks once for all who want to know at once, and again after a while', async () => {
    const timers = world(['a:1', 'b:1']);
    await timers.connectivity.learn();
    timers.there.clear();
    timers.asked.length = 0;
    await Promise.all(Array.from({ length: 1_000 }, () => timers.connectivity.isGone()));
    expect(timers.asked).toEqual(['a:1', 'b:1']);
    timers.now += SHARED_MS;
    timers.there.add('a:1');
    expect(await timers.connectivity.isGone()).toBe(false);
  });
});

describe('a target that somebody named', () => {
  it('is missed from the beginning', async () => {
    const { connectivity } = world(['a:1'], [], { known: null });
    expect(await connectivity.isGone()).toBe(true);
  });

  it('is not any more once it was silent while a site answered, and that is remembered', async () => {
    const reported: (readonly string[])[] = [];
    const { connectivity } = world(['a:1'], [], { known: null, onKnown: (known) => reported.push(known) });
    await connectivity.learn();
    expect([await connectivity.isGone(), reported]).toEqual([false, [[]]]);
  });

  it('is remembered when it answers', async () => {
    const reported: (readonly string[])[] = [];
    const { connectivity } = world(['a:1'], ['a:1'], { known: null, onKnown: (known) => reported.push(known) });
    await connectivity.learn();
    expect(reported).toEqual([['a:1']]);
  });
});

describe('learn', () => {
  it('asks once in a few minutes', async () => {
    const timers = world(['192.0.2.1:1']);
    for (const at of [0, 1, LEARN_MS - 1, LEARN_MS]) {
      timers.now = at;
      await timers.connectivity.learn();
    }
    expect(timers.asked).toEqual(['192.0.2.1:1', '192.0.2.1:1']);
  });

  it('forgets what is silent again and again while sites answer, so that it turns no outage into nothing', async () => {
    const timers = world(['a:1']);
    await timers.connectivity.learn();
    timers.there.clear();
    const gone: boolean[] = [];
    for (const at of [LEARN_MS, 2 * LEARN_MS]) {
      timers.now = at;
      await timers.connectivity.learn();
      gone.push(await timers.connectivity.isGone());
    }
    expect(gone).toEqual([true, false]);
  });

  it('trusts again what is there again', async () => {
    const timers = world(['a:1'], []);
    await timers.connectivity.learn();
    timers.there.add('a:1');
    timers.now = LEARN_MS;
    await timers.connectivity.learn();
    timers.there.clear();
    timers.now += SHARED_MS;
    expect(await timers.connectivity.isGone()).toBe(true);
  });
});

describe('isNameless', () => {
  const names = ['one.example', 'two.example'];
  const targets = ['192.0.2.1:1', ...names.map((name) => `${name}:1`)];
  const rows: readonly (readonly [string, readonly string[], readonly string[], boolean])[] = [
    ['both resolved, and neither does', names, [], true],
    ['both resolved, and one does', names, ['two.example'], false],
    ['one resolved, and does not', ['one.example'], [], true],
    ['none ever resolved', [], [], false],
  ];
  it.each(rows)('%s', async (_, before, now, expected) => {
    const timers = world(targets, [...targets, ...before]);
    await timers.connectivity.learn();
    timers.there.clear();
    for (const one of [...targets, ...now]) timers.there.add(one);
    expect([await timers.connectivity.isNameless(), await timers.connectivity.isGone()]).toEqual([expected, false]);
  });

  it('knows after a restart what resolved before', async () => {
    const reported: (readonly string[])[] = [];
    const first = world(targets, ['192.0.2.1:1', 'one.example'], { onKnown: (known) => reported.push(known) });
    await first.connectivity.learn();
    expect(reported).toEqual([['192.0.2.1:1', 'one.example']]);
    const second = world(targets, ['192.0.2.1:1'], { known: reported.flat() });
    expect([await second.connectivity.isNameless(), await second.connectivity.isGone()]).toEqual([true, false]);
  });

  it('asks once for all who want to know at once', async () => {
    const timers = world(targets, names);
    await timers.connectivity.learn();
    timers.asked.length = 0;
    await Promise.all(Array.from({ length: 1_000 }, () => timers.connectivity.isNameless()));
    expect(timers.asked).toEqual(names);
  });
});

describe('namesOf', () => {
  it('leaves out addresses', () => {
    expect(namesOf(['192.0.2.1:443', '[2001:db8::1]:443', 'ns.example:53', 'ns.example:443'])).toEqual(['ns.example']);
  });
});
