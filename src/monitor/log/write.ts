/** Writes the monitor's log, a line for each event. */
import type { Json } from '../../core/answer.ts';
import { printable, unicodeEscapes, withoutCommands } from '../../text/printable.ts';
import { logWords, type LogWords } from '../../generated/locales/log.ts';
import { iso } from '../../core/time.ts';
import type { Language } from '../../locales/language.ts';

export interface LogOptions {
  readonly stream: Pick<NodeJS.WriteStream, 'write' | 'on' | 'off' | 'writableLength'>;
  readonly format: 'pretty' | 'json';
  /** The language of sentences; English where it is absent. */
  readonly language?: Language;
  readonly least: LogLevel;
  readonly colour: boolean;
  readonly now: () => number;
}

/** UTF-16 code units that may wait for a slow reader; lines beyond are dropped, and counted. */
const MOST_WAITING = 1 << 20;
/** The longest text of a field, in UTF-16 code units. */
const LONGEST_TEXT = 2_000;

const RANKS = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * Opens a log on a stream. Nothing that is reported can break a line, colour a terminal, or end the process. It never
 * holds its caller up: a reader that is gone or slow loses lines. `flush` resolves when what was written has left, or
 * after `ms`.
 */
export function openLog({ stream, format, language = 'en', least, colour, now }: LogOptions) {
  let left = 0;
  let gone = false;
  // A closed reader or a full disk behind a redirected output must not stop the monitor.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = error.code === 'EPIPE' || error.code === 'EIO';
  });
  const lineOf = (level: LogLevel, event: LogEvent, fields: LogFields): string => {
    const time = iso(now());
    if (format === 'json') return jsonLine(time, level, event, fields);
    return prettyLine(time, level, sentenceOf(event, fields, language), colour);
  };
  const log: Log = (level, event, fields = {}) => {
    if (gone || RANKS[level] < RANKS[least]) return;
    if (stream.writableLength > MOST_WAITING) {
      left += 1;
      return;
    }
    if (left > 0) stream.write(lineOf('warn', 'log-lines-lost', { lines: left }));
    left = 0;
    stream.write(lineOf(level, event, fields));
  };
  const flush = async (ms: number): Promise<void> => {
    if (gone || stream.writableLength === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    stream.write('', () => resolve());
    await promise;
    clearTimeout(timer);
  };
  return { log, flush };
}

function jsonLine(time: string, level: LogLevel, event: string, fields: LogFields): string {
  const line = JSON.stringify({ time, level, event, ...fields }, (_, value: Json) =>
    typeof value === 'string' ? cut(value) : value,
  );
  // What JSON lets pass may still act on a terminal, or break a line for some readers.
  return `${withoutCommands(line.replaceAll(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, unicodeEscapes), BRACKET)}\n`;
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** As JSON escapes it; for a CI service that prints the log. */
const BRACKET = String.raw`\u005b`;

/** SGR codes (ECMA-48, 8.3.117). */
const COLOURS: Readonly<Record<LogLevel, number>> = { debug: 2, info: 36, warn: 33, error: 31 };
const WIDEST_LEVEL = 5;

function prettyLine(time: string, level: LogLevel, text: string, colour: boolean): string {
  const paint = (code: number, painted: string): string => (colour ? `\u001B[${code}m${painted}\u001B[0m` : painted);
  const clock = time.slice(0, 23).replace('T', ' ');
  return `${[paint(2, clock), paint(COLOURS[level], level.padEnd(WIDEST_LEVEL)), text].join(' ')}\n`;
}

function shown(value: Json): string {
  if (value === null) return '–';
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return printable(cut(list.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ')));
}

function sentenceOf(event: LogEvent, fields: LogFields, language: Language): string {
  const sentences: Readonly<Record<LogEvent, (values: never) => string>> = logWords(language);
  const written = (name: string): string => {
    const field = fields[name] ?? null;
    if (name !== 'durationMs' || typeof field !== 'number') return shown(field);
    return `${new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(field / 1_000)} s`;
  };
  // A sentence may name a field that the event lacks.
  const values = new Proxy({}, { get: (_, name) => written(String(name)) });
  return sentences[event](values as never);
}

/** An event that has a sentence in each language. */
export type LogEvent = keyof LogWords;

export type LogLevel = keyof typeof RANKS;

/** Facts of a line, by their names in camelCase; no prose, no secrets. */
export type LogFields = { readonly [name: string]: Json };

/** Writes structured lines. `event` is one of those in `src/locales`, e.g. `incident-opened`. */
export type Log = (level: LogLevel, event: LogEvent, fields?: LogFields) => void;
