import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../locales/language.ts';
import { type LogFields, openLog, type LogOptions } from './write.ts';

/** Keeps what is written; `stuck`: nobody reads. */
function sink(stuck = false) {
  let text = '';
  const stream = new Writable({
    highWaterMark: 16,
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      if (!stuck) done();
    },
  });
  return { stream: stream as unknown as LogOptions['stream'] & Writable, text: () => text };
}

function open(options: Partial<LogOptions> = {}, stuck = false) {
  const { stream, text } = sink(stuck);
  const opened = openLog({ stream, format: 'json', least: 'info', colour: false, now: () => 0, ...options });
  return { ...opened, stream, text };
}

/** What may act on a terminal, or break a line for some reader. */
const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

const HOSTILE: readonly [string, LogFields][] = [
  ['a line break', { error: 'one\ntwo\r\nthree' }],
  ['colours', { error: '\u001B[31mred\u001B[0m \u009B31m' }],
  ['text that runs backwards', { error: 'a\u202Egnp.exe\u2066' }],
  ['line separators', { error: 'a\u2028b\u2029c' }],
  ['half a character', { error: '\uD800 alone' }],
  ['a quote', { error: 'it says "no" \\ = no' }],
  ['something long', { error: 'x'.repeat(100_000) }],
  ['lists and objects', { checks: ['config', '\u001B[2J'], deep: { of: [null, 1, true] } }],
];

describe.each(['json', 'pretty'] as const)('a %s log', (format) => {
  it.each(HOSTILE)('reports %s in one harmless line', (_, fields) => {
    const { log, text } = open({ format });
    log('error', 'run-failed', fields);
    expect(text().endsWith('\n')).toBe(true);
    expect(text().trimEnd()).not.toContain('\n');
    expect(text().trimEnd()).not.toMatch(ACTING);
    expect(text().length).toBeLessThan(10_000);
  });

  it('leaves out what is less grave', () => {
    const { log, text } = open({ format, least: 'warn' });
    log('info', 'run-failed', { site: 'handbook' });
    log('error', 'run-failed', { site: 'docs' });
    expect(text()).toContain('docs');
    expect(text()).not.toContain('handbook');
  });
});

describe('a JSON log', () => {
  it('has time, level and event first, and each line is JSON', () => {
    const { log, text } = open();
    log('warn', 'incident-opened', { site: 'docs', checks: ['config'], at: null });
    const line = JSON.parse(text()) as object;
    expect(line).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'warn',
      event: 'incident-opened',
      site: 'docs',
      checks: ['config'],
      at: null,
    });
    expect(Object.keys(line).slice(0, 3)).toEqual(['time', 'level', 'event']);
  });

  it('keeps every character of a text, however it is written', () => {
    const { log, text } = open();
    const error = 'ș ț « » \u200B \u2028 \u{E0041} \u001B 😀';
    log('info', 'run-failed', { error });
    expect((JSON.parse(text()) as { error: string }).error).toBe(error);
  });
});

describe('a pretty log', () => {
  it('has the sentence of each event, in its language; a field that the event lacks is a dash', () => {
    const line = (language: Language): string => {
      const { log, text } = open({ format: 'pretty', language });
      log('info', 'incident-recovered', {
        site: 'docs',
        durationMs: 90_500,
        rules: ['config/syntax', 'home/empty'],
      });
      return text().trimEnd();
    };
    expect(line('en')).toBe(
      '1970-01-01 00:00:00.000 info  docs has recovered after 90.5 s: config/syntax, home/empty. Incident – is over.',
    );
    expect(['ro', 'fr'].map((language) => /90.5 s/.exec(line(language as Language))?.[0])).toEqual([
      '90,5 s',
      '90,5 s',
    ]);
  });
});

describe('a log that nobody reads', () => {
  it('leaves lines out instead of filling the memory', () => {
    const { log, stream } = open({}, true);
    for (let line = 0; line < 5_000; line += 1) log('info', 'database-writable', { text: 'x'.repeat(1_000) });
    expect(stream.writableLength).toBeLessThan(2 << 20);
  });

  it('reports how many lines were lost once it is read again', () => {
    const { log, stream, text } = open();
    Object.defineProperty(stream, 'writableLength', { value: 2 << 20, configurable: true });
    for (let line = 0; line < 3; line += 1) log('info', 'database-writable');
    Object.defineProperty(stream, 'writableLength', { value: 0 });
    log('info', 'database-writable');
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([{ event: 'log-lines-lost', lines: 3 }, { event: 'database-writable' }]);
  });

  it('is not waited for for ever', async () => {
    const { log, flush } = open({}, true);
    log('info', 'monitor-stopped');
    await expect(flush(1)).resolves.toBeUndefined();
  });

  it('does not end the process when it is gone', () => {
    const { log, stream } = open();
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect(() => log('info', 'database-writable')).not.toThrow();
  });
});
