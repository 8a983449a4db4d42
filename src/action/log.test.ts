import { describe, expect, it } from 'vitest';
import { HOSTILE_ROWS } from '../../test/reports/hostile.ts';
import { readRunnerOutput } from '../../test/reports/runner.ts';
import { createLog, type Log } from './log.ts';

async function logged(write: (log: Log) => Promise<void>): Promise<ReturnType<typeof readRunnerOutput>> {
  let output = '';
  const add = (text: string): Promise<void> => {
    output += text;
    return Promise.resolve();
  };
  await write(createLog(add));
  return readRunnerOutput(output);
}

describe('whatever is logged', () => {
  it.each(HOSTILE_ROWS)('$name: no command but the one that is meant', async ({ text }) => {
    expect((await logged((log) => log.text(text))).commands).toEqual([]);
    for (const level of ['error', 'warning', 'notice'] as const) {
      const { commands, log } = await logged((to) => to[level](text));
      expect(commands.map(({ name }) => name)).toEqual([level]);
      expect(log).toEqual(['']);
    }
  });
});

describe('a secret', () => {
  it.each(['s3cret', 'a%b\r\n::error::x', 'Basic dXNlcjpwYXNz'])('%j is masked as it is', async (secret) => {
    const { commands, log } = await logged((to) => to.mask(secret));
    expect(commands).toEqual([{ name: 'add-mask', properties: {}, data: secret }]);
    expect(log).toEqual(['']);
  });

  it.each(['', 'a', 'abc'])('%j would hide half of the log', async (secret) => {
    expect((await logged((to) => to.mask(secret))).commands).toEqual([]);
  });
});
