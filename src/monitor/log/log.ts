/** What a monitor says while it works. Types only. */
import type { Json } from '../../answer.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Facts of a line, by their names in camelCase; no prose, no secrets. */
export type LogFields = { readonly [name: string]: Json };

/** Writes structured lines. `event` is a kebab-case noun phrase from a closed list, e.g. `incident-opened`. */
export type Log = (level: LogLevel, event: string, fields?: LogFields) => void;
